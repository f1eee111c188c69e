/**
 * Every address. The panel comes first: `/s/login` is a server of that name, not the login page in a language "s".
 */
import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** Components in all their states: for development, and in the build that tests take pictures of. */
const gallery =
  import.meta.env?.DEV || import.meta.env?.MODE === 'gallery'
    ? [route(':lang/gallery', 'screens/gallery/gallery.tsx')]
    : []

/** Where PayPal sends payers back to: one page at three addresses, in the panel and within a server. */
const paypalReturns = (place: string) =>
  ['success', 'continue', 'cancel'].map((end) =>
    route(`paypal/${end}`, 'screens/payment/paypal-return.tsx', { id: `${place}-paypal-${end}` }),
  )

/** Where PayU and PayNow send them. */
const continuePages = (place: string) =>
  ['payu', 'paynow'].map((provider) =>
    route(`${provider}/continue`, 'screens/payment/continue.tsx', { id: `${place}-${provider}-continue` }),
  )

export default [
  ...gallery,
  layout('screens/panel-layout.tsx', [
    route('s/:identity', 'screens/server/layout.tsx', [
      index('screens/server/overview.tsx'),
      route('files/trash', 'screens/server/files/trash.tsx'),
      route('files/*', 'screens/server/files/files.tsx'),
      route('players', 'screens/server/players/players.tsx'),
      route('players/:playerId', 'screens/server/players/player.tsx'),
      route('events', 'screens/server/events.tsx'),
      route('backups', 'screens/server/backups/backups.tsx'),
      route('backups/:backupId', 'screens/server/backups/backup.tsx'),
      route('mapview', 'screens/server/map/map.tsx'),
      route('app/worlds', 'screens/server/worlds/worlds.tsx'),
      route('schedules', 'screens/server/schedules/schedules.tsx'),
      route('settings', 'screens/server/settings/settings.tsx'),
      route('settings/engine', 'screens/server/settings/engine.tsx'),
      route('settings/access', 'screens/server/access/access.tsx'),
      route('payments', 'screens/server/payments/payments.tsx'),
      route('payments/upgrade', 'screens/server/payments/upgrade.tsx'),
      route('payments/renew', 'screens/server/renew/renew.tsx'),
      route('payments/withdraw', 'screens/server/withdraw/withdraw.tsx'),
      route('events/:eventId', 'screens/server/event.tsx'),
      ...paypalReturns('server'),
      ...continuePages('server'),
    ]),
    route(':lang', 'screens/language.tsx', { id: 'panel-language' }, [
      route('s', 'screens/servers/servers.tsx'),
      route('free-play', 'screens/free-play/free-play.tsx'),
      route('create', 'screens/create/create.tsx'),
      route('wallets/:walletId', 'screens/wallet/wallet.tsx'),
      route('wallets/:walletId/recharge', 'screens/recharge/recharge.tsx'),
      ...continuePages('panel'),
      ...paypalReturns('panel'),
      route('account', 'screens/account/to-settings.ts', { id: 'account' }),
      route('account/settings', 'screens/account/settings.tsx'),
      route('account/settings/security', 'screens/account/security/security.tsx'),
      route('account/settings/api-keys', 'screens/account/api-keys/api-keys.tsx'),
      route('account/settings/consents', 'screens/account/consents/consents.tsx'),
      route('account/bills', 'screens/account/bills/bills.tsx'),
      route('account/referrals', 'screens/account/referrals/referrals.tsx'),
      route('account/settings/invoice', 'screens/account/invoice/invoice.tsx'),
      route('account/delete/confirm', 'screens/account/delete-confirm.tsx'),
      route('account/settings/notifications', 'screens/account/notifications/notification-settings.tsx'),
      route('notifications', 'screens/notifications/notifications.tsx'),
      route('notifications/:notificationId', 'screens/notifications/notification.tsx'),
      route('account/invoices', 'screens/account/invoices/invoices.tsx'),
      route('account/support', 'screens/account/support/support.tsx'),
      route('account/support/new', 'screens/account/support/new-ticket.tsx'),
      route('account/support/:ticketId', 'screens/account/support/ticket.tsx'),
      route('account/events', 'screens/account/events.tsx'),
      route('account/events/:eventId', 'screens/account/event.tsx'),
      route('change-email', 'screens/account/to-settings.ts', { id: 'change-email' }),
      route('m/projects/create', 'screens/m-edit/create-project.tsx'),
      route('m/projects/edit/:slug', 'screens/m-edit/edit-project.tsx'),
      route('m/:slug/releases/new', 'screens/m-edit/new-release.tsx'),
      route('voucher/use', 'screens/voucher/use.tsx'),
      route('admin', 'screens/admin/admin.tsx'),
      route('admin/create-new-voucher', 'screens/create-voucher/create-voucher.tsx'),
      route('user/:userId', 'screens/user/user.tsx'),
      route('admin/tickets', 'screens/tickets/desk.tsx'),
      route('admin/tickets/:ticketId', 'screens/tickets/desk-ticket.tsx'),
      route('admin/feedback', 'screens/feedback/feedback.tsx'),
      route('admin/outbox', 'screens/outbox/outbox.tsx'),
      route('admin/capability-sets', 'screens/capability-sets/capability-sets.tsx'),
      route('admin/invoices', 'screens/admin-invoices/admin-invoices.tsx'),
      route('admin/affiliates', 'screens/affiliates/affiliates.tsx'),
      route('admin/flags', 'screens/flags/flags.tsx'),
      route('admin/reports', 'screens/reports/reports.tsx'),
      route('admin/refunds', 'screens/refunds/refunds.tsx'),
      route('admin/reconciliation', 'screens/reconciliation/reconciliations.tsx'),
      route('admin/reconciliation/:reconciliationId', 'screens/reconciliation/reconciliation.tsx'),
    ]),
  ]),
  layout('screens/public-layout.tsx', [
    route(':lang', 'screens/language.tsx', { id: 'public-language' }, [
      index('screens/home/home.tsx'),
      route('m', 'screens/m/gallery.tsx'),
      route('m/:userId/projects', 'screens/m/author-projects.tsx'),
      route('m/:slug', 'screens/m/project.tsx'),
      route('contact', 'screens/contact/contact.tsx'),
      route('offers', 'screens/offers/offers.tsx'),
      route('offers/create', 'screens/create-offer/create-offer.tsx'),
      route('login', 'screens/login/login.tsx'),
      route('login/discord', 'screens/login/discord.tsx'),
      route('login/second-step', 'screens/second-step/second-step.tsx'),
      route('register', 'screens/register/register.tsx'),
      route('forgot-password', 'screens/forgot-password/forgot-password.tsx'),
      route('change-password', 'screens/change-password/change-password.ts'),
      route('change-password/confirm', 'screens/change-password/confirm.tsx'),
      route('email-login', 'screens/email-login/email-login.tsx'),
      route('email-login/complete', 'screens/email-login/complete.tsx'),
      route('email/confirm', 'screens/confirm-email/confirm-email.tsx'),
      route('invitation', 'screens/invitation/invitation.tsx'),
      route('terms-of-service', 'screens/legal/legal.tsx', { id: 'terms-of-service' }),
      route('privacy-policy', 'screens/legal/legal.tsx', { id: 'privacy-policy' }),
      route('terms-and-conditions', 'screens/legal/legal.tsx', { id: 'terms-and-conditions' }),
      route('store-terms', 'screens/legal/legal.tsx', { id: 'store-terms' }),
      route('newsletter-terms', 'screens/legal/legal.tsx', { id: 'newsletter-terms' }),
      route('parents', 'screens/parents/parents.tsx'),
      route('partnership', 'screens/partnership/partnership.tsx'),
      route('affiliate', 'screens/affiliate/affiliate.tsx'),
      route('newsletter', 'screens/newsletter/newsletter.tsx'),
      route('newsletter/confirm', 'screens/newsletter/confirm.tsx'),
      route('newsletter/unsubscribe', 'screens/newsletter/unsubscribe.tsx'),
      route('notifications/unsubscribe', 'screens/notifications/unsubscribe.tsx'),
      route('messages/:code?', 'screens/messages/messages.tsx'),
      route('unauthorized', 'screens/unauthorized/unauthorized.tsx'),
      route('unauthorized-server', 'screens/unauthorized-server/unauthorized-server.tsx'),
      route('server-not-found', 'screens/server-not-found/server-not-found.tsx'),
      route('country', 'screens/country/country.tsx'),
      route('*', 'screens/not-found/not-found.tsx'),
    ]),
  ]),
  route(':lang', 'screens/language.tsx', { id: 'map-language' }, [
    route('mapview/:mapId', 'screens/public-map/public-map.tsx'),
  ]),
  route('robots.txt', 'screens/crawlers/robots.ts'),
  route('sitemap.xml', 'screens/crawlers/sitemap.ts'),
  route('og/:language/:file', 'screens/crawlers/social-image.ts'),
  route('consent', 'screens/consent/consent.ts'),
  index('screens/unprefixed.tsx', { id: 'unprefixed-home' }),
] satisfies RouteConfig
