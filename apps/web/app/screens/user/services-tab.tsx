import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminService, AdminUserDetails } from '@wakestone/contract/admin/admin'
import { hoursOfPeriod } from '@wakestone/contract/values'
import { adminPageSize, adminServicesQuery } from '#app/features/admin/admin-queries.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import classes from './user.module.css'

/** What the user rents or has rented, and until when. */
export function ServicesTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const list = useQuery(adminServicesQuery(user.id, useAfter()))
  const columns: Column<AdminService>[] = [
    {
      key: 'service',
      header: t('admin.service'),
      phone: 'title',
      cell: (service) => (
        <div className={classes['who']}>
          <span>{nameOf(service.product_id)}</span>
          {service.server !== null && <Link to={`/s/${service.server.id}`}>{service.server.name}</Link>}
          {service.website !== null && <Website website={service.website} />}
        </div>
      ),
    },
    { key: 'state', header: t('admin.state'), cell: (service) => <ServiceState service={service} /> },
    {
      key: 'renewal',
      header: t('admin.renewal'),
      phone: 'hidden',
      cell: (service) =>
        service.ended_at !== null || service.expires === null
          ? '–'
          : [
              ...(service.parent_id === null ? [] : [t('admin.withPlan')]),
              t(service.auto_renew ? 'admin.byItself' : 'admin.byHand'),
            ].join(', '),
    },
    { key: 'since', header: t('admin.since'), cell: (service) => <DateTime value={service.created_at} /> },
    {
      key: 'until',
      header: t('admin.until'),
      cell: (service) => (service.expires === null ? t('admin.forever') : <DateTime value={service.expires} />),
    },
    {
      key: 'cost',
      header: t('admin.cost'),
      align: 'end',
      cell: (service) => (
        <span>
          <Money value={service.gross_cost} /> /{' '}
          {t('admin.days', { count: hoursOfPeriod(service.billing_period) / 24 })}
        </span>
      ),
    },
  ]
  return (
    <Card padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('admin.tab.services')}
        columns={columns}
        rowKey={(service) => service.id}
        empty={<EmptyState title={t('admin.noServicesTitle')} text={t('admin.noServicesText')} />}
      />
    </Card>
  )
}

/** Nobody but its owner sees a website before it is published. */
function Website({ website: { name, address, online } }: { website: NonNullable<AdminService['website']> }) {
  return online ? <a href={address}>{name}</a> : <span>{name}</span>
}

function ServiceState({ service }: { service: AdminService }) {
  const { t } = useTranslation()
  if (service.ended_at !== null)
    return (
      <Badge size="small" colour="muted" shape="square">
        {t('admin.ended')}
      </Badge>
    )
  const isOver = service.expires !== null && Date.parse(service.expires) <= Date.now()
  return (
    <Badge size="small" colour={isOver ? 'ember' : 'moss'} shape={isOver ? 'triangle' : 'filled'}>
      {t(isOver ? 'admin.expired' : 'admin.active')}
    </Badge>
  )
}
