import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { type AdminCluster, clusterDrivers } from '@wakestone/contract/admin/clusters'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminClustersQuery } from '#app/features/admin/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/clusters'
import { ClusterBadges } from './cluster-badges.tsx'
import { OneCluster } from './cluster.tsx'
import classes from './clusters.module.css'
import { NewCluster } from './cluster-form.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin.server')
  return { queries: await prefetch(adminClustersQuery(context.get(webContext).api)) }
}

/** `/{lang}/admin/clusters`: where servers run. The open one is in the address. */
export default function Clusters({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const open = search.get('cluster')
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminClusters" />
      <PageHeader
        title={t('adminClusters.title')}
        text={t('adminClusters.text')}
        actions={
          open === null && (
            <LinkButton to="?cluster=new" look="primary" icon={<IconPlus size={18} aria-hidden="true" />}>
              {t('adminClusters.add')}
            </LinkButton>
          )
        }
      />
      {open === null ? <ClusterList /> : <Opened key={open} id={open} />}
    </HydrationBoundary>
  )
}

function ClusterList() {
  const { t } = useTranslation()
  const format = useFormat()
  const list = useQuery(adminClustersQuery())
  const nameOfDriver = ({ driver }: AdminCluster) =>
    t(`adminClusters.drivers.${clusterDrivers.find((one) => one === driver) ?? 'process'}`)
  const columns: Column<AdminCluster>[] = [
    {
      key: 'name',
      header: t('adminClusters.name'),
      phone: 'title',
      cell: (cluster) => (
        <div className={classes['who']}>
          <div className={classes['badges']}>
            <Link to={`?cluster=${cluster.id}`}>{cluster.name}</Link>
            <ClusterBadges cluster={cluster} />
          </div>
          <span>{cluster.zone_name}</span>
          <span>{nameOfDriver(cluster)}</span>
        </div>
      ),
    },
    {
      key: 'servers',
      header: t('adminClusters.servers'),
      cell: ({ servers }) => t('adminClusters.upOf', { up: servers.up, all: servers.all }),
    },
    { key: 'players', header: t('adminClusters.players'), align: 'end', cell: ({ servers }) => servers.players },
    {
      key: 'memory',
      header: t('adminClusters.memoryUsed'),
      align: 'end',
      cell: ({ memory }) =>
        t('adminClusters.usedOf', { used: format.bytes(memory.used), all: format.bytes(memory.promised) }),
    },
  ]
  return (
    <Card padded={false}>
      <QueryTable
        query={list}
        label={t('adminClusters.title')}
        rows={list.data}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState figure="none" title={t('adminClusters.emptyTitle')} text={t('adminClusters.emptyText')} />}
      />
    </Card>
  )
}

function Opened({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: clusters, error, refetch } = useQuery(adminClustersQuery())
  const cluster = clusters?.find((each) => each.id === id)
  return (
    <div className={classes['page']}>
      <div>
        <Link to="?">{t('adminClusters.back')}</Link>
      </div>
      {clusters === undefined ? (
        error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : id === 'new' ? (
        <NewCluster clusters={clusters} />
      ) : cluster === undefined ? (
        <EmptyState figure="none" title={t('adminClusters.goneTitle')} text={t('adminClusters.goneText')} />
      ) : (
        <OneCluster cluster={cluster} />
      )}
    </div>
  )
}
