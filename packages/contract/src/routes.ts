/** Every route there is, by name: the server implements each, a test walks each. */
import * as account from './account.ts'
import * as admin from './admin.ts'
import * as affiliates from './affiliates.ts'
import * as apiKeys from './api-keys.ts'
import * as billings from './billings.ts'
import * as consents from './consents.ts'
import * as dataExports from './data-exports.ts'
import * as capabilitySets from './capability-sets.ts'
import * as documents from './documents.ts'
import * as domains from './domains.ts'
import * as events from './events.ts'
import * as flags from './flags.ts'
import * as invoices from './invoices.ts'
import * as newsletter from './newsletter.ts'
import * as notifications from './notifications.ts'
import * as outbox from './outbox.ts'
import * as reconciliations from './reconciliations.ts'
import * as payLater from './pay-later.ts'
import * as paymentReturns from './payment-returns.ts'
import * as referrals from './referrals.ts'
import * as reports from './reports.ts'
import * as security from './security.ts'
import * as servers from './servers.ts'
import * as socials from './socials.ts'
import * as sharing from './sharing.ts'
import * as support from './support.ts'
import * as taxData from './tax-data.ts'
import * as transactions from './transactions.ts'
import * as users from './users.ts'
import * as vouchers from './vouchers.ts'
import * as wallets from './wallets.ts'
import * as withdrawals from './withdrawals.ts'

export const allRoutes = {
  ...users,
  ...account,
  ...apiKeys,
  ...capabilitySets,
  ...wallets,
  ...transactions,
  ...billings,
  ...servers,
  ...events,
  ...domains,
  ...outbox,
  ...flags,
  ...admin,
  ...reports,
  ...reconciliations,
  ...documents,
  ...security,
  ...support,
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
}
export type RouteName = keyof typeof allRoutes
