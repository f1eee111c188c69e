/** What somebody sees who waits, and when it is their turn. */
import type { FreePlay } from '@wakestone/contract/servers/free-play'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import classes from './free-play.module.css'
import type { useFreePlayActions } from './use-free-play-actions.ts'
import { stopwatch } from './use-server-clock.ts'

type Part = { play: FreePlay; now: number | null; actions: ReturnType<typeof useFreePlayActions> }

/** The name of the tab says it too, for whoever looks at another one. */
function useTabTitle(isTurn: boolean, write: (title: string) => string) {
  useEffect(() => {
    if (!isTurn) return undefined
    const before = document.title
    document.title = write(before)
    return () => {
      document.title = before
    }
    // oxlint-disable-next-line react/exhaustive-deps -- written once per turn
  }, [isTurn])
}

/** Position, estimate, and what happens next. */
export function Waiting({ play: { queue, server_id, rules }, now, actions }: Part) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { position = 1, waiting = 1, expected = null } = queue ?? {}
  const seconds = expected === null || now === null ? null : (Date.parse(expected) - now) / 1000
  return (
    <>
      <p className={classes['big']} role="status">
        {position === 1 ? t('freePlay.next') : t('freePlay.position', { position: format.number(position) })}
      </p>
      <p>
        {expected === null
          ? t('freePlay.expectedUnknown')
          : seconds !== null && seconds < 60
            ? t('freePlay.expectedSoon')
            : t('freePlay.expected', {
                duration: format.duration(Math.ceil((seconds ?? 0) / 60) * 60),
                time: format.time(expected),
              })}{' '}
        {waiting > 1 && t('freePlay.waitingNow', { count: waiting })}
      </p>
      <h3>{t('freePlay.nextTitle')}</h3>
      <ol className={classes['steps']}>
        <li>
          {t('freePlay.stepTold')} <Link to={path('/account/settings/notifications')}>{t('freePlay.push')}</Link>
        </li>
        <li>{t('freePlay.stepConfirm', { duration: format.duration(rules.confirm) })}</li>
        <li>
          {t(server_id === null ? 'freePlay.stepRent' : 'freePlay.stepStart', {
            duration: format.duration(rules.session),
          })}
        </li>
      </ol>
      <div className={classes['actions']}>
        <Button loading={actions.isPending} onClick={() => actions.mutate({ act: 'leave' })}>
          {t('freePlay.leave')}
        </Button>
      </div>
    </>
  )
}

/** The place is theirs for as long as the clock runs. */
export function Offered({ play, now, actions }: Part) {
  const { t } = useTranslation()
  useTabTitle(true, (title) => t('freePlay.tabTitle', { title }))
  const left = play.until === null || now === null ? null : Date.parse(play.until) - now
  const pending = actions.isPending ? actions.variables.act : null
  return (
    <>
      <p className={classes['big']} role="status">
        {t('freePlay.offeredTitle')}
      </p>
      <p>
        {t('freePlay.offered')}{' '}
        {left !== null && (
          <strong role="timer" className={classes['clock']}>
            {t('freePlay.countdown', { time: stopwatch(left) })}
          </strong>
        )}
      </p>
      {left !== null && (
        <div className={classes['track']} aria-hidden>
          <div style={{ width: `${Math.min(100, Math.max(0, left / 10 / play.rules.confirm))}%` }} />
        </div>
      )}
      <div className={classes['actions']}>
        <Button
          look="primary"
          size="large"
          loading={pending === 'confirm'}
          onClick={() => actions.mutate({ act: 'confirm' })}
        >
          {t(play.server_id === null ? 'freePlay.takeOnly' : 'freePlay.take')}
        </Button>
        <Button
          look="quiet"
          size="large"
          loading={pending === 'leave'}
          onClick={() => actions.mutate({ act: 'leave' })}
        >
          {t('freePlay.letGo')}
        </Button>
      </div>
    </>
  )
}

/** It was taken, and waits for a server. */
export function Reserved({ play, actions }: Part) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  return (
    <>
      <p className={classes['big']} role="status">
        {t('freePlay.reservedTitle')}
      </p>
      <p>{play.until !== null && t('freePlay.reserved', { time: format.time(play.until) })}</p>
      <div className={classes['actions']}>
        <LinkButton look="primary" to={path('/create?product=FREE')}>
          {t('freePlay.create')}
        </LinkButton>
        <Button look="quiet" loading={actions.isPending} onClick={() => actions.mutate({ act: 'leave' })}>
          {t('freePlay.letGo')}
        </Button>
      </div>
    </>
  )
}
