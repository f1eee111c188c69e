import { useCallback } from 'react'
import type uPlot from 'uplot'
import { lineToken, Plot, type PlotColour, type PlotData, readToken } from '#app/ui/plot.tsx'
import classes from './stats.module.css'

/** From and to, in seconds since 1970. */
export type TimeSpan = readonly [from: number, to: number]

const LEAST_SPAN_SECONDS = 60
const MOST_SPAN_SECONDS = 600

/** A fresh graph fills its card within a minute, then widens until it shows the last ten. */
function spanOf(oldest: number, newest: number): [number, number] {
  const span = Math.min(Math.max(newest - oldest, LEAST_SPAN_SECONDS), MOST_SPAN_SECONDS)
  return [newest - span, newest]
}

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

/** A small area graph. Only the picture: its card says the numbers in words. */
export function MiniGraph({
  data,
  version,
  colours,
  limit,
  range,
  bands,
  onPoint,
}: {
  data: PlotData
  /** Another one when `data` has changed, be it in place. */
  version: unknown
  colours: readonly PlotColour[]
  /** Top of the scale; null = what the data need. */
  limit: number | null
  /** What is shown; the last minutes of what there is where it is not said. */
  range?: TimeSpan | undefined
  /** When it slept. */
  bands?: readonly TimeSpan[] | undefined
  /** Told which sample the pointer is on; null when it leaves. */
  onPoint: (index: number | null) => void
}) {
  const colourKey = colours.join()
  const makeOptions = useCallback(
    (box: HTMLElement): ReturnType<Parameters<typeof Plot>[0]['makeOptions']> => ({
      padding: [4, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: true, range: (_, oldest, newest) => (range ? [range[0], range[1]] : spanOf(oldest, newest)) },
        y: { range: (_, __, most) => [0, Math.max(limit ?? 0, (most ?? 0) * 1.1, 1e-9)] },
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
        setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
      },
    }),
    [colourKey, limit, range, bands, onPoint],
  )
  return <Plot data={data} version={version} makeOptions={makeOptions} className={classes.graph ?? ''} />
}
