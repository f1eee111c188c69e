import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { AdminCluster, ClusterHistory } from '@wakestone/contract/admin/clusters'
import { type HistorySpan, historySpans } from '@wakestone/contract/servers/history'
import { clusterHistoryQuery, useChangeCluster } from '#app/features/admin/server-queries.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { ConfirmByTyping } from '#app/ui/confirm-by-typing.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AgentMachines } from './agent-machines.tsx'
import { ClusterBadges } from './cluster-badges.tsx'
import { ClusterSettings } from './cluster-form.tsx'
import { Evacuation } from './evacuation.tsx'
import { Kubernetes } from './kubernetes.tsx'
import { Machines } from './machines.tsx'
import classes from './clusters.module.css'

/** A cluster: whether it is open, what it holds, what was used over a time, and its settings. */
export function OneCluster({ cluster }: { cluster: AdminCluster }) {
  return (
    <>
      <PageHeader title={cluster.name} beside={<ClusterBadges cluster={cluster} />} text={cluster.zone_name} />
      <div className={classes['columns']}>
        <Capacity cluster={cluster} />
        <Doors cluster={cluster} />
      </div>
      {cluster.hosts !== null && <Machines cluster={cluster} hosts={cluster.hosts} />}
      {cluster.agents !== null && <AgentMachines cluster={cluster} agents={cluster.agents} />}
      {cluster.driver === 'kubernetes' && <Kubernetes cluster={cluster} />}
      <Evacuation cluster={cluster} />
      <Charts cluster={cluster} />
      <ClusterSettings key={JSON.stringify(cluster.visible_permission)} cluster={cluster} />
    </>
  )
}

