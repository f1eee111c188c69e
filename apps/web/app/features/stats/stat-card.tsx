import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import type { PlotColour } from '#app/ui/plot.tsx'
import type { Mark } from './draw-marks.ts'
import type { ScaleKind } from './graph-scale.ts'
import { type GraphAxes, MiniGraph, type TimeSpan } from './mini-graph.tsx'
import { summarise } from './stats-history.ts'
import classes from './stats.module.css'

type Props = {
  name: string
  /** What is said large; null = unknown, and then `instead` says why. */
  value: string | null
  instead: string
  /** What stands small beside it, such as the limit. */
  aside: string | null
  times: readonly number[]
  columns: readonly (readonly (number | null)[])[]
  colours: readonly PlotColour[]
  limit: number | null
  wall?: number
  scale?: ScaleKind
  /** A sample in words. */
  write: (value: number) => string
  version: unknown
  /** The time that is shown, in words. */
  over: string
  range?: TimeSpan
  bands?: readonly TimeSpan[]
  marks?: readonly Mark[]
  /** Times at its axis; without them the graph is small, and has no axes. */
  timeAxis?: Pick<GraphAxes, 'writeTick' | 'isOfDays'>
  /** A time that is pointed at, in milliseconds. */
  writeTime?: (time: number) => string
}

/** One figure of a server: in words, as a graph, and as a sentence for those who do not see it. */
export function StatCard({
  name,
  value,
  instead,
  aside,
  times,
  columns,
  colours,
  limit,
  wall,
  scale,
  write,
  version,
  over,
  range,
  bands,
  marks,
  timeAxis,
  writeTime,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const latest = useRef(write)
  latest.current = write
  const [point, setPoint] = useState<number | null>(null)
  const onPoint = useCallback((index: number | null) => setPoint(index), [])
  const pointed = point === null ? null : (columns[0]?.[point] ?? null)
  const pointedTime = point === null ? undefined : times[point]
  const axes = useMemo(
    () => (timeAxis === undefined ? undefined : { ...timeAxis, write: (sample: number) => latest.current(sample) }),
    [timeAxis],
  )
  const happened = useHappened(pointedTime, { marks, range })
  const summary = summarise(columns[0] ?? [])
  return (
    <section className={classes.card} aria-label={name} data-tall={timeAxis !== undefined || undefined}>
      <h3 className={classes.name}>{name}</h3>
      <p className={classes.value}>
        {value === null ? (
          <span className={classes.instead}>
            <span aria-hidden>–</span> <span className="visually-hidden">{instead}</span>
          </span>
        ) : pointed !== null && pointedTime !== undefined ? (
          <>
            <strong>{write(pointed)}</strong>{' '}
            <span className={classes.aside}>
              {writeTime === undefined ? format.time(pointedTime * 1000, true) : writeTime(pointedTime * 1000)}
              {happened !== undefined && ` · ${happened}`}
            </span>
          </>
        ) : (
          <>
            <strong>{value}</strong> {aside !== null && <span className={classes.aside}>{aside}</span>}
          </>
        )}
      </p>
      {summary !== null && (
        <p className="visually-hidden">
          {t('server.stats.summary', {
            over,
            least: write(summary.least),
            mean: write(summary.mean),
            most: write(summary.most),
          })}
        </p>
      )}
      <MiniGraph
        data={[times, ...columns]}
        version={version}
        colours={colours}
        limit={limit}
        wall={wall}
        scale={scale}
        axes={axes}
        marks={marks}
        range={range}
        bands={bands}
        onPoint={onPoint}
      />
    </section>
  )
}

/** How near a mark has to be to what is pointed at, as a part of the whole. */
const near = 1 / 100

/** What happened about then, in words. */
function useHappened(
  time: number | undefined,
  { marks = [], range }: { marks: readonly Mark[] | undefined; range: TimeSpan | undefined },
): string | undefined {
  const { t } = useTranslation()
  if (time === undefined || range === undefined) return undefined
  const reach = (range[1] - range[0]) * near
  const close = marks.filter(({ at }) => Math.abs(at - time) <= reach)
  const [nearest] = close.toSorted((one, other) => Math.abs(one.at - time) - Math.abs(other.at - time))
  return nearest && t(`server.stats.at.${nearest.kind}`, { player: nearest.player ?? '' })
}
