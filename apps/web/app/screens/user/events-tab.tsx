import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin'
import { adminPageSize, userEventsQuery } from '#app/features/admin/admin-queries.ts'
import { eventColumns } from '#app/features/events/event-table.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { cutPage, readAfter, useTableAddress } from '#app/ui/table-address.ts'

/** What happened to the account and when. */
export function EventsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const { search } = useTableAddress()
  const { data, error, refetch, isPlaceholderData } = useQuery(userEventsQuery(user.id, readAfter(search).at(-1)))
  const page = data && cutPage(data.data, adminPageSize)
  return (
    <Card padded={false}>
      <DataTable
        label={t('admin.tab.events')}
        columns={eventColumns(t)}
        rows={page?.rows}
        rowKey={(event) => event.id}
        error={error}
        onRetry={() => void refetch()}
        isWaiting={isPlaceholderData}
        empty={<EmptyState figure="none" title={t('events.emptyTitle')} text={t('admin.noEventsText')} />}
      >
        <KeysetPager next={page?.next} shown={page?.rows.length ?? 0} size={adminPageSize} count={data?.count} />
      </DataTable>
    </Card>
  )
}
