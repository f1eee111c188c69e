import { useQuery } from '@tanstack/react-query'
import type { HistoryMarkKind, HistorySpan, StatsHistory } from '@wakestone/contract/servers/history'
import { getStatsHistory } from '@wakestone/contract/servers/history-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useMemo, useRef } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { isOfPlayer, type Mark } from './draw-marks.ts'
import { toColumns, type HistoryColumn } from './history-columns.ts'
import { StatCard } from './stat-card.tsx'
import { summarise } from './stats-history.ts'
import type { StatsSpan } from './stats-span.ts'
import classes from './stats.module.css'

const CARDS = 6
/** A point is added every few minutes at most. */
const REFETCH_MS = 60_000
/** Spans in which an hour tells a point from the next. */
const showsHours: Partial<Record<HistorySpan, true>> = { hour: true, day: true }

type Limits = Server['parameters']['limits']

/** What a server used over a longer time, with its sleeps. */
export function HistoryCards({
  serverId,
  limits,
  span,
}: {
  serverId: string
  limits: Limits
  span: Exclude<StatsSpan, 'now'>
}) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(
    queryOf(getStatsHistory, { params: { id: serverId }, query: { span } }, { refetchInterval: REFETCH_MS }),
  )
  if (data !== undefined) return <Cards history={data} span={span} limits={limits} />
  if (error !== null)
    return <ErrorState error={error} title={t('server.stats.errorTitle')} onRetry={() => void refetch()} />
  return (
    <div className={classes.cards} data-wide role="status" aria-busy="true" aria-label={t('server.stats.loading')}>
      {Array.from({ length: CARDS }, (_, index) => (
        <Skeleton key={index} height={188} radius={8} />
      ))}
    </div>
  )
}

function Cards({ history, span, limits }: { history: StatsHistory; span: HistorySpan; limits: Limits }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns = useMemo(() => toColumns(history), [history])
  const range = useMemo(() => [columns.times[0] ?? 0, columns.times.at(-1) ?? 0] as const, [columns])
  const sleeps = useMemo(
    () => history.sleeps.map(({ from, to }) => [Date.parse(from) / 1000, Date.parse(to) / 1000] as const),
    [history],
  )
  const { all, marks } = useMemo(() => readMarks(history), [history])
  const writeTickRef = useRef(format)
  writeTickRef.current = format
  const timeAxis = useMemo(() => {
    const isOfDays = showsHours[span] !== true
    const writeTick = (time: number) =>
      isOfDays ? writeTickRef.current.dayMonth(time) : writeTickRef.current.time(time)
    return { isOfDays, writeTick }
  }, [span])
  const rate = (bytes: number) => t('server.stats.perSecond', { size: format.bytes(bytes) })
  const share = (cores: number) => format.percent(Math.round((cores / limits.cpu) * 100) / 100)
  const writeTime = (time: number) => (showsHours[span] ? format.time(time) : format.dateTime(time))
  const extreme = (name: HistoryColumn) => summarise(columns.of(name))
  if (history.points.length === 0) return <NothingRecorded history={history} />
  const shared = {
    timeAxis,
    marks,
    times: columns.times,
    version: history,
    instead: t('server.stats.nothing'),
    over: t(`server.stats.over.${span as Exclude<StatsSpan, 'now'>}`),
    range,
    bands: sleeps,
    writeTime,
  }
  const meanOf = (name: HistoryColumn, write: (value: number) => string) => {
    const summary = summarise(columns.of(name))
    return summary === null ? null : t('server.stats.mean', { value: write(summary.mean) })
  }
  const mostOf = (name: HistoryColumn, write: (value: number) => string) => {
    const summary = extreme(name)
    return summary === null ? null : t('server.stats.most', { value: write(summary.most) })
  }
  const leastTicks = extreme('tps_least')
  const whole = (value: number) => format.number(value)
  const tenths = (value: number) => format.number(value, 1)
  return (
    <section aria-label={shared.over} className={classes.cards} data-wide>
      <StatCard
        {...shared}
        name={t('server.stats.cpu')}
        value={meanOf('cpu', share)}
        aside={mostOf('cpu_most', share)}
        columns={[columns.of('cpu'), columns.of('cpu_most')]}
        colours={['lantern', 'lantern']}
        limit={limits.cpu}
        write={share}
      />
      <StatCard
        {...shared}
        name={t('server.stats.memory')}
        value={meanOf('memory', format.bytes)}
        aside={t('server.stats.mostOf', {
          most: mostOf('memory_most', format.bytes) ?? '–',
          limit: format.bytes(limits.memory),
        })}
        columns={[columns.of('memory'), columns.of('memory_most')]}
        colours={['dusk', 'dusk']}
        limit={null}
        wall={limits.memory}
        scale="bytes"
        write={format.bytes}
      />
      {leastTicks !== null && (
        <StatCard
          {...shared}
          name={t('server.stats.tps')}
          value={meanOf('tps', tenths)}
          aside={t('server.stats.least', { value: tenths(leastTicks.least) })}
          columns={[columns.of('tps'), columns.of('tps_least')]}
          colours={['moss', 'moss']}
          limit={20}
          write={tenths}
        />
      )}
      <StatCard
        {...shared}
        name={t('server.stats.disk')}
        value={mostOf('disk_most', format.bytes)}
        aside={t('server.stats.of', { limit: format.bytes(limits.storage) })}
        columns={[columns.of('disk')]}
        colours={['muted']}
        limit={null}
        wall={limits.storage}
        scale="bytes"
        write={format.bytes}
      />
      <StatCard
        {...shared}
        name={t('server.stats.network')}
        value={meanOf('network_in', rate)}
        aside={mostOf('network_in_most', rate)}
        columns={[columns.of('network_in'), columns.of('network_out')]}
        colours={['dusk', 'lantern']}
        limit={1024}
        scale="bytes"
        write={rate}
      />
      <StatCard
        {...shared}
        name={t('server.stats.players')}
        value={mostOf('players_most', whole)}
        aside={meanOf('players', tenths)}
        columns={[columns.of('players'), columns.of('players_most')]}
        colours={['moss', 'moss']}
        limit={4}
        scale="whole"
        write={(value) => (Number.isInteger(value) ? whole(value) : tenths(value))}
        marks={all}
      />
      <Legend history={history} tellsTicks={leastTicks !== null} />
    </section>
  )
}

