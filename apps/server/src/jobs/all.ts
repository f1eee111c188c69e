/** Every kind of background job, so that api and worker agree on the queues. */
import { sendNewsletterMailJob } from '#src/features/newsletter/sending.ts'
import { heedAffiliatesJob } from '#src/features/affiliates/jobs.ts'
import { heedBillsJob } from '#src/features/pay-later/jobs.ts'
import { heedReferralsJob } from '#src/features/referrals/jobs.ts'
import { heedServiceClockJob } from '#src/features/renewals/jobs.ts'
import { reconcileGatewayJob, reconcileNightlyJob } from '#src/features/reconciliation/jobs.ts'
import { sendRefundsJob } from '#src/features/refunds/service.ts'
import { clearOldRecordsJob } from '#src/features/retention/jobs.ts'
import { personalDataJobs } from '#src/features/personal-data/jobs.ts'
import { killJob, reconcileJob } from '#src/features/servers/jobs.ts'
import { sharingJobs } from '#src/features/sharing/jobs.ts'
import { sendTicketMailJob } from '#src/features/support/service.ts'
import { heedAnswersJob } from '#src/features/tax-corrections/jobs.ts'
import { checkTaxIdJob } from '#src/features/tax-data/check.ts'
import { askAgainJob } from '#src/features/tax-data/jobs.ts'
import { gatewayEventJob } from '#src/features/gateway-messages/inbox.ts'
import { userJobs } from '#src/features/users/jobs.ts'
import type { JobDefinition } from './boss.ts'

export const allJobs: readonly JobDefinition<object>[] = [
  ...userJobs,
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
