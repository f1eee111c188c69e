import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { canPowerServer } from '@wakestone/contract/capabilities'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState, powerActionsByState } from '@wakestone/contract/states'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { PlayersDialog } from '#app/features/power/players-dialog.tsx'
import { powerRefusal } from '#app/features/power/power-refusal.ts'
import { usePower } from '#app/features/power/use-power.ts'
import { EngineMark } from '#app/features/servers/engine-mark.tsx'
import { engineName, planName, serverPath } from '#app/features/servers/server-names.ts'
import { shownState } from '#app/features/servers/shown-state.ts'
import { describeTimeLeft, keptUntil } from '#app/features/servers/time-left.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Address } from '#app/ui/address.tsx'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import classes from './servers.module.css'
import { Sparkline } from './sparkline.tsx'

/** One server of the list: what it does, where to join, who is on, how long it is paid for, and Start, Stop or Renew. */
export function ServerRow({
  server,
  playersOfDay,
}: {
  server: Server
  /** In each of the last hours; undefined: not known yet. */
  playersOfDay: readonly (number | null)[] | undefined
}) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const power = usePower(server.id)
  const state = panelState(server.status)
  const { online, max } = server.status.players
  // An expired server can only be renewed.
  const canRenew = state === 'expired' && server.owner_id === user.id && !server.testing
  const shown = shownState(server)
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <NamePixels name={server.id} size={36} />
        <div className={classes.words}>
          <Link to={serverPath(server)} className={classes.name}>
            {server.name}
          </Link>
          <div className={classes.stateLine}>
            <StateBadge state={shown} size="small" />
            <span className={classes.engine}>
              <EngineMark engine={server.parameters.engine} />
              {engineName(server.parameters.engine)} {server.parameters.engine_version}
            </span>
          </div>
          {server.owner_id !== user.id && (
            <span className={classes.shared}>{t('sharing.sharedBy', { name: server.owner_name })}</span>
          )}
        </div>
      </div>
      <div className={classes.address}>
        <Address address={server.address} oneLine />
      </div>
      <div className={classes.players}>
        <div className={classes.fact}>
          <span className={classes.label}>{t('servers.players')}</span>
          <span className="tabular">{max === null ? online : t('servers.playersOf', { online, max })}</span>
        </div>
        <Sparkline players={playersOfDay} />
      </div>
      <div className={classes.fact}>
        <span className={classes.label}>
          {planName(server.product_id)}
          {server.auto_renew && ` · ${t('servers.renews')}`}
        </span>
        <TimeLeftText server={server} />
      </div>
      <div className={classes.action}>
        {shown === 'withdrawn' ? (
          <LinkButton size="small" to={`${serverPath(server)}/files`}>
            {t('servers.files')}
          </LinkButton>
        ) : canRenew ? (
          <LinkButton size="small" to={`${serverPath(server)}/payments/renew`}>
            {t('server.plan.renew')}
          </LinkButton>
        ) : (
          <Power server={server} power={power} />
        )}
      </div>
      {power.isError && (
        <div className={classes.error}>
          <ErrorNote error={power.error} title={t('server.actionFailed')} />
        </div>
      )}
    </li>
  )
}

/** Start where it can be started; Stop where it is up, which asks first while somebody plays. */
function Power({ server, power }: { server: Server; power: ReturnType<typeof usePower> }) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const [isAsked, setAsked] = useState(false)
  const { name, status } = server
  const state = panelState(status)
  const action = (['start', 'stop'] as const).find((one) => powerActionsByState[state].includes(one))
  if (action === undefined) return null
  const refusal = powerRefusal(action, state, canPowerServer(user.user_capabilities, server.user_capabilities))
  const players = status.players.online
  return (
    <>
      <Button
        size="small"
        icon={action === 'start' ? <IconPlayerPlayFilled /> : <IconPlayerStopFilled />}
        aria-label={t(`servers.${action}Server`, { name })}
        why={refusal === null ? undefined : t(`server.because.${refusal}`)}
        loading={power.isPending}
        onClick={() => (action === 'stop' && players > 0 ? setAsked(true) : power.mutate({ action }))}
      >
        {t(`server.${action}`)}
      </Button>
      <PlayersDialog
        action={isAsked ? 'stop' : null}
        name={name}
        players={players}
        onClose={() => setAsked(false)}
        onConfirm={(inSeconds) => power.mutateAsync({ action: 'stop', inSeconds })}
      />
    </>
  )
}

function TimeLeftText({ server }: { server: Server }) {
  const { t } = useTranslation()
  const left = describeTimeLeft(server.created_at, server.expires, Date.now())
  if (left.kind === 'never' || server.expires === null) return <span>{t('servers.never')}</span>
  if (left.kind === 'expired' && server.withdrawn_at !== null)
    return (
      <span>
        {t('servers.keptUntil')} <DateTime value={keptUntil(server, server.expires).toISOString()} dateOnly />
      </span>
    )
  if (left.kind === 'expired') return <span className={classes.low}>{t('servers.expired')}</span>
  // Its owner has it end: the day says more than how many are left.
  if (server.cancel_at_end)
    return (
      <span className={classes.low}>
        {t('servers.ends')} <DateTime value={server.expires} dateOnly />
      </span>
    )
  // Close to the end the days count; before, the date does.
  if (left.days === 0) return <span className={classes.low}>{t('servers.lessThanDay')}</span>
  if (left.days <= 7)
    return (
      <span className={left.days <= 3 ? classes.low : undefined}>{t('servers.renewHint', { count: left.days })}</span>
    )
  return (
    <span>
      {t('servers.until')} <DateTime value={server.expires} dateOnly />
    </span>
  )
}

/** A row before its server is known. */
export function ServerRowSkeleton() {
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <Skeleton width={36} height={36} />
        <Skeleton width={190} height={40} />
      </div>
      <div className={classes.address}>
        <Skeleton width={190} height={16} />
      </div>
      <div className={classes.fact}>
        <Skeleton width={70} height={34} />
      </div>
      <div className={classes.fact}>
        <Skeleton width={120} height={34} />
      </div>
      <div className={classes.action} />
    </li>
  )
}
