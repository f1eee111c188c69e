import { useQuery, useQueryClient } from '@tanstack/react-query'
import { canManagePlayers } from '@wakestone/contract/capabilities'
import { forgetPlayer } from '@wakestone/contract/servers/players-routes'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { PartDialog } from '../backups/part-dialog.tsx'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { Sessions } from './history-tab.tsx'
import { Inventory } from './inventory.tsx'
import classes from './players.module.css'
import { playerQuery, playersChanged, playersQuery } from './players-queries.ts'
import { VitalsForm } from './vitals-form.tsx'

/** `/s/{identity}/players/{id}`: where a player is, what they carry, when they were here. */
export default function ServerPlayer() {
  const { t } = useTranslation()
  const { playerId = '' } = useParams()
  const { server, identity, status, canManage } = useServerPage()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isForgetting, setForgetting] = useState(false)
  const [isReturning, setReturning] = useState(false)
  const canAct = canManagePlayers(user.user_capabilities, server.user_capabilities)
  const players = useQuery(playersQuery(server.id))
  const { data, error, refetch } = useQuery({ ...playerQuery(server.id, playerId), enabled: canAct })
  const name = players.data?.known.find(({ id }) => id === playerId)?.name ?? null
  const title = name ?? playerId
  const isRunning = status.game_status === 'IRL_RUNNING' || status.game_status === 'IRL_IDLE'
  const isDown = status.game_status !== 'IRL_LIGHT_SLEEP' && !isRunning
  const whyNot = isRunning ? t('players.because.running') : undefined
  const whyKept = !canManage ? t('players.because.rights') : isDown ? undefined : t('players.because.forgetRunning')
  return (
    <>
      <PageMeta page="serverPlayers" title={`${title} · ${server.name}`} />
      <p className={classes['back']}>
        <Link to={`/s/${identity}/players`}>{t('players.back')}</Link>
      </p>
      <PageHeader
        title={title}
        text={name === null ? '' : playerId}
        actions={
          canAct && (
            <div className={classes['actions']}>
              <Button why={canManage ? undefined : t('players.because.rights')} onClick={() => setReturning(true)}>
                {t('players.fromBackup')}
              </Button>
              <Button look="danger" why={whyKept} onClick={() => setForgetting(true)}>
                {t('players.forget')}
              </Button>
            </div>
          )
        }
      />
      {!canAct ? (
        <ManagersOnly server={server} identity={identity} />
      ) : data === undefined ? (
        error === null ? (
          <Skeleton height={420} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className={classes['cards']}>
          {data.data === null ? (
            <Card>
              <EmptyState title={t('players.noDataTitle')} text={t('players.noDataText')} figure="none" />
            </Card>
          ) : (
            <>
              <VitalsForm
                key={data.data.revision}
                serverId={server.id}
                playerId={playerId}
                data={data.data}
                why={whyNot}
              />
              <Inventory serverId={server.id} playerId={playerId} data={data.data} why={whyNot} />
            </>
          )}
          <Card title={t('players.latest')}>
            <Sessions sessions={data.sessions} />
          </Card>
        </div>
      )}
      {isReturning && (
        <PartDialog part={{ kind: 'player', id: playerId, name: title }} onClose={() => setReturning(false)} />
      )}
      <ConfirmByTyping
        opened={isForgetting}
        onClose={() => setForgetting(false)}
        title={t('players.forgetTitle', { name: title })}
        text={t('players.forgetText')}
        name={title}
        action={t('players.forget')}
        onConfirm={async () => {
          await api(forgetPlayer, { params: { id: server.id }, body: { id: playerId, name } })
          await playersChanged(queries, server.id)
          void navigate(`/s/${identity}/players`)
        }}
      />
    </>
  )
}
