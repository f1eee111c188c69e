import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { serverFlags } from '@wakestone/contract/admin/servers'
import type { Server } from '@wakestone/contract/servers/server'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { useServerColumns } from '#app/features/admin/server-columns.tsx'
import { adminClustersQuery, adminServersQuery, type ServerFilters } from '#app/features/admin/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { readAfter, readSearch, useAfter } from '#app/ui/table-address.ts'
import { SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/admin-servers'
import { FlagBadges } from './flag-badges.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

function readFilters(search: URLSearchParams): ServerFilters {
  const cluster = search.get('cluster') ?? ''
  const flag = serverFlags.find((known) => known === search.get('flag'))
  return {
    ...readSearch(search),
    ...(/^[\w-]{1,64}$/.test(cluster) && { cluster_id: cluster }),
    ...(flag !== undefined && { flag }),
  }
}

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin.server')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  return {
    queries: await prefetch(
      adminServersQuery(readFilters(search), readAfter(search).at(-1), api),
      adminClustersQuery(api),
    ),
  }
}

/** `/{lang}/admin/servers`: all servers, narrowed by a text, by cluster and by the administrators' switches. */
export default function AdminServers({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminServers" />
      <PageHeader title={t('adminServers.title')} text={t('adminServers.text')} />
      <Filters />
      <Servers />
    </HydrationBoundary>
  )
}

function Filters() {
  const { t } = useTranslation()
  const { data: clusters = [] } = useQuery(adminClustersQuery())
  return (
    <TableFilters names={['q', 'cluster', 'flag']}>
      <SearchFilter label={t('adminServers.search')} />
      <SelectFilter
        name="cluster"
        label={t('adminServers.cluster')}
        options={[
          { value: '', label: t('adminServers.anyCluster') },
          ...clusters.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectFilter
        name="flag"
        label={t('adminServers.flag')}
        options={[
          { value: '', label: t('adminServers.anyFlag') },
          ...serverFlags.map((value) => ({ value, label: t(`adminServers.flags.${value}`) })),
        ]}
      />
    </TableFilters>
  )
}

function Servers() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const list = useQuery(adminServersQuery(readFilters(search), useAfter()))
  const columns: Column<Server>[] = [
    ...useServerColumns<Server>((server) => <FlagBadges flags={server} />),
    {
      key: 'owner',
      header: t('admin.owner'),
      cell: (server) => <Link to={path(`/user/${server.owner_id}`)}>{server.owner_name}</Link>,
    },
    {
      key: 'since',
      header: t('admin.since'),
      align: 'end',
      cell: (server) => <DateTime value={server.created_at} />,
    },
  ]
  return (
    <Card padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('adminServers.title')}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={8}
        empty={<EmptyState figure="none" title={t('adminServers.emptyTitle')} text={t('adminServers.emptyText')} />}
      />
    </Card>
  )
}
