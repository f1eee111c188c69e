/**
 * Entry point of the worker: background jobs, and servers brought to what they should be. Any number may run.
 */
import { createLifecycle, stopOnSignals } from '@wakestone/kit/lifecycle'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { mainHosts, publicUrl, readSettingsOrExit } from '@wakestone/kit/settings'
import { closeContext, createContext } from '#src/context.ts'
import { ForeignKeys, requireOwnKeys } from '#src/features/ground/installation/service.ts'
import { ensureLocalCluster } from '#src/features/servers/clusters/service.ts'
import { keepIssuing } from '#src/features/invoicing/invoices/jobs.ts'
import { registerNewsletterJobs } from '#src/features/site/newsletter/jobs.ts'
import { registerReconciliationJobs } from '#src/features/money/reconciliation/jobs.ts'
import { registerAffiliateJobs } from '#src/features/sales/affiliates/jobs.ts'
import { registerPayLaterJobs } from '#src/features/sales/pay-later/jobs.ts'
import { registerReferralJobs } from '#src/features/sales/referrals/jobs.ts'
import { registerRefundJobs } from '#src/features/money/refunds/jobs.ts'
import { registerRenewalJobs } from '#src/features/sales/renewals/jobs.ts'
import { beginEvacuations } from '#src/features/admin/evacuations/jobs.ts'
import { readHealth } from '#src/features/admin/health/service.ts'
import { registerRetentionJobs } from '#src/features/admin/retention/jobs.ts'
import { beginCertificates } from '#src/features/ground/certificates/service.ts'
import { beginDeliveries } from '#src/features/ground/notifications/service.ts'
import { beginWebhooks } from '#src/features/ground/webhooks/service.ts'
import { registerPersonalDataJobs } from '#src/features/accounts/personal-data/jobs.ts'
import { registerFileJobs } from '#src/features/servers/files/jobs.ts'
import { ensureSamples } from '#src/features/marketplace/samples/service.ts'
import { registerCatalogueJobs } from '#src/features/marketplace/catalogue/jobs.ts'
import { keepArtifactUrl, registerPackageJobs } from '#src/features/servers/packages/jobs.ts'
import { createEngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { createSources } from '#src/package-sources.ts'
import { registerAnnouncementJobs } from '#src/features/marketplace/announcements/jobs.ts'
import { registerTranslationJobs } from '#src/features/marketplace/translations/jobs.ts'
import { registerReleaseJobs } from '#src/features/marketplace/releases/jobs.ts'
import { registerMapJobs } from '#src/features/servers/mapview/jobs.ts'
import { registerBackupJobs } from '#src/features/servers/backups/jobs.ts'
import { registerAntibotJobs } from '#src/features/servers/antibot/jobs.ts'
import { registerPlayerJobs } from '#src/features/servers/players/jobs.ts'
import { registerHistoryJobs } from '#src/features/servers/history/jobs.ts'
import { beginFencing, removeLeft } from '#src/features/servers/migration/service.ts'
import { clearSnapshots } from '#src/features/servers/engine-change/service.ts'
import { beginOperations } from '#src/features/servers/operations/service.ts'
import { beginShops } from '#src/features/sales/shop/service.ts'
import { beginAddressWork } from '#src/features/servers/addresses/service.ts'
import { beginSchedules } from '#src/features/servers/schedules/service.ts'
import { beginServerWork } from '#src/features/servers/placement/service.ts'
import { beginFreePlay } from '#src/features/servers/free-play/jobs.ts'
import { registerSharingJobs } from '#src/features/accounts/sharing/jobs.ts'
import { registerSupportJobs } from '#src/features/accounts/support/jobs.ts'
import { registerTaxCorrectionJobs } from '#src/features/invoicing/tax-corrections/jobs.ts'
import { registerTaxDataJobs } from '#src/features/money/tax-data/jobs.ts'
import { ensureTaxSettings } from '#src/features/money/taxes/service.ts'
import { registerPaymentJobs } from '#src/features/money/provider-messages/jobs.ts'
import { hasDemoAccount } from '#src/features/accounts/accounts/service.ts'
import { registerAccountJobs } from '#src/features/accounts/accounts/jobs.ts'
import { registerSignInJobs } from '#src/features/accounts/sign-in/jobs.ts'
import { beginWebsiteDomainWork, listServedDomains } from '#src/features/websites/domains/service.ts'
import { createMetrics, measureWork, serveMetrics } from '#src/http/metrics.ts'
import { startTracing } from '#src/adapters/telemetry/exporter.ts'
import { traceIds } from '#src/tracing.ts'
import { allJobs } from '#src/jobs/all.ts'
import { ensureQueues } from '#src/jobs/boss.ts'
import { allOperations } from '#src/operations.ts'

const settings = readSettingsOrExit(process.env)
const logger = createLogger({ part: 'worker', level: settings.LOG_LEVEL, ids: traceIds })
const lifecycle = createLifecycle(logger)
stopOnSignals(lifecycle)
const telemetry = await startTracing(settings, { part: 'worker', logger })
lifecycle.onStop('traces', () => telemetry.close())

if (settings.DATABASE_URL === undefined) {
  logger.fatal('DATABASE_URL takes a postgres:// address; only the standalone start embeds a database')
  process.exit(2)
}
const context = await createContext({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger,
  databaseUrl: settings.DATABASE_URL,
  role: 'worker',
})
lifecycle.onStop('database', () => closeContext(context))
await requireOwnKeys(context).catch((error: unknown) => {
  if (!(error instanceof ForeignKeys)) throw error
  logger.fatal(error.message)
  process.exit(2)
})
await ensureLocalCluster(context)
await ensureTaxSettings(context)
await ensureQueues(context.boss, allJobs)

await registerSignInJobs(context)
await registerAccountJobs(context)
await registerHistoryJobs(context)
await registerFileJobs(context)
await registerReleaseJobs(context)
await registerAnnouncementJobs(context)
await registerTranslationJobs(context)
await registerCatalogueJobs(context)
if (!settings.HOLD_SERVERS) {
  const artifactUrl = `${settings.API_URL ?? `http://127.0.0.1:${settings.HTTP_PORT}`}/artifacts`
  await keepArtifactUrl(context, artifactUrl)
  await registerPackageJobs(context, {
    sources: createSources(context, artifactUrl),
    engines: createEngineCatalogue({ settings, artifactUrl, logger }),
  })
}
if (hasDemoAccount(context))
  await ensureSamples(context).catch((error: unknown) => logger.warn({ error }, 'samples are missing'))
await registerSharingJobs(context)
await registerSupportJobs(context)
await registerNewsletterJobs(context)
await registerRetentionJobs(context)
await registerReconciliationJobs(context)
await registerRefundJobs(context)
await registerRenewalJobs(context)
await registerReferralJobs(context)
await registerAffiliateJobs(context)
await registerPayLaterJobs(context)
await registerTaxDataJobs(context)
await registerTaxCorrectionJobs(context)
await registerPersonalDataJobs(context)
lifecycle.onStop('payments', await registerPaymentJobs(context))
lifecycle.onStop('invoices', keepIssuing(context))
if (!settings.HOLD_SERVERS) await registerMapJobs(context)
if (!settings.HOLD_SERVERS) await registerPlayerJobs(context)
if (!settings.HOLD_SERVERS) await registerAntibotJobs(context)
if (!settings.HOLD_SERVERS) lifecycle.onStop('backups', await registerBackupJobs(context))
const deliveries = await beginDeliveries(context)
lifecycle.onStop('deliveries', () => deliveries.close())
const webhooks = await beginWebhooks(context)
lifecycle.onStop('webhooks', () => webhooks.close())
const servers = settings.HOLD_SERVERS ? undefined : await beginServerWork(context)
lifecycle.onStop('servers', () => servers?.close())
const freePlay = settings.HOLD_SERVERS ? undefined : await beginFreePlay(context)
lifecycle.onStop('free play', () => freePlay?.close())
const operations = settings.HOLD_SERVERS
  ? undefined
  : await beginOperations(context, allOperations, async () => {
      await clearSnapshots(context)
      await removeLeft(context)
    })
lifecycle.onStop('operations', () => operations?.close())
const fencing = settings.HOLD_SERVERS ? undefined : beginFencing(context)
lifecycle.onStop('fencing', () => fencing?.close())
const evacuations = settings.HOLD_SERVERS ? undefined : beginEvacuations(context)
lifecycle.onStop('evacuations', () => evacuations?.close())
const schedules = settings.HOLD_SERVERS ? undefined : beginSchedules(context)
lifecycle.onStop('schedules', () => schedules?.close())
const shops = settings.HOLD_SERVERS ? undefined : beginShops(context)
lifecycle.onStop('shops', () => shops?.close())
const addresses = beginAddressWork(context)
lifecycle.onStop('addresses', () => addresses.close())
const websiteDomains = beginWebsiteDomainWork(context)
lifecycle.onStop('domains of websites', () => websiteDomains.close())
const certificates = beginCertificates(context, async () => ({
  hosts: [
    ...new Set([new URL(publicUrl(settings)).hostname, ...mainHosts(settings), ...(await listServedDomains(context))]),
  ],
  below: settings.SITES_DOMAIN,
}))
lifecycle.onStop('certificates', () => certificates.close())
lifecycle.onStop('jobs', () => context.boss.stop({ graceful: true, timeout: 10_000 }))

const registry = createMetrics()
measureWork(registry, {
  watched: () => servers?.watched() ?? 0,
  troubles: async () => (await readHealth(context)).troubles,
})
const metrics = await serveMetrics(registry, {
  host: settings.METRICS_HOST,
  port: (settings.METRICS_PORT ?? settings.HTTP_PORT + 100) + 1,
})
lifecycle.onStop('metrics', () => void metrics.close())
logger.info('at work')
