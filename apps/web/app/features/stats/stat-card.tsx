import { useCallback, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import type { PlotColour } from '#app/ui/plot.tsx'
import { MiniGraph, type TimeSpan } from './mini-graph.tsx'
import { summarise } from './stats-history.ts'
import classes from './stats.module.css'

type Props = {
  name: string
  /** What is said large; null = unknown, and then `instead` says why. */
  value: string | null
  instead: string
  /** Whether the reason is shown, or only read out: when six cards have the same one, a dash says enough. */
  isSaid?: boolean
  /** What stands small beside it, such as the limit. */
  aside: string | null
  times: readonly number[]
  columns: readonly (readonly (number | null)[])[]
  colours: readonly PlotColour[]
  limit: number | null
  /** A sample in words. */
  write: (value: number) => string
  version: unknown
  /** The time that is shown, in words. */
  over: string
  range?: TimeSpan
  bands?: readonly TimeSpan[]
  /** A time that is pointed at, in milliseconds. */
  writeTime?: (time: number) => string
}

/** One figure of a server: in words, as a graph, and as a sentence for those who do not see it. */
export function StatCard({
  name,
  value,
  instead,
  isSaid = false,
  aside,
  times,
  columns,
  colours,
  limit,
  write,
  version,
  over,
  range,
  bands,
  writeTime,
}: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [point, setPoint] = useState<number | null>(null)
  const onPoint = useCallback((index: number | null) => setPoint(index), [])
  const pointed = point === null ? null : (columns[0]?.[point] ?? null)
  const pointedTime = point === null ? undefined : times[point]
  const summary = summarise(columns[0] ?? [])
  return (
    <section className={classes.card} aria-label={name}>
      <h3 className={classes.name}>{name}</h3>
      <p className={classes.value}>
        {value === null ? (
          <span className={classes.instead}>
            <span aria-hidden>–</span> <span className={isSaid ? undefined : 'visually-hidden'}>{instead}</span>
          </span>
        ) : pointed !== null && pointedTime !== undefined ? (
          <>
            <strong>{write(pointed)}</strong>{' '}
            <span className={classes.aside}>
              {writeTime === undefined ? format.time(pointedTime * 1000, true) : writeTime(pointedTime * 1000)}
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
        range={range}
        bands={bands}
        onPoint={onPoint}
      />
    </section>
  )
}
