import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import type { Notification } from '@wakestone/contract/ground/notification'
import { adminPageSize, userNotificationsQuery } from '#app/features/admin/admin-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import classes from './user.module.css'

type Delivery = Notification['statuses'][number]
const looks = {
  waiting: { colour: 'lantern', shape: 'ring' },
  sent: { colour: 'moss', shape: 'filled' },
  kept: { colour: 'muted', shape: 'square' },
  failed: { colour: 'ember', shape: 'triangle' },
} as const satisfies Record<Delivery['status'], unknown>

/** What the user was told, how it went on each way out, and when they read it. */
export function NotificationsTab({ user }: { user: AdminUserDetails }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const after = useAfter()
  const list = useQuery({
    ...userNotificationsQuery(user.id, { after, language }),
    select: ({ notifications, count }) => ({ data: notifications, count }),
  })
  const columns: Column<Notification>[] = [
    {
      key: 'what',
      header: t('admin.notification'),
      phone: 'title',
      cell: (notification) => (
        <div className={classes['who']}>
          <span>{notification.title}</span>
          <span>{notification.text}</span>
        </div>
      ),
    },
    {
      key: 'ways',
      header: t('admin.ways'),
      cell: (notification) => (
        <div className={classes['badges']}>
          {notification.statuses.map((delivery) => (
            <span key={delivery.channel} title={delivery.error ?? undefined}>
              <Badge size="small" {...looks[delivery.status]}>
                {t(`admin.channels.${delivery.channel}`)}: {t(`admin.deliveries.${delivery.status}`)}
              </Badge>
            </span>
          ))}
        </div>
      ),
    },
    { key: 'sent', header: t('admin.toldAt'), cell: (notification) => <DateTime value={notification.created_at} /> },
    {
      key: 'read',
      header: t('admin.readAt'),
      align: 'end',
      cell: ({ opened_at }) => (opened_at === null ? t('admin.notYet') : <DateTime value={opened_at} />),
    },
  ]
  return (
    <Card padded={false}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('admin.tab.notifications')}
        columns={columns}
        rowKey={(notification) => notification.id}
        empty={<EmptyState title={t('admin.noNotificationsTitle')} text={t('admin.noNotificationsText')} />}
      />
    </Card>
  )
}
