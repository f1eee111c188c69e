import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type ListedUser, userOrders, userStates } from '@wakestone/contract/admin/admin'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminPageSize, type UserFilters, usersQuery } from '#app/features/admin/admin-queries.ts'
import { useUserColumns } from '#app/features/admin/user-columns.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { readAfter, readSearch, useAfter } from '#app/ui/table-address.ts'
import { SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import type { Route } from './+types/admin-users'

export const handle = { frame: adminFrame } satisfies FrameHandle

function readFilters(search: URLSearchParams): UserFilters {
  const state = userStates.find((known) => known === search.get('state'))
  const order = userOrders.find((known) => known === search.get('order'))
  return { ...readSearch(search), ...(state !== undefined && { state }), ...(order !== undefined && { order }) }
}

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  return { queries: await prefetch(usersQuery(readFilters(search), readAfter(search).at(-1), api)) }
}

/** `/{lang}/admin/users`: all accounts, by name or e-mail, by what is out of the ordinary, by when they came or were last here. */
export default function AdminUsers({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="adminUsers" />
      <PageHeader title={t('adminUsers.title')} text={t('adminUsers.text')} />
      <TableFilters names={['q', 'state', 'order']}>
        <SearchFilter label={t('adminUsers.search')} />
        <SelectFilter
          name="state"
          label={t('admin.state')}
          options={[
            { value: '', label: t('adminUsers.anyState') },
            ...userStates.map((value) => ({ value, label: t(`admin.${value}`) })),
          ]}
        />
        <SelectFilter
          name="order"
          label={t('adminUsers.order')}
          options={[
            { value: '', label: t('adminUsers.orders.registered') },
            { value: 'active', label: t('adminUsers.orders.active') },
          ]}
        />
      </TableFilters>
      <Users />
    </HydrationBoundary>
  )
}

function Users() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const list = useQuery(usersQuery(readFilters(search), useAfter()))
  const columns: Column<ListedUser>[] = [
    ...useUserColumns(),
    {
      key: 'seen',
      header: t('admin.lastSeen'),
      align: 'end',
      cell: ({ last_seen_at: at }) => (at === null ? t('admin.never') : <DateTime value={at} />),
    },
  ]
  return (
    <Card padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('adminUsers.title')}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={8}
        empty={<EmptyState figure="none" title={t('adminUsers.emptyTitle')} text={t('adminUsers.emptyText')} />}
      />
    </Card>
  )
}
