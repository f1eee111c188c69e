import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import classes from './stats.module.css'

export type GraphColour = 'lantern' | 'dusk' | 'moss' | 'muted'

type Props = {
  /** Times in seconds, then one or two columns of values. */
  data: readonly (readonly (number | null)[])[]
  /** Rises when `data` has changed in place. */
  version: number
  colours: readonly GraphColour[]
  /** Top of the scale; null = what the data need. */
  limit: number | null
  /** Told which sample the pointer is on; null when it leaves. */
  onPoint: (index: number | null) => void
}

const LEAST_SPAN_SECONDS = 60
const MOST_SPAN_SECONDS = 600

/** A fresh graph fills its card within a minute, then widens until it shows the last ten. */
function spanOf(oldest: number, newest: number): [number, number] {
  const span = Math.min(Math.max(newest - oldest, LEAST_SPAN_SECONDS), MOST_SPAN_SECONDS)
  return [newest - span, newest]
}

function makeOptions(
  box: HTMLElement,
  colours: readonly GraphColour[],
  limit: number | null,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(box)
  const series = colours.map((colour, index): uPlot.Series => {
    const stroke = style.getPropertyValue(`--${colour}`).trim()
    return {
      stroke,
      width: 1.5,
      points: { show: false },
      ...(index === 0 ? { fill: `color-mix(in srgb, ${stroke} 16%, transparent)` } : { dash: [4, 3] }),
    }
  })
  return {
    width: box.clientWidth,
    height: box.clientHeight,
    padding: [4, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: true, range: (_, oldest, newest) => spanOf(oldest, newest) },
      y: { range: (_, __, most) => [0, Math.max(limit ?? 0, (most ?? 0) * 1.1, 1e-9)] },
    },
    series: [{}, ...series],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  }
}

/** A small area graph of the last ten minutes. Only the picture: its card says the numbers in words. */
export function MiniGraph({ data, version, colours, limit, onPoint }: Props) {
  const boxRef = useRef<HTMLDivElement>(null)
  const plotRef = useRef<uPlot | null>(null)
  const latest = useRef(data)
  latest.current = data
  const colourKey = colours.join()

  useEffect(() => {
    const box = boxRef.current
    if (box === null) return
    let isGone = false
    let UPlot: typeof uPlot | null = null
    const draw = () => {
      if (UPlot === null || isGone) return
      plotRef.current?.destroy()
      plotRef.current = new UPlot(
        makeOptions(box, colourKey.split(',') as GraphColour[], limit, onPoint),
        latest.current as uPlot.AlignedData,
        box,
      )
    }
    void import('uplot').then((module) => {
      UPlot = module.default
      draw()
    })
    const size = new ResizeObserver(() =>
      plotRef.current?.setSize({ width: box.clientWidth, height: box.clientHeight }),
    )
    size.observe(box)
    // A canvas does not follow style sheets: drawn anew with the colours of the other theme.
    const theme = new MutationObserver(draw)
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      isGone = true
      size.disconnect()
      theme.disconnect()
      plotRef.current?.destroy()
      plotRef.current = null
    }
  }, [colourKey, limit, onPoint])

  useEffect(() => {
    plotRef.current?.setData(latest.current as uPlot.AlignedData)
  }, [version])

  return <div ref={boxRef} className={classes.graph} aria-hidden />
}
