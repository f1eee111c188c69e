/** Every kind of background job, so that api and worker agree on the queues. */
import { sendNewsletterMailJob } from '#src/features/site/newsletter/jobs.ts'
import { gatewayEventJob } from '#src/features/money/provider-messages/jobs.ts'
import { handleAffiliatesJob } from '#src/features/sales/affiliates/jobs.ts'
import { handleBillsJob } from '#src/features/sales/pay-later/jobs.ts'
import { handleReferralsJob } from '#src/features/sales/referrals/jobs.ts'
import { handleServiceClockJob } from '#src/features/sales/renewals/jobs.ts'
import { reconcileGatewayJob, reconcileNightlyJob } from '#src/features/money/reconciliation/jobs.ts'
import { sendRefundsJob } from '#src/features/money/refunds/service.ts'
import { clearOldRecordsJob } from '#src/features/admin/retention/jobs.ts'
import { personalDataJobs } from '#src/features/accounts/personal-data/jobs.ts'
import { sayWarningJob } from '#src/features/servers/free-play/jobs.ts'
import { tellFileChangesJob } from '#src/features/servers/files/jobs.ts'
import { announcementJobs } from '#src/features/marketplace/announcements/jobs.ts'
import { translationJobs } from '#src/features/marketplace/translations/jobs.ts'
import { catalogueJobs } from '#src/features/marketplace/catalogue/jobs.ts'
import { checkPackageUpdatesJob } from '#src/features/servers/packages/jobs.ts'
import { releaseJobs } from '#src/features/marketplace/releases/jobs.ts'
import { mapJobs } from '#src/features/servers/mapview/jobs.ts'
import { backupJobs } from '#src/features/servers/backups/jobs.ts'
import { tidyAntibotJob } from '#src/features/servers/antibot/jobs.ts'
import { liftBansJob } from '#src/features/servers/players/jobs.ts'
import { clearHistoryJob } from '#src/features/servers/history/jobs.ts'
import { runOperationJob } from '#src/features/servers/operations/service.ts'
import { killJob, reconcileJob } from '#src/features/servers/servers/jobs.ts'
import { sharingJobs } from '#src/features/accounts/sharing/jobs.ts'
import { supportJobs } from '#src/features/accounts/support/jobs.ts'
import { handleAnswersJob } from '#src/features/invoicing/tax-corrections/jobs.ts'
import { askAgainJob, checkTaxIdJob } from '#src/features/money/tax-data/jobs.ts'
import { deleteAccountsJob } from '#src/features/accounts/accounts/jobs.ts'
import { signInJobs } from '#src/features/accounts/sign-in/jobs.ts'
import type { JobDefinition } from './boss.ts'

export const allJobs: readonly JobDefinition<object>[] = [
  ...signInJobs,
  deleteAccountsJob,
  reconcileJob,
  killJob,
  sayWarningJob,
  runOperationJob,
  clearHistoryJob,
  tellFileChangesJob,
  liftBansJob,
  tidyAntibotJob,
  ...backupJobs,
  ...announcementJobs,
  ...translationJobs,
  ...catalogueJobs,
  checkPackageUpdatesJob,
  ...mapJobs,
  ...releaseJobs,
  gatewayEventJob,
  ...supportJobs,
  sendNewsletterMailJob,
  checkTaxIdJob,
  askAgainJob,
  handleAnswersJob,
  clearOldRecordsJob,
  reconcileNightlyJob,
  reconcileGatewayJob,
  sendRefundsJob,
  handleServiceClockJob,
  handleReferralsJob,
  handleAffiliatesJob,
  handleBillsJob,
  ...personalDataJobs,
  ...sharingJobs,
]
