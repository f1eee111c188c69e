import { useCallback } from 'react'
import type uPlot from 'uplot'
import { lineToken, Plot, type PlotColour, type PlotData, readToken } from '#app/ui/plot.tsx'
import { dayMultiples } from '#app/ui/day-axis.ts'
import { drawMarks, type Mark } from './draw-marks.ts'
import { type ScaleKind, topOf } from './graph-scale.ts'
import classes from './stats.module.css'

/** From and to, in seconds since 1970. */
export type TimeSpan = readonly [from: number, to: number]

const LIVE_SPAN_SECONDS = 600

/** Spans of time in a colour of their own, behind the lines. */
function drawBands(plot: uPlot, bands: readonly TimeSpan[], colour: string) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.fillStyle = `color-mix(in srgb, ${colour} 22%, transparent)`
  const place = (time: number) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(time, 'x', true)))
  for (const [from, to] of bands) {
    const left = place(from)
    ctx.fillRect(left, bbox.top, Math.max(1, place(to) - left), bbox.height)
  }
  ctx.restore()
}

/** Below it, an axis of values would leave too little for the picture. */
const LEAST_WIDTH_FOR_VALUES = 230

/** Times beneath, and three values beside where there is room. */
function makeAxes(box: HTMLElement, { writeTick, write, isOfDays }: GraphAxes): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: readToken(box, 'muted'),
    font: `11px ${getComputedStyle(box).fontFamily}`,
    ticks: { show: false },
  }
  return [
    {
      ...axis,
      size: 24,
      gap: 6,
      space: 64,
      grid: { show: false },
      ...(isOfDays && { incrs: dayMultiples }),
      values: (_, ticks) => ticks.map((tick) => writeTick(tick * 1000)),
    },
    {
      ...axis,
      show: box.clientWidth >= LEAST_WIDTH_FOR_VALUES,
      size: 70,
      gap: 6,
      grid: { stroke: readToken(box, 'line'), width: 1 },
      splits: (_, __, least, most) => [least, (least + most) / 2, most],
      values: (_, ticks) => ticks.map(write),
    },
  ]
}

export type GraphAxes = {
  /** A time at the axis, in milliseconds. */
  writeTick: (time: number) => string
  write: (value: number) => string
  /** Whether marks of the axis are days. */
  isOfDays: boolean
}

/** A small area graph. Only the picture: its card says the numbers in words. */
export function MiniGraph({
  data,
  version,
  colours,
  limit,
  wall,
  scale = 'plain',
  axes,
  range,
  bands,
  marks,
  onPoint,
}: {
  data: PlotData
  /** Another one when `data` has changed, be it in place. */
  version: unknown
  colours: readonly PlotColour[]
  /** Top of the scale, unless the data need more. */
  limit: number | null
  /** What the data hardly pass: the scale does not end beyond it. */
  wall?: number | undefined
  scale?: ScaleKind | undefined
  /** Drawn with these; otherwise it is the line alone. */
  axes?: GraphAxes | undefined
  /** What is shown; the last ten minutes where it is not said. */
  range?: TimeSpan | undefined
  /** When it slept. */
  bands?: readonly TimeSpan[] | undefined
  marks?: readonly Mark[] | undefined
  /** Told which sample the pointer is on; null when it leaves. */
  onPoint: (index: number | null) => void
}) {
  const colourKey = colours.join()
  const makeOptions = useCallback(
    (box: HTMLElement): ReturnType<Parameters<typeof Plot>[0]['makeOptions']> => ({
      padding: axes === undefined ? [4, 0, 2, 0] : [8, 14, 0, box.clientWidth >= LEAST_WIDTH_FOR_VALUES ? 0 : 14],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      axes: axes === undefined ? [{ show: false }, { show: false }] : makeAxes(box, axes),
      scales: {
        x: {
          time: true,
          range: (_, __, newest) => (range ? [range[0], range[1]] : [newest - LIVE_SPAN_SECONDS, newest]),
        },
        y: { range: (_, __, most) => [0, topOf(most ?? 0, limit, scale, wall)] },
      },
      series: [
        {},
        ...colourKey.split(',').map((colour, index) => {
          const stroke = readToken(box, lineToken(colour as PlotColour))
          return {
            stroke,
            width: 1.5,
            points: { show: false },
            ...(index === 0 ? { fill: `color-mix(in srgb, ${stroke} 16%, transparent)` } : { dash: [4, 3] }),
          }
        }),
      ],
      hooks: {
        drawClear: bands === undefined ? [] : [(plot) => drawBands(plot, bands, readToken(box, 'dusk'))],
        draw: marks === undefined ? [] : [(plot) => drawMarks(plot, marks, box)],
        setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
      },
    }),
    [colourKey, limit, wall, scale, axes, range, bands, marks, onPoint],
  )
  return <Plot data={data} version={version} makeOptions={makeOptions} className={classes.graph ?? ''} />
}
