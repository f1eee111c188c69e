import {
  IconArrowLeft,
  IconChartBar,
  IconCreditCard,
  IconFlag,
  IconGavel,
  IconHeartbeat,
  IconHeartHandshake,
  IconLayoutDashboard,
  IconLifebuoy,
  IconMail,
  IconMessageStar,
  IconScale,
  IconServer2,
  IconServerCog,
  IconSpeakerphone,
  IconTicket,
  IconReceipt,
  IconReceiptRefund,
  IconUsers,
  IconUserShield,
} from '@tabler/icons-react'
import type { FrameContent, FrameHandle, NavItem } from '#app/features/shell/nav.ts'
import type { Translate } from '#app/i18n/create-i18n.ts'

/** The sidebar of the administration. */
export const adminFrame: FrameHandle['frame'] = (_data, { t, path }) => frameOf(t, path)

/** Its screens, at their addresses without a language. */
export const listAdminScreens = (t: Translate): readonly NavItem[] =>
  frameOf(t, (address) => address).groups.flatMap(({ items }) => items.filter(({ to }) => to.startsWith('/admin')))

const frameOf = (t: Translate, path: (address: string) => string): FrameContent => ({
  groups: [
    { items: [{ to: path('/s'), label: t('shell.panel'), icon: IconArrowLeft, end: true }] },
    {
      title: t('shell.admin'),
      items: [
        { to: path('/admin'), label: t('admin.overview'), icon: IconLayoutDashboard, end: true },
        { to: path('/admin/users'), label: t('adminUsers.title'), icon: IconUsers, also: [path('/user/')] },
        { to: path('/admin/payments'), label: t('adminPayments.title'), icon: IconCreditCard },
        { to: path('/admin/servers'), label: t('adminServers.title'), icon: IconServer2 },
        { to: path('/admin/clusters'), label: t('adminClusters.title'), icon: IconServerCog },
        { to: path('/admin/health'), label: t('adminHealth.title'), icon: IconHeartbeat },
        { to: path('/admin/tickets'), label: t('desk.title'), icon: IconLifebuoy },
        { to: path('/admin/capability-sets'), label: t('capabilitySets.title'), icon: IconUserShield },
        { to: path('/admin/create-new-voucher'), label: t('makeVouchers.title'), icon: IconTicket },
        { to: path('/admin/reports'), label: t('reports.title'), icon: IconChartBar },
        { to: path('/admin/invoices'), label: t('invoices.adminTitle'), icon: IconReceipt },
        { to: path('/admin/affiliates'), label: t('affiliates.title'), icon: IconHeartHandshake },
        { to: path('/admin/refunds'), label: t('refunds.title'), icon: IconReceiptRefund },
        { to: path('/admin/reconciliation'), label: t('reconciliation.title'), icon: IconScale },
        { to: path('/admin/feedback'), label: t('feedback.title'), icon: IconMessageStar },
        { to: path('/admin/outbox'), label: t('outbox.title'), icon: IconMail },
        { to: path('/admin/marketplace'), label: t('moderation.title'), icon: IconGavel },
        { to: path('/admin/announcements'), label: t('flags.announcements.title'), icon: IconSpeakerphone },
        { to: path('/admin/flags'), label: t('flags.title'), icon: IconFlag },
      ],
    },
  ],
})