function Capacity({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const { servers, memory, cpu, storage, machine } = cluster
  const cores = (count: number) => t('adminClusters.cores', { count: Math.round(count * 10) / 10 })
  const rows = [
    {
      key: t('adminClusters.servers'),
      value: (
        <Link to={path(`/admin/servers?cluster=${cluster.id}`)}>
          {t('adminClusters.upOf', { up: servers.up, all: servers.all })}
        </Link>
      ),
    },
    { key: t('adminClusters.players'), value: format.number(servers.players) },
    { key: t('adminClusters.memoryUsed'), value: format.bytes(memory.used) },
    {
      key: t('adminClusters.memoryPlaced'),
      value: t('adminClusters.usedOf', { used: format.bytes(memory.placed), all: format.bytes(memory.promised) }),
    },
    { key: t('adminClusters.cpuUsed'), value: cores(cpu.used) },
    {
      key: t('adminClusters.cpuPlaced'),
      value: t('adminClusters.usedOf', { used: cores(cpu.placed), all: cores(cpu.promised) }),
    },
    {
      key: t('adminClusters.storageUsed'),
      value: t('adminClusters.usedOf', { used: format.bytes(storage.used), all: format.bytes(storage.promised) }),
    },
    ...(machine === null
      ? []
      : [
          {
            key: t('adminClusters.machineMemory'),
            value: t('adminClusters.freeOf', {
              free: format.bytes(machine.memory.free),
              all: format.bytes(machine.memory.total),
            }),
          },
          {
            key: t('adminClusters.machineStorage'),
            value: t('adminClusters.freeOf', {
              free: format.bytes(machine.storage.free),
              all: format.bytes(machine.storage.total),
            }),
          },
          {
            key: t('adminClusters.machineLoad'),
            value: t('adminClusters.loadOf', { load: format.number(machine.load, 2), cores: cores(machine.cores) }),
          },
        ]),
  ]
  return (
    <Card title={t('adminClusters.capacity')}>
      <KeyValueList rows={rows} />
    </Card>
  )
}

/** Closing keeps new servers out; draining stops those that are there too. */
function Doors({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const change = useChangeCluster(cluster.id)
  const [isAsking, setAsking] = useState(false)
  return (
    <Card title={t('adminClusters.doors')}>
      <div className={classes['form']}>
        <p className={classes['text']}>
          {t(
            cluster.draining
              ? 'adminClusters.drainingText'
              : cluster.disabled
                ? 'adminClusters.disabledText'
                : 'adminClusters.openText',
          )}
        </p>
        {!cluster.has_prices && <p className={classes['text']}>{t('adminClusters.noPrices')}</p>}
        {change.error !== null && !isAsking && <ErrorNote error={change.error} />}
        <div className={classes['actions']}>
          {cluster.disabled ? (
            <Button loading={change.isPending} onClick={() => change.mutate({ disabled: false })}>
              {t('adminClusters.toOpen')}
            </Button>
          ) : (
            <Button loading={change.isPending} onClick={() => change.mutate({ disabled: true })}>
              {t('adminClusters.toDisable')}
            </Button>
          )}
          {cluster.draining ? (
            <Button loading={change.isPending} onClick={() => change.mutate({ draining: false })}>
              {t('adminClusters.endDrain')}
            </Button>
          ) : (
            <Button look="danger" onClick={() => setAsking(true)}>
              {t('adminClusters.drain')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmByTyping
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('adminClusters.drainTitle', { name: cluster.name })}
        text={
          <Trans
            i18nKey="adminClusters.drainText"
            values={{ up: cluster.servers.up, players: cluster.servers.players }}
            components={{ b: <b /> }}
          />
        }
        name={cluster.id}
        action={t('adminClusters.drain')}
        onConfirm={() => change.mutateAsync({ draining: true })}
      />
    </Card>
  )
}

function Charts({ cluster }: { cluster: AdminCluster }) {
  const { t } = useTranslation()
  const [span, setSpan] = useState<HistorySpan>('day')
  const { data, error, refetch } = useQuery(clusterHistoryQuery(cluster.id, span))
  return (
    <>
      <Segmented
        label={t('adminClusters.span')}
        options={historySpans.map((value) => ({ value, label: t(`adminClusters.spans.${value}`) }))}
        value={span}
        onChange={setSpan}
      />
      {data === undefined ? (
        error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Lines history={data} isDaily={span !== 'hour' && span !== 'day'} />
      )}
    </>
  )
}

/** Every step of the span, also those in which nothing was measured: the axis is of the span and not of what is known. */
function stepsOf({ from, to, step_seconds, points }: ClusterHistory) {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]))
  const count = Math.floor((Date.parse(to) - Date.parse(from)) / 1000 / step_seconds) + 1
  return Array.from({ length: count }, (_, index) => {
    const at = Date.parse(from) + index * step_seconds * 1000
    return { seconds: at / 1000, point: known.get(at) }
  })
}

function Lines({ history, isDaily }: { history: ClusterHistory; isDaily: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const steps = useMemo(() => (history.points.length === 0 ? [] : stepsOf(history)), [history])
  const times = steps.map(({ seconds }) => seconds)
  const writeCores = useCallback((value: number) => format.number(value, 1), [format])
  const writeCount = useCallback((value: number) => (Number.isInteger(value) ? format.number(value) : ''), [format])
  const charts = [
    { name: 'memoryUsed', colour: 'lantern', metric: 'memory', write: format.bytes },
    { name: 'cpuUsed', colour: 'moss', metric: 'cpu', write: writeCores },
    { name: 'players', colour: 'dusk', metric: 'players', write: writeCount },
    { name: 'storageUsed', colour: 'lantern', metric: 'disk', write: format.bytes },
  ] as const
  return (
    <div className={classes['charts']}>
      {charts.map(({ name, colour, metric, write }) => (
        <Card key={name}>
          <Chart
            label={t(`adminClusters.${name}`)}
            times={times}
            series={[
              { name: t(`adminClusters.${name}`), colour, values: steps.map(({ point }) => point?.[metric] ?? null) },
            ]}
            write={write}
            daily={isDaily}
            emptyText={t('adminClusters.nothingMeasured')}
            height={200}
          />
        </Card>
      ))}
    </div>
  )
}