const kindsOfGame = ['start', 'stop', 'crash'] as const

/** All marks, and those that every graph shows: of the game itself. */
function readMarks({ marks: told }: StatsHistory): { all: Mark[]; marks: Mark[] } {
  const all = told.map((mark) => ({ ...mark, at: Date.parse(mark.at) / 1000 }))
  return { all, marks: all.filter((mark) => !isOfPlayer(mark)) }
}

/** In place of empty graphs. */
function NothingRecorded({ history: { slept_seconds: seconds } }: { history: StatsHistory }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <p className={classes.off}>
      {t('server.stats.nothingYet')}
      {seconds >= 60 && ` ${t('server.stats.slept', { duration: format.duration(seconds) })}.`}
    </p>
  )
}

/** What bands, dashes, marks and holes mean, with how long it slept in all. */
function Legend({ history, tellsTicks }: { history: StatsHistory; tellsTicks: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { slept_seconds: seconds, marks } = history
  const count = (kind: HistoryMarkKind) => marks.filter((mark) => mark.kind === kind).length
  return (
    <ul className={classes.legend}>
      {kindsOfGame
        .filter((kind) => count(kind) > 0)
        .map((kind) => (
          <li key={kind}>
            <span className={classes.mark} data-kind={kind} aria-hidden />
            {t(`server.stats.marks.${kind}`, { count: count(kind) })}
          </li>
        ))}
      {marks.some(isOfPlayer) && (
        <li>
          <span className={classes.comings} aria-hidden />
          {t('server.stats.marks.players')}
        </li>
      )}
      <li>
        <span className={classes.sleepMark} aria-hidden />
        {seconds < 60 ? t('server.stats.sleptNever') : t('server.stats.slept', { duration: format.duration(seconds) })}
      </li>
      <li>
        <span className={classes.dashMark} aria-hidden />
        {t('server.stats.dashes')}
      </li>
      <li>{t('server.stats.holes')}</li>
      {!tellsTicks && <li>{t('server.stats.notReported', { figure: t('server.stats.tps') })}</li>}
    </ul>
  )
}
