import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import type { Server } from '@wakestone/contract/servers/server'
import { serversQuery } from '#app/api/queries.ts'
import { planName, serverPath } from '#app/features/servers/server-names.ts'
import { shownState } from '#app/features/servers/shown-state.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import { useWholeList } from '#app/ui/use-whole-list.ts'
import classes from './user.module.css'

const pageSize = 25
const textOf = (server: Server) => `${server.name} ${server.address}`

/** Servers that the user owns or shares. */
export function ServersTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const list = useQuery(serversQuery(user.id))
  const columns: Column<Server>[] = [
    {
      key: 'name',
      header: t('admin.server'),
      phone: 'title',
      sortBy: (server) => server.name,
      cell: (server) => (
        <div className={classes['who']}>
          <Link to={serverPath(server)}>{server.name}</Link>
          <span>{server.address}</span>
        </div>
      ),
    },
    {
      key: 'state',
      header: t('admin.state'),
      cell: (server) => <StateBadge size="small" state={shownState(server)} />,
    },
    {
      key: 'right',
      header: t('admin.owner'),
      cell: (server) => t(server.owner_id === user.id ? 'admin.own' : 'admin.shared'),
    },
    {
      key: 'plan',
      header: t('admin.plan'),
      sortBy: (server) => server.product_id,
      cell: (server) => planName(server.product_id),
    },
    {
      key: 'until',
      header: t('admin.until'),
      align: 'end',
      sortBy: (server) => server.expires ?? '',
      cell: (server) => (server.expires === null ? t('admin.forever') : <DateTime value={server.expires} />),
    },
  ]
  const { rows, count, sort } = useWholeList({ rows: list.data, columns, size: pageSize, textOf })
  return (
    <Card padded={false}>
      <QueryTable
        query={list}
        label={t('admin.tab.servers')}
        columns={columns}
        rows={rows}
        rowKey={(server) => server.id}
        sort={sort}
        empty={<EmptyState title={t('admin.noServersTitle')} text={t('admin.noServersText')} />}
      >
        <Pager size={pageSize} count={count} />
      </QueryTable>
    </Card>
  )
}
