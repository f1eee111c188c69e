import { useCallback } from 'react'
import { lineToken, Plot, type PlotColour, type PlotData, readToken } from '#app/ui/plot.tsx'
import classes from './stats.module.css'

const LEAST_SPAN_SECONDS = 60
const MOST_SPAN_SECONDS = 600

/** A fresh graph fills its card within a minute, then widens until it shows the last ten. */
function spanOf(oldest: number, newest: number): [number, number] {
  const span = Math.min(Math.max(newest - oldest, LEAST_SPAN_SECONDS), MOST_SPAN_SECONDS)
  return [newest - span, newest]
}

/** A small area graph of the last ten minutes. Only the picture: its card says the numbers in words. */
export function MiniGraph({
  data,
  version,
  colours,
  limit,
  onPoint,
}: {
  data: PlotData
  /** Rises when `data` has changed in place. */
  version: number
  colours: readonly PlotColour[]
  /** Top of the scale; null = what the data need. */
  limit: number | null
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
        x: { time: true, range: (_, oldest, newest) => spanOf(oldest, newest) },
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
      hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    }),
    [colourKey, limit, onPoint],
  )
  return <Plot data={data} version={version} makeOptions={makeOptions} className={classes.graph ?? ''} />
}
