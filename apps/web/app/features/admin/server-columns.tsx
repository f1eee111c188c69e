import type { ReactNode } from 'react'
import type { Server } from '@wakestone/contract/servers/server'
import { planName } from '#app/features/servers/server-names.ts'
import { shownState } from '#app/features/servers/shown-state.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import { RowName } from './row-name.tsx'

/** Which server, how it is, and what it runs on. */
export function useServerColumns<
  Row extends Pick<Server, 'id' | 'name' | 'address' | 'status' | 'product_id' | 'withdrawn_at'>,
>(
  /** What is out of the ordinary about it. */
  badgesOf: (server: Row) => ReactNode = () => null,
): Column<Row>[] {
  const { t } = useTranslation()
  const path = usePath()
  return [
    {
      key: 'name',
      header: t('admin.server'),
      phone: 'title',
      cell: (server) => (
        <RowName
          to={path(`/admin/servers/${server.id}`)}
          name={server.name}
          address={server.address}
          badges={badgesOf(server)}
        />
      ),
    },
    {
      key: 'state',
      header: t('admin.state'),
      cell: (server) => <StateBadge size="small" state={shownState(server)} />,
    },
    { key: 'plan', header: t('admin.plan'), cell: (server) => planName(server.product_id) },
  ]
}
