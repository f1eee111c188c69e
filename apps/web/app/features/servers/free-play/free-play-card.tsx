import { useQuery } from '@tanstack/react-query'
import type { FreePlay } from '@wakestone/contract/servers/free-play'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState } from '@wakestone/contract/states'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { freePlayQuery, freeSessionQuery } from './free-play-queries.ts'
import classes from './free-play.module.css'
import { Idle } from './idle.tsx'
import { Day, Playing } from './playing.tsx'
import { useFreePlayActions } from './use-free-play-actions.ts'
import { useServerClock } from './use-server-clock.ts'
import { Offered, Reserved, Waiting } from './waiting.tsx'

/** Seconds; less is not worth telling. */
const shownFrom = 60

type FreeServer = Pick<Server, 'id' | 'cluster_id' | 'owner_id' | 'status'>

/** Where somebody stands with their free server, or without one yet: its time, its turn, and what to do about it. */
export function FreePlayCard({
  server,
  canPower,
  title,
}: {
  server: FreeServer | null
  canPower: boolean
  title?: string
}) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const isOwner = server === null || server.owner_id === user.id
  const { data, error, dataUpdatedAt, refetch } = useQuery(
    isOwner || server === null ? freePlayQuery() : freeSessionQuery(server.id),
  )
  return (
    <Card title={title ?? t('freePlay.title')} className={data?.state === 'offered' ? classes['turn'] : undefined}>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={90} />
        ) : (
          <ErrorState error={error} title={t('freePlay.errorTitle')} onRetry={() => void refetch()} />
        )
      ) : (
        <Standing play={data} askedAt={dataUpdatedAt} server={server} isOwner={isOwner} canPower={canPower} />
      )}
    </Card>
  )
}

function Standing({
  play,
  askedAt,
  server,
  isOwner,
  canPower,
}: {
  play: FreePlay
  askedAt: number
  server: FreeServer | null
  isOwner: boolean
  canPower: boolean
}) {
  const actions = useFreePlayActions()
  const now = useServerClock({ now: play.now, askedAt })
  const part = { play, now, actions }
  const clusterId = server?.cluster_id ?? 'local'
  const state = server === null ? null : panelState(server.status)
  return (
    <div className={classes['body']}>
      {play.state === 'playing' ? (
        <Playing {...part} canPower={canPower} isUp={state === 'running' || state === 'idle'} />
      ) : !isOwner ? null : play.state === 'offered' ? (
        <Offered {...part} />
      ) : play.state === 'waiting' ? (
        <Waiting {...part} />
      ) : play.state === 'reserved' ? (
        <Reserved {...part} />
      ) : (
        <Idle clusterId={clusterId} hasServer={server !== null} now={now} actions={actions} />
      )}
      {actions.isError && <ErrorNote error={actions.error} />}
      {play.day.used >= shownFrom && <Day {...part} isOwner={isOwner} />}
    </div>
  )
}
