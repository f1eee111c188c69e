import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { AdminCluster } from '@wakestone/contract/admin/clusters'
import {
  beginEvacuationBody,
  type ClusterEvacuation,
  type EvacuatedServer,
  type Evacuation as EvacuationOf,
  type PlannedMove,
} from '@wakestone/contract/admin/evacuations'
import { ReasonInput } from '#app/features/admin/reason-input.tsx'
import {
  adminClustersQuery,
  evacuationQuery,
  isUnderWay,
  useBeginEvacuation,
  useChangeEvacuation,
} from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './clusters.module.css'

/** Rows that are shown; of a longer list the others are counted. */
const shown = 50

/** Moves all servers of a cluster elsewhere: what that would do, and how far it has come. */
export function Evacuation({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(evacuationQuery(cluster.id))
  return (
    <Card title={t('evacuation.card')}>
      <div className={classes['form']}>
        <p className={classes['text']}>{t('evacuation.text')}</p>
        {data !== undefined ? (
          <Known cluster={cluster} data={data} />
        ) : error === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </Card>
  )
}

function Known({ cluster, data: { evacuation, plan } }: { cluster: AdminCluster; data: ClusterEvacuation }) {
  const { t } = useTranslation()
  return (
    <>
      {evacuation !== null && <UnderWay cluster={cluster} evacuation={evacuation} />}
      {!isUnderWay(evacuation) && plan.length > 0 && <Plan cluster={cluster} plan={plan} again={evacuation !== null} />}
      {evacuation === null && plan.length === 0 && (
        <EmptyState figure="none" title={t('evacuation.none')} text={t('evacuation.noneText')} />
      )}
    </>
  )
}

/** Names of clusters, as far as they are known. */
function useClusterName(): (id: string) => string {
  const { data } = useQuery(adminClustersQuery())
  return (id) => data?.find((cluster) => cluster.id === id)?.name ?? id
}

function Plan({ cluster, plan, again }: { cluster: AdminCluster; plan: readonly PlannedMove[]; again: boolean }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const going = plan.filter(({ new_cluster }) => new_cluster !== null).length
  return (
    <>
      <p className={classes['text']}>
        {t('evacuation.goes', { count: going })}
        {going < plan.length && ` · ${t('evacuation.stays', { count: plan.length - going })}`}
      </p>
      <ul className={classes['machines']}>
        {plan.slice(0, shown).map((move) => (
          <PlannedRow key={move.server_id} move={move} />
        ))}
      </ul>
      <Rest count={plan.length - shown} />
      <div className={classes['actions']}>
        <Button
          look="danger"
          why={going === 0 ? t('evacuation.stays', { count: plan.length }) : undefined}
          onClick={() => setAsking(true)}
        >
          {t(again ? 'evacuation.again' : 'evacuation.begin')}
        </Button>
      </div>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('evacuation.beginTitle', { name: cluster.name })}
      >
        {isAsking && <BeginForm cluster={cluster} count={going} onClose={() => setAsking(false)} />}
      </Modal>
    </>
  )
}

function BeginForm({ cluster, count, onClose }: { cluster: AdminCluster; count: number; onClose: () => void }) {
  const { t } = useTranslation()
  const begin = useBeginEvacuation(cluster.id)
  const form = useZodForm(beginEvacuationBody, { reason: '' })
  const submit = form.submit(async (body) => {
    await begin.mutateAsync(body)
    onClose()
  })
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action={t('evacuation.begin')}
      busy={form.busy}
      failure={form.failure}
    >
      <p>{t('evacuation.goes', { count })}</p>
      <p>{t('evacuation.beginText')}</p>
      <ReasonInput description={t('evacuation.reasonHint')} {...form.field('reason')} />
    </DialogForm>
  )
}

const Rest = ({ count }: { count: number }) => {
  const { t } = useTranslation()
  return count > 0 ? <p className={classes['text']}>{t('evacuation.rest', { count })}</p> : null
}

