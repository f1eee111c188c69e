import type { ServerStatus } from '@wakestone/contract/servers/server'
import type { PanelState } from '@wakestone/contract/states'
import { listServerLevels } from '@wakestone/contract/servers/servers-routes'
import { useQuery } from '@tanstack/react-query'
import { IconMoonStars } from '@tabler/icons-react'
import { queryOf } from '#app/api/query-of.ts'
import { sleptSeconds } from '#app/features/servers/slept.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { useNow } from '#app/ui/use-now.ts'
import classes from './server.module.css'

const daySeconds = 86_400

/** That the server sleeps, since when, and that a join wakes it; or how far it has woken up. */
export function SleepCard({
  serverId,
  status,
  state,
}: {
  serverId: string
  status: ServerStatus
  state: Extract<PanelState, 'sleeping' | 'waking'>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const seconds = status.game_status === 'IRL_LIGHT_SLEEP' ? 1 : status.start_seconds
  const since = status.level?.since ?? null
  const expected = seconds === null ? null : format.duration(Math.max(1, Math.ceil(seconds)))
  if (state === 'waking') {
    const passed = since === null || now === null ? 0 : (now - Date.parse(since)) / 1000
    return (
      <section className={classes.sleep} aria-labelledby="sleep-title">
        <IconMoonStars size={20} aria-hidden />
        <div>
          <h2 id="sleep-title">{t('server.sleep.waking')}</h2>
          <OperationProgress
            label={
              expected === null ? t('server.sleep.wakingUnknown') : t('server.sleep.wakingIn', { duration: expected })
            }
            detail={null}
            progress={seconds === null ? null : Math.min(0.95, passed / seconds)}
          />
        </div>
      </section>
    )
  }
  const depth =
    status.game_status === 'IRL_LIGHT_SLEEP' ? 'light' : status.game_status === 'IRL_DEEP_SLEEP' ? 'deep' : 'hibernated'
  return (
    <section className={classes.sleep} aria-labelledby="sleep-title">
      <IconMoonStars size={20} aria-hidden />
      <div>
        <h2 id="sleep-title">{t('server.sleep.title')}</h2>
        <p>
          {t(`server.sleep.${depth}`)} {expected !== null && t('server.sleep.wakesIn', { duration: expected })}
        </p>
        <p className={classes.muted}>
          {since !== null && t('server.sleep.since', { date: format.dateTime(since) })} <Slept serverId={serverId} />
        </p>
      </div>
    </section>
  )
}

/** How much of the last day it slept, and what that leaves to others, as far as it was measured. */
function Slept({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const { data } = useQuery(queryOf(listServerLevels, { params: { id: serverId }, query: {} }, { staleTime: 60_000 }))
  if (data === undefined || now === null) return null
  const slept = sleptSeconds(data, { from: now - daySeconds * 1000, to: now })
  if (slept < 60) return null
  const share = format.percent(Math.max(0.01, Math.round((slept / daySeconds) * 100) / 100))
  return (
    <>
      {t('server.sleep.slept', { duration: format.duration(slept) })} {t('server.sleep.share', { share })}{' '}
      <Saved freed={data.at(-1)?.freed ?? null} />
    </>
  )
}

/** What this sleep leaves to other servers. A frozen game keeps its memory where the machine cannot move it away. */
function Saved({ freed }: { freed: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (freed === null) return t('server.sleep.saved.processor')
  if (freed === 0) return t('server.sleep.saved.processorOnly')
  return t('server.sleep.saved.memory', { memory: format.bytes(freed) })
}
