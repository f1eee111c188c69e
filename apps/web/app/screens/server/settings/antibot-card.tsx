import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Antibot, type AntibotMode, type AntibotReason, antibotReasons } from '@wakestone/contract/servers/antibot'
import { changeAntibot, getAntibot } from '@wakestone/contract/servers/antibot-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useMemo, useState } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { antibotQuery } from '#app/features/servers/antibot-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './antibot-card.module.css'

/** The day in pieces of ten minutes: a point for each minute could not be told apart. */
const STEP_SECONDS = 600
const STEPS = 144
const modes: readonly AntibotMode[] = ['automatic', 'on', 'off']

/** How bots are kept out, whether they attack now, and what came of joins in the last day. */
export function AntibotCard({ server }: { server: Server }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(antibotQuery(server.id))
  return (
    <Card title={t('antibot.title')} id="antibot">
      <p className={classes['text']}>{t('antibot.text')}</p>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={420} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className={classes['parts']}>
          <Mode server={server} mode={data.mode} />
          <AttackState antibot={data} />
          <Day antibot={data} />
          <Reasons antibot={data} />
        </div>
      )}
    </Card>
  )
}

function Mode({ server, mode }: { server: Server; mode: AntibotMode }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [wanted, setWanted] = useState<AntibotMode | null>(null)
  const [isDone, setDone] = useState(false)
  const shown = wanted ?? mode
  async function choose(value: AntibotMode) {
    setWanted(value)
    setDone(false)
    try {
      await api(changeAntibot, { params: { id: server.id }, body: { mode: value } })
      await makeStale(queries, answersOf(getAntibot, { id: server.id }))
      setDone(true)
    } catch (error) {
      showErrorToast(error)
    }
    setWanted(null)
  }
  return (
    <div>
      <Segmented
        label={t('antibot.title')}
        options={modes.map((value) => ({ value, label: t(`antibot.mode.${value}`), disabled: wanted !== null }))}
        value={shown}
        onChange={(value) => void choose(value)}
      />
      <p className={classes['hint']}>
        {t(`antibot.modeText.${shown}`)}{' '}
        {server.parameters.game === 'minecraft-bedrock' && shown !== 'off' && t('antibot.bedrock')}
      </p>
      <p aria-live="polite" className={classes['done']} hidden={!isDone}>
        {isDone && t('antibot.saved')}
      </p>
    </div>
  )
}

function AttackState({ antibot: { attacks } }: { antibot: Antibot }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [latest] = attacks
  if (latest?.until === null)
    return (
      <div className={classes['state']} role="status">
        <Badge colour="ember" shape="pulse">
          {t('antibot.attacked')}
        </Badge>
        <span>
          <DateTime value={latest.since} />, {t('antibot.attackedCount', { count: latest.turned_away })}
        </span>
      </div>
    )
  return (
    <div className={classes['state']} role="status">
      <Badge colour="moss" shape="ring">
        {t('antibot.quiet')}
      </Badge>
      {latest !== undefined && (
        <span>
          {t('antibot.last')}: <DateTime value={latest.since} />,{' '}
          {t('antibot.lastText', {
            count: latest.turned_away,
            duration: format.duration(
              Math.max(1, Math.round((Date.parse(latest.until) - Date.parse(latest.since)) / 1000)),
            ),
          })}
        </span>
      )}
    </div>
  )
}

function Day({ antibot: { points } }: { antibot: Antibot }) {
  const { t } = useTranslation()
  const format = useFormat()
  const day = useMemo(() => inSteps(points), [points])
  const write = useMemo(() => (count: number) => (Number.isInteger(count) ? format.number(count) : ''), [format])
  return (
    <Chart
      label={t('antibot.chart')}
      times={points.length === 0 ? [] : day.times}
      series={[
        { name: t('antibot.joins'), colour: 'moss', values: day.joins },
        { name: t('antibot.verified'), colour: 'dusk', values: day.verified },
        { name: t('antibot.turnedAway'), colour: 'ember', values: day.turnedAway },
      ]}
      write={write}
      emptyText={t('antibot.empty')}
      height={180}
    />
  )
}

/** Steps until the present one, with what came in each. */
function inSteps(points: Antibot['points'], now = Date.now()) {
  const last = Math.floor(now / 1000 / STEP_SECONDS)
  const times = Array.from({ length: STEPS }, (_, index) => (last - STEPS + 1 + index) * STEP_SECONDS)
  const sums = { joins: times.map(() => 0), verified: times.map(() => 0), turnedAway: times.map(() => 0) }
  for (const { at, joins, verified, turned_away } of points) {
    const step = Math.floor(Date.parse(at) / 1000 / STEP_SECONDS) - last + STEPS - 1
    if (sums.joins[step] === undefined) continue
    sums.joins[step] += joins
    sums.verified[step]! += verified
    sums.turnedAway[step]! += turned_away
  }
  return { times, ...sums }
}

function Reasons({ antibot: { reasons, latest } }: { antibot: Antibot }) {
  const { t } = useTranslation()
  const format = useFormat()
  const listed = antibotReasons.filter((reason) => (reasons[reason] ?? 0) > 0)
  if (listed.length === 0) return <p className={classes['hint']}>{t('antibot.none')}</p>
  const words = (told: Partial<Record<AntibotReason, number>>) =>
    antibotReasons
      .filter((reason) => (told[reason] ?? 0) > 0)
      .map((reason) => `${t(`antibot.reasons.${reason}`)}: ${format.number(told[reason] ?? 0)}`)
  return (
    <section className={classes['reasons']}>
      <h3>{t('antibot.reasonsTitle')}</h3>
      <dl>
        {listed.map((reason) => (
          <div key={reason}>
            <dt>{t(`antibot.reasons.${reason}`)}</dt>
            <dd className="tabular">{format.number(reasons[reason] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t('antibot.latest')}</h3>
      <ul>
        {latest.slice(0, 5).map(({ at, reasons: told }) => (
          <li key={at}>
            <DateTime value={at} /> <span>{words(told).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