function PlannedRow({ move }: { move: PlannedMove }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useClusterName()
  const { new_cluster, obstacle, expected_seconds, players } = move
  const facts = [
    move.owner_name,
    new_cluster === null
      ? t('evacuation.nowhere', { why: obstacle === null ? t('moving.noTargets') : t(`moving.why.${obstacle}`) })
      : t('evacuation.to', { cluster: nameOf(new_cluster) }),
    format.bytes(move.bytes),
    expected_seconds === null
      ? t('evacuation.notUp')
      : t('evacuation.down', { time: format.duration(Math.ceil(expected_seconds)) }),
    ...(players > 0 ? [t('evacuation.players', { count: players })] : []),
  ]
  return <Row server={move} facts={facts} />
}

function Row({
  server,
  facts,
  children,
}: {
  server: Pick<PlannedMove, 'server_id' | 'name'>
  facts: readonly string[]
  children?: ReactNode
}) {
  const path = usePath()
  return (
    <li>
      <div className={classes['who']}>
        <div className={classes['badges']}>
          <b>
            <Link to={path(`/admin/servers/${server.server_id}`)}>{server.name}</Link>
          </b>
          {children}
        </div>
        <span>{facts.join(' · ')}</span>
      </div>
    </li>
  )
}

const looks = {
  waiting: { colour: 'muted', shape: 'ring' },
  moving: { colour: 'lantern', shape: 'pulse' },
  moved: { colour: 'moss', shape: 'filled' },
  failed: { colour: 'ember', shape: 'triangle' },
  gone: { colour: 'muted', shape: 'square' },
} as const satisfies Record<EvacuatedServer['state'], unknown>

function UnderWay({ cluster, evacuation }: { cluster: AdminCluster; evacuation: EvacuationOf }) {
  const { t } = useTranslation()
  const change = useChangeEvacuation(cluster.id)
  const [isAsking, setAsking] = useState(false)
  const { state, servers } = evacuation
  const done = servers.filter((server) => server.state === 'moved').length
  const isOpen = state === 'running' || state === 'paused'
  return (
    <>
      <p className={classes['text']}>
        {t(`evacuation.states.${state}`)} · {t('evacuation.progress', { done, all: servers.length })} ·{' '}
        {evacuation.reason}
      </p>
      {change.error !== null && !isAsking && <ErrorNote error={change.error} />}
      <ul className={classes['machines']}>
        {servers.slice(0, shown).map((server) => (
          <MovedRow key={server.server_id} server={server} />
        ))}
      </ul>
      <Rest count={servers.length - shown} />
      {isOpen && (
        <div className={classes['actions']}>
          <Button loading={change.isPending} onClick={() => change.mutate(state === 'running' ? 'paused' : 'running')}>
            {t(state === 'running' ? 'evacuation.pause' : 'evacuation.resume')}
          </Button>
          <Button look="danger" onClick={() => setAsking(true)}>
            {t('evacuation.cancel')}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('evacuation.cancelTitle', { name: cluster.name })}
        text={t('evacuation.cancelText')}
        action={t('evacuation.cancel')}
        onConfirm={() => change.mutateAsync('cancelled')}
      />
    </>
  )
}

function MovedRow({ server }: { server: EvacuatedServer }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useClusterName()
  const { state, new_cluster, expected_seconds, down_seconds, progress, error } = server
  const { text: why } = useErrorText(error)
  const facts = [
    server.owner_name,
    ...(new_cluster === null ? [] : [t('evacuation.to', { cluster: nameOf(new_cluster) })]),
    ...(state === 'moving' && progress !== null ? [format.percent(progress)] : []),
    ...(down_seconds !== null
      ? [t('evacuation.wasDown', { time: format.duration(Math.round(down_seconds)) })]
      : expected_seconds !== null && (state === 'waiting' || state === 'moving')
        ? [t('evacuation.down', { time: format.duration(Math.ceil(expected_seconds)) })]
        : []),
    ...(error === null ? [] : [why]),
  ]
  return (
    <Row server={server} facts={facts}>
      <Badge size="small" {...looks[state]}>
        {t(`evacuation.server.${state}`)}
      </Badge>
    </Row>
  )
}
