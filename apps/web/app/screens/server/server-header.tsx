import { useMutationState } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Countdown } from '#app/features/power/countdown.tsx'
import { PowerControls } from '#app/features/power/power-controls.tsx'
import { isGameUp } from '#app/features/power/power-refusal.ts'
import { powerMutationKey, type PowerWish, usePower } from '#app/features/power/use-power.ts'
import { shownState } from '#app/features/servers/shown-state.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { HelpLink } from '#app/ui/help-link.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { StateBadge } from '#app/ui/state-badge.tsx'
import type { PowerAction } from '@wakestone/contract/states'
import classes from './server.module.css'
import type { ServerPage } from './use-server-page.ts'

/** Time that has passed; empty while rendered on the server. */
function useElapsed(since: string | null): string | null {
  const format = useFormat()
  const now = useNow()
  if (since === null || now === null) return null
  return format.duration((now - new Date(since).getTime()) / 1000)
}

/** All that keeps a server awake, or when it falls asleep. */
function AwakeBecause({ status: { level }, state }: Pick<ServerPage, 'status' | 'state'>) {
  const { t } = useTranslation()
  const format = useFormat()
  if ((state !== 'idle' && state !== 'running') || level === null) return null
  const { until, causes } = level
  const kept = causes.flatMap((cause) =>
    cause === 'player' || cause === 'console' || cause === 'operation' || cause === 'schedule'
      ? t(`server.awake.cause.${cause}`)
      : [],
  )
  const told = [
    ...(kept.length > 0 ? [t('server.awake.because', { causes: kept.join(', ') })] : []),
    ...(until !== null && causes.includes('ping') ? [t('server.awake.until', { time: format.time(until) })] : []),
    ...(until !== null && causes.includes('empty') ? [t('server.awake.sleepsAt', { time: format.time(until) })] : []),
  ]
  return told.length === 0 ? null : <span className={classes.since}>{told.join(' · ')}</span>
}

/** Name, state, address and what can be done: the top of the server's page. */
export function ServerHeader({ server, status, state, canPower }: ServerPage) {
  const { t } = useTranslation()
  const format = useFormat()
  const power = usePower(server.id)
  const [pending] = useMutationState<PowerAction>({
    filters: { mutationKey: powerMutationKey(server.id), status: 'pending' },
    select: (mutation) => (mutation.state.variables as PowerWish).action,
  })
  const bedrock = server.cluster_ports.find(({ name }) => name === 'minecraft-bedrock')
  const isUp = isGameUp(state)
  const elapsed = useElapsed(isUp ? status.launched : null)
  return (
    <header className={classes.header}>
      <div className={classes.identity}>
        <div className={classes.nameLine}>
          <h1>{server.name}</h1>
          <span aria-live="polite">
            <StateBadge state={shownState(server, state)} />
          </span>
          <HelpLink />
          {elapsed !== null && <span className={classes.since}>{t('server.for', { duration: elapsed })}</span>}
          <AwakeBecause status={status} state={state} />
          {!isUp && status.terminated !== null && state !== 'preparing' && state !== 'sleeping' && (
            <span className={classes.since}>{t('server.offSince', { date: format.dateTime(status.terminated) })}</span>
          )}
        </div>
        {bedrock === undefined ? (
          <Address address={server.address} size="large" />
        ) : (
          // The game asks for both apart.
          <div className={classes.bedrock}>
            <Address address={server.address.split(':')[0] ?? ''} size="large" />
            <span className={classes.since}>{t('server.bedrockPort')}</span>
            <Address address={String(bedrock.port)} kind="port" size="large" />
          </div>
        )}
      </div>
      <PowerControls
        name={server.name}
        state={state}
        isWithdrawn={server.withdrawn_at !== null}
        canPower={canPower}
        players={status.players.online}
        pending={pending ?? null}
        onAction={power.mutateAsync}
      />
      <Countdown serverId={server.id} canPower={canPower} />
      {power.isError && (
        <div className={classes.wide}>
          <ErrorNote error={power.error} title={t('server.actionFailed')} />
        </div>
      )}
    </header>
  )
}
