import { useQuery } from '@tanstack/react-query'
import type { PlayerSession } from '@wakestone/contract/servers/players'
import { playerHistorySpans } from '@wakestone/contract/servers/players'
import { useCallback, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, useTimeZone } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './players.module.css'
import { playerHistoryQuery } from './players-queries.ts'

/** How many came, hour by hour or day by day, and who came last. */
export function HistoryTab({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useTimeZone()
  const [span, setSpan] = useState<(typeof playerHistorySpans)[number]>('day')
  const { data, error, refetch } = useQuery(playerHistoryQuery(serverId, span, zone))
  // People come whole: marks between two numbers stay empty.
  const write = useCallback((count: number) => (Number.isInteger(count) ? format.number(count) : ''), [format])
  return (
    <div className={classes['cards']}>
      <Segmented
        label={t('players.span')}
        options={playerHistorySpans.map((value) => ({ value, label: t(`players.spans.${value}`) }))}
        value={span}
        onChange={setSpan}
      />
      {data === undefined ? (
        error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Card>
            <Chart
              label={t(`players.chart.${span}`)}
              times={data.points.map(({ at }) => timeOf(at, span, zone))}
              series={[
                { name: t('players.joins'), colour: 'moss', values: data.points.map(({ joins }) => joins) },
                { name: t('players.peopleCount'), colour: 'dusk', values: data.points.map(({ players }) => players) },
              ]}
              write={write}
              daily={span === 'month'}
              emptyText={t('players.emptyTitle')}
            />
          </Card>
          <Card title={t('players.latest')}>
            <Sessions sessions={data.sessions} />
          </Card>
        </>
      )}
    </div>
  )
}

/** A chart of days takes them as midnights of UTC. */
function timeOf(at: string, span: 'day' | 'month', zone: string): number {
  if (span === 'day') return Date.parse(at) / 1000
  return Date.parse(`${new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(at))}T00:00:00Z`) / 1000
}

export function Sessions({ sessions }: { sessions: readonly PlayerSession[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (sessions.length === 0) return <p className={classes['muted']}>{t('players.noSessions')}</p>
  return (
    <ul className={classes['list']}>
      {sessions.map(({ name, joined_at, left_at }) => (
        <li key={`${name} ${joined_at}`} className={classes['entry']}>
          <div className={classes['words']}>
            <b>{name}</b>
            <span className={classes['muted']}>
              <DateTime value={joined_at} />
            </span>
          </div>
          <span className="tabular">
            {left_at === null
              ? t('players.onNow')
              : format.duration(Math.max(0, (Date.parse(left_at) - Date.parse(joined_at)) / 1000))}
          </span>
        </li>
      ))}
    </ul>
  )
}
