/** How long a free server may still be up, and how much of the day is left. */
import { useQuery } from '@tanstack/react-query'
import type { FreePlay } from '@wakestone/contract/servers/free-play'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { queryOf } from '#app/api/query-of.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import classes from './free-play.module.css'
import type { useFreePlayActions } from './use-free-play-actions.ts'

type Part = { play: FreePlay; now: number | null; actions: ReturnType<typeof useFreePlayActions> }

const soonSeconds = 10 * 60
const hourSeconds = 3600

/** Whole minutes, as long as there are some. */
const calmly = (seconds: number) => (seconds < 60 ? Math.max(0, seconds) : Math.floor(seconds / 60) * 60)

/** The rest of a session. */
export function Playing({
  play: { session, server_id, day, rules },
  now,
  actions,
  canPower,
  isUp,
}: Part & { canPower: boolean; isUp: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (session === null || server_id === null) return null
  const left = now === null ? null : (Date.parse(session.ends_at) - now) / 1000
  const { ends_at: endsAt, started_at: startedAt, obstacle } = session
  // The whole session may still be ahead; an hour fits in once one is over.
  const opens = Date.parse(endsAt) - (rules.session - hourSeconds) * 1000
  return (
    <div className={classes['line']}>
      <div>
        {startedAt === null ? (
          // The clock is started a moment after the game is up.
          <p>{t(isUp ? 'freePlay.beginning' : 'freePlay.starting')}</p>
        ) : (
          <>
            <p className={classes['big']} data-soon={left !== null && left < soonSeconds ? true : undefined}>
              {left === null ? ' ' : t('freePlay.left', { duration: format.duration(calmly(left)) })}
            </p>
            <p>
              {t('freePlay.until', { time: format.time(endsAt) })}{' '}
              {obstacle === 'too_early' && t('freePlay.tooEarly', { time: format.time(opens) })}
              {obstacle === 'used_up' && t('freePlay.lastToday', { time: format.time(day.ends) })}
            </p>
          </>
        )}
      </div>
      {startedAt !== null && canPower && obstacle === null && (
        <Button
          loading={actions.isPending && actions.variables.act === 'extend'}
          onClick={() => actions.mutate({ act: 'extend', serverId: server_id })}
        >
          {t('freePlay.extend')}
        </Button>
      )}
    </div>
  )
}

/** What was played today, and hours from invitations once nothing of it is left. */
export function Day({ play: { day }, actions, isOwner }: Part & { isOwner: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useSignedInUser()
  const isUsedUp = day.limit - day.used < 60
  const { data: referrals } = useQuery({
    ...queryOf(getReferrals, { params: { id } }),
    enabled: isOwner && day.limit - day.used < hourSeconds,
  })
  const hours = referrals?.hours ?? 0
  return (
    <div className={classes['day']}>
      <p>
        {t('freePlay.today', {
          used: format.duration(calmly(day.used)),
          limit: format.duration(day.limit),
        })}
      </p>
      <div className={classes['track']} aria-hidden>
        <div data-low={isUsedUp || undefined} style={{ width: `${Math.min(100, (day.used / day.limit) * 100)}%` }} />
      </div>
      {isUsedUp && <p>{t('freePlay.usedUp', { time: format.time(day.ends) })}</p>}
      {hours > 0 && (
        <div className={classes['actions']}>
          <Button
            loading={actions.isPending && actions.variables.act === 'bonus'}
            onClick={() => actions.mutate({ act: 'bonus' })}
          >
            {t('freePlay.bonus', { count: hours })}
          </Button>
          <span>{t('freePlay.bonusText')}</span>
        </div>
      )}
    </div>
  )
}
