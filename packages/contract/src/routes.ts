/** Every route there is, by name: the server implements each, a test walks each. */
import * as account from './accounts/account-routes.ts'
import * as addresses from './servers/addresses-routes.ts'
import * as admin from './admin/admin-routes.ts'
import * as adminClusters from './admin/clusters-routes.ts'
import * as evacuations from './admin/evacuations-routes.ts'
import * as antibot from './servers/antibot-routes.ts'
import * as adminServers from './admin/servers-routes.ts'
import * as affiliates from './sales/affiliates-routes.ts'
import * as apiKeys from './accounts/api-keys-routes.ts'
import * as backups from './servers/backups-routes.ts'
import * as billings from './sales/billings-routes.ts'
import * as consents from './accounts/consents-routes.ts'
import * as craftums from './websites/craftums-routes.ts'
import * as crashes from './servers/crash-routes.ts'
import * as dataExports from './accounts/data-exports-routes.ts'
import * as capabilitySets from './admin/capability-sets-routes.ts'
import * as demo from './servers/demo-routes.ts'
import * as documents from './site/documents-routes.ts'
import * as domains from './servers/domains-routes.ts'
import * as engine from './servers/engine-routes.ts'
import * as events from './ground/events-routes.ts'
import * as eventWebhooks from './ground/webhooks-routes.ts'
import * as feedback from './accounts/feedback-routes.ts'
import * as firstSteps from './accounts/first-steps-routes.ts'
import * as files from './servers/files-routes.ts'
import * as flags from './site/flags-routes.ts'
import * as freePlay from './servers/free-play-routes.ts'
import * as health from './admin/health-routes.ts'
import * as overview from './admin/overview-routes.ts'
import * as setup from './admin/setup-routes.ts'
import * as history from './servers/history-routes.ts'
import * as invoices from './invoicing/invoices-routes.ts'
import * as newsletter from './site/newsletter-routes.ts'
import * as moderation from './marketplace/moderation-routes.ts'
import * as projects from './marketplace/projects-routes.ts'
import * as projectReviews from './marketplace/reviews-routes.ts'
import * as projectWebhooks from './marketplace/webhooks-routes.ts'
import {
  changeRelease,
  createPackage,
  createRelease,
  deleteRelease,
  getRelease,
  listReleases,
  resumeRelease,
} from './marketplace/releases-routes.ts'
import * as mapview from './servers/mapview-routes.ts'
import * as migration from './servers/migration-routes.ts'
import * as mysql from './servers/mysql-routes.ts'
import * as worlds from './servers/worlds-routes.ts'
import * as notifications from './ground/notifications-routes.ts'
import * as operations from './servers/operations-routes.ts'
import * as packages from './servers/packages-routes.ts'
import * as outbox from './site/outbox-routes.ts'
import * as reconciliations from './money/reconciliations-routes.ts'
import * as parameters from './servers/parameters-routes.ts'
import * as ports from './servers/ports-routes.ts'
import * as payLater from './sales/pay-later-routes.ts'
import * as paymentReturns from './money/payment-returns-routes.ts'
import * as players from './servers/players-routes.ts'
import * as referrals from './sales/referrals-routes.ts'
import * as remoteFiles from './servers/remotefs-routes.ts'
import * as reports from './invoicing/reports-routes.ts'
import * as schedules from './servers/schedules-routes.ts'
import * as security from './accounts/security-routes.ts'
import * as servers from './servers/servers-routes.ts'
import * as sshKeys from './accounts/ssh-keys-routes.ts'
import * as socials from './accounts/socials-routes.ts'
import * as sharing from './accounts/sharing-routes.ts'
import * as shop from './sales/shop-routes.ts'
import * as shopFront from './sales/shop-front-routes.ts'
import * as support from './accounts/support-routes.ts'
import * as taxData from './money/tax-data-routes.ts'
import * as transactions from './money/transactions-routes.ts'
import * as users from './accounts/users-routes.ts'
import * as vouchers from './sales/vouchers-routes.ts'
import * as wallets from './money/wallets-routes.ts'
import * as withdrawals from './sales/withdrawals-routes.ts'

export const allRoutes = {
  ...users,
  ...account,
  ...apiKeys,
  ...eventWebhooks,
  ...sshKeys,
  ...capabilitySets,
  ...wallets,
  ...transactions,
  ...billings,
  ...craftums,
  ...servers,
  ...freePlay,
  ...operations,
  ...packages,
  ...history,
  ...crashes,
  ...files,
  ...engine,
  ...backups,
  ...parameters,
  ...schedules,
  ...remoteFiles,
  ...mapview,
  ...migration,
  ...mysql,
  ...players,
  ...worlds,
  ...events,
  ...domains,
  ...addresses,
  ...antibot,
  ...ports,
  ...outbox,
  ...flags,
  ...admin,
  ...adminServers,
  ...adminClusters,
  ...evacuations,
  ...health,
  ...overview,
  ...setup,
  ...reports,
  ...reconciliations,
  ...demo,
  ...documents,
  ...security,
  ...support,
  ...feedback,
  ...firstSteps,
  ...newsletter,
  ...notifications,
  ...taxData,
  ...socials,
  ...referrals,
  ...affiliates,
  ...payLater,
  ...paymentReturns,
  ...dataExports,
  ...consents,
  ...invoices,
  ...withdrawals,
  ...sharing,
  ...vouchers,
  ...projects,
  createRelease,
  resumeRelease,
  listReleases,
  getRelease,
  changeRelease,
  deleteRelease,
  createPackage,
  ...projectReviews,
  ...projectWebhooks,
  ...moderation,
  ...shop,
  ...shopFront,
}
export type RouteName = keyof typeof allRoutes
