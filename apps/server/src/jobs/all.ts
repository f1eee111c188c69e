/** Every kind of background job, so that api and worker agree on the queues. */
import { sendNewsletterMailJob } from '#src/features/site/newsletter/jobs.ts'
import { gatewayEventJob } from '#src/features/money/provider-messages/jobs.ts'
import { heedAffiliatesJob } from '#src/features/sales/affiliates/jobs.ts'
import { heedBillsJob } from '#src/features/sales/pay-later/jobs.ts'
import { heedReferralsJob } from '#src/features/sales/referrals/jobs.ts'
import { heedServiceClockJob } from '#src/features/sales/renewals/jobs.ts'
import { reconcileGatewayJob, reconcileNightlyJob } from '#src/features/money/reconciliation/jobs.ts'
import { sendRefundsJob } from '#src/features/money/refunds/service.ts'
import { clearOldRecordsJob } from '#src/features/admin/retention/jobs.ts'
import { personalDataJobs } from '#src/features/accounts/personal-data/jobs.ts'
import { killJob, reconcileJob } from '#src/features/servers/servers/jobs.ts'
import { sharingJobs } from '#src/features/accounts/sharing/jobs.ts'
import { sendTicketMailJob } from '#src/features/site/support/service.ts'
import { heedAnswersJob } from '#src/features/invoicing/tax-corrections/jobs.ts'
import { askAgainJob, checkTaxIdJob } from '#src/features/money/tax-data/jobs.ts'
import { deleteAccountsJob } from '#src/features/accounts/accounts/jobs.ts'
import { signInJobs } from '#src/features/accounts/sign-in/jobs.ts'
import type { JobDefinition } from './boss.ts'

export const allJobs: readonly JobDefinition<object>[] = [
  ...signInJobs,
  deleteAccountsJob,
  reconcileJob,
  killJob,
  gatewayEventJob,
  sendTicketMailJob,
  sendNewsletterMailJob,
  checkTaxIdJob,
  askAgainJob,
  heedAnswersJob,
  clearOldRecordsJob,
  reconcileNightlyJob,
  reconcileGatewayJob,
  sendRefundsJob,
  heedServiceClockJob,
  heedReferralsJob,
  heedAffiliatesJob,
  heedBillsJob,
  ...personalDataJobs,
  ...sharingJobs,
]
