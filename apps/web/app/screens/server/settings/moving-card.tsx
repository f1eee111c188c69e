import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isOver } from '@wakestone/contract/servers/operations'
import type { Server } from '@wakestone/contract/servers/server'
import { MoveDialog, openTargets } from '#app/features/servers/moving/move-dialog.tsx'
import { movingQuery, useDeclineMove, useMove } from '#app/features/servers/moving/moving-queries.ts'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import type { Migration } from '@wakestone/contract/servers/migration'
import classes from './settings.module.css'

/** Where a server runs, where it can move to, and what an administrator asks of its owner. Nothing where there is only one cluster. */
export function MovingCard({ server }: { server: Server }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(movingQuery(server.id))
  // Most have only one cluster: a placeholder would come and go.
  if (data === undefined ? error === null : data.targets.length === 0) return null
  return (
    <Card title={t('moving.card')}>
      {data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Known server={server} moving={data} />
      )}
    </Card>
  )
}

function Known({ server, moving }: { server: Server; moving: Migration }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAsking, setAsking] = useState(false)
  const { data: operations } = useQuery(operationsQuery(server.id))
  const isBusy = operations?.some(({ state }) => !isOver(state)) === true
  const { last, request } = moving
  const [move, decline] = [useMove(server.id), useDeclineMove(server.id)]
  return (
    <>
      <p className={classes['text']}>{t('moving.where', { cluster: moving.cluster_name })}</p>
      <p className={classes['text']}>{t('moving.text')}</p>
      {last !== null && (
        <p className={classes['text']}>
          {t('moving.last', { from: last.from, to: last.to, date: format.dateTime(last.moved_at) })}
          {last.down_seconds !== null &&
            last.expected_seconds !== null &&
            ` · ${t('moving.lastDown', {
              time: format.duration(Math.round(last.down_seconds)),
              expected: format.duration(Math.round(last.expected_seconds)),
            })}`}
        </p>
      )}
      <Asked moving={moving} />
      {(move.error ?? decline.error) !== null && <ErrorNote error={move.error ?? decline.error} />}
      <div className={classes['actions']}>
        {request !== null && (
          <>
            <Button
              look="primary"
              why={isBusy ? t('moving.busy') : undefined}
              loading={move.isPending}
              onClick={() => move.mutate({ cluster_id: request.cluster_id })}
            >
              {t('moving.accept', { cluster: request.cluster_name })}
            </Button>
            <Button loading={decline.isPending} onClick={() => decline.mutate()}>
              {t('moving.decline')}
            </Button>
          </>
        )}
        <Button why={isBusy ? t('moving.busy') : whyNot(moving, t)} onClick={() => setAsking(true)}>
          {t('adminServers.migrate')}
        </Button>
      </div>
      <MoveDialog server={server} moving={moving} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/** What stands in the way where it can go nowhere. */
function whyNot(moving: Migration, t: ReturnType<typeof useTranslation>['t']): string | undefined {
  if (openTargets(moving.targets, false).length > 0) return undefined
  const obstacle = moving.targets[0]?.obstacle
  return obstacle == null ? t('moving.noTargets') : t('moving.none', { why: t(`moving.why.${obstacle}`) })
}

/** What an administrator asks for, and for how long that keeps players out. */
function Asked({ moving: { request, targets } }: { moving: Migration }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (request === null) return null
  const { cluster_id, cluster_name: cluster, reason } = request
  const down = targets.find(({ id }) => id === cluster_id)?.down_seconds ?? null
  return (
    <p className={classes['text']}>
      {t('moving.asked', { cluster, reason })}{' '}
      {down === null ? t('moving.notUp') : t('moving.down', { time: format.duration(down) })}
    </p>
  )
}
