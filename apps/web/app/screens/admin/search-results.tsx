import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdminSearch } from '@wakestone/contract/admin/admin'
import { searchQuery } from '#app/features/admin/admin-queries.ts'
import { useServerColumns } from '#app/features/admin/server-columns.tsx'
import { useUserColumns } from '#app/features/admin/user-columns.tsx'
import { usePaymentColumns } from '#app/features/refunds/payment-columns.tsx'
import type { Translate } from '#app/i18n/create-i18n.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './admin.module.css'

type Path = (path: string) => string
/** A user's name, leading to their page. */
type OwnerLink = (id: string) => ReactNode
type FoundServer = AdminSearch['servers'][number]
type FoundDomain = AdminSearch['domains'][number]

/** What was found, kind by kind; kinds of which nothing was found are left out. */
export function SearchResults({ q }: { q: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const users = useUserColumns()
  const servers = useServerColumns<FoundServer>(({ matches }) => {
    // Its own id and name are in sight.
    const told = matches.filter((match) => match !== 'id' && match !== 'name')
    if (told.length === 0 || matches.includes('name')) return null
    return (
      <span className={classes['matches']}>{told.map((match) => t(`admin.matches.${match}`, { q })).join(', ')}</span>
    )
  })
  const transactions = usePaymentColumns()
  const { data, error, refetch, isPlaceholderData } = useQuery(searchQuery(q))
  if (data === undefined)
    return error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  if (Object.values(data).every((found) => found.length === 0))
    return <EmptyState figure="none" title={t('admin.nothingTitle', { q })} text={t('admin.nothingText')} />
  const names = new Map(data.owners.map(({ id, username }) => [id, username]))
  const ownerLink: OwnerLink = (id) => <Link to={path(`/user/${id}`)}>{names.get(id) ?? t('admin.toUser')}</Link>
  return (
    <div className={classes['results']} data-waiting={isPlaceholderData}>
      <Found title={t('admin.users')} rows={data.users} columns={users} />
      <Found
        title={t('admin.servers')}
        rows={data.servers}
        columns={[
          ...servers,
          { key: 'owner', header: t('admin.owner'), align: 'end', cell: ({ owner_id }) => ownerLink(owner_id) },
        ]}
      />
      <Found title={t('admin.domains')} rows={data.domains} columns={domainColumns(t, path, ownerLink)} />
      <Found
        title={t('admin.transactions')}
        rows={data.transactions}
        columns={[...transactions, ownerColumn(t, ownerLink)]}
      />
    </div>
  )
}

function Found<Row extends { id: string }>({
  title,
  rows,
  columns,
}: {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
}) {
  if (rows.length === 0) return null
  return (
    <Card padded={false} title={title}>
      <DataTable label={title} rows={rows} columns={columns} rowKey={({ id }) => id} empty={null} />
    </Card>
  )
}

const ownerColumn = (t: Translate, ownerLink: OwnerLink): Column<{ user_id: string }> => ({
  key: 'owner',
  header: t('admin.owner'),
  align: 'end',
  cell: (row) => ownerLink(row.user_id),
})

function domainColumns(t: Translate, path: Path, ownerLink: OwnerLink): Column<FoundDomain>[] {
  return [
    {
      key: 'fqdn',
      header: t('admin.domain'),
      phone: 'title',
      cell: (domain) =>
        domain.server_id === null ? (
          domain.fqdn
        ) : (
          <Link to={path(`/admin/servers/${domain.server_id}`)}>{domain.fqdn}</Link>
        ),
    },
    {
      key: 'held',
      header: t('admin.state'),
      cell: (domain) => t(domain.server_id === null ? 'admin.domainReserved' : 'admin.domainHeld'),
    },
    ownerColumn(t, ownerLink),
  ]
}
