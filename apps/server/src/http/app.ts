/**
 * The HTTP application: the API of the contract, its description, health, and the pages.
 */
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { registerAdminRoutes } from '#src/features/admin/admin/routes.ts'
import { registerEvacuationRoutes } from '#src/features/admin/evacuations/routes.ts'
import { registerAdminClusterRoutes } from '#src/features/admin/clusters/routes.ts'
import { registerSetupRoutes } from '#src/features/admin/doctor/routes.ts'
import { registerHealthRoutes } from '#src/features/admin/health/routes.ts'
import { registerOverviewRoutes } from '#src/features/admin/overview/routes.ts'
import { registerAdminServerRoutes } from '#src/features/admin/servers/routes.ts'
import { registerAffiliateRoutes } from '#src/features/sales/affiliates/routes.ts'
import { registerApiKeyRoutes } from '#src/features/accounts/api-keys/routes.ts'
import { registerCapabilitySetRoutes } from '#src/features/admin/capability-sets/routes.ts'
import { registerClusterRoutes } from '#src/features/servers/clusters/routes.ts'
import { registerConsentRoutes } from '#src/features/accounts/consents/routes.ts'
import { registerDocumentRoutes } from '#src/features/site/documents/routes.ts'
import { registerAddressRoutes } from '#src/features/servers/addresses/routes.ts'
import { registerDomainRoutes } from '#src/features/servers/domains/routes.ts'
import { registerEventRoutes } from '#src/features/ground/events/routes.ts'
import { registerFlagRoutes } from '#src/features/site/flags/routes.ts'
import { registerInvoiceRoutes } from '#src/features/invoicing/invoices/routes.ts'
import { openShownUsers } from '#src/features/accounts/users/service.ts'
import { openFlags } from '#src/features/site/flags/service.ts'
import { registerNewsletterRoutes } from '#src/features/site/newsletter/routes.ts'
import { registerNotificationRoutes } from '#src/features/ground/notifications/routes.ts'
import { registerWebhookRoutes } from '#src/features/ground/webhooks/routes.ts'
import { registerOutboxRoutes } from '#src/features/site/outbox/routes.ts'
import { registerPayLaterRoutes } from '#src/features/sales/pay-later/routes.ts'
import { registerPersonalDataRoutes } from '#src/features/accounts/personal-data/routes.ts'
import { registerPlanRoutes } from '#src/features/sales/plans/routes.ts'
import { registerProductRoutes } from '#src/features/sales/products/routes.ts'
import { registerReconciliationRoutes } from '#src/features/money/reconciliation/routes.ts'
import { registerRedemptionRoutes } from '#src/features/sales/redemptions/routes.ts'
import { registerReferralRoutes } from '#src/features/sales/referrals/routes.ts'
import { registerRefundRoutes } from '#src/features/money/refunds/routes.ts'
import { registerRenewalRoutes } from '#src/features/sales/renewals/routes.ts'
import { registerReportRoutes } from '#src/features/invoicing/reports/routes.ts'
import { registerSecondFactorRoutes } from '#src/features/accounts/second-factors/routes.ts'
import { registerFreePlayRoutes } from '#src/features/servers/free-play/routes.ts'
import { registerServerRoutes } from '#src/features/servers/servers/routes.ts'
import { registerDemoRoutes } from '#src/features/servers/demo/routes.ts'
import { registerMapRoutes } from '#src/features/servers/mapview/routes.ts'
import { registerMysqlRoutes } from '#src/features/servers/mysql/routes.ts'
import { registerWorldRoutes } from '#src/features/servers/worlds/routes.ts'
import { registerBackupRoutes } from '#src/features/servers/backups/routes.ts'
import { registerMigrationRoutes } from '#src/features/servers/migration/routes.ts'
import { registerEngineRoutes } from '#src/features/servers/engine-change/routes.ts'
import { registerPackageRoutes } from '#src/features/servers/packages/routes.ts'
import { registerCrashRoutes } from '#src/features/servers/crashes/routes.ts'
import { registerFileRoutes } from '#src/features/servers/files/routes.ts'
import { registerPterodactylApi } from '#src/features/accounts/pterodactyl-api/routes.ts'
import { registerPlayerRoutes } from '#src/features/servers/players/routes.ts'
import { registerHistoryRoutes } from '#src/features/servers/history/routes.ts'
import { registerCountdownRoutes } from '#src/features/servers/countdown/routes.ts'
import { registerOperationRoutes } from '#src/features/servers/operations/routes.ts'
import { registerParameterRoutes } from '#src/features/servers/parameters/routes.ts'
import { registerShopRoutes } from '#src/features/sales/shop/routes.ts'
import { registerAntibotRoutes } from '#src/features/servers/antibot/routes.ts'
import { registerPortRoutes } from '#src/features/servers/ports/routes.ts'
import { registerScheduleRoutes } from '#src/features/servers/schedules/routes.ts'
import { registerConsoleRoutes } from '#src/features/servers/console/routes.ts'
import { registerGatewayFeed } from '#src/features/servers/player-routes/routes.ts'
import { createServerChanges } from '#src/features/servers/servers/service.ts'
import { registerOrderRoutes } from '#src/features/sales/orders/routes.ts'
import { registerSftpRoutes } from '#src/features/accounts/sftp/routes.ts'
import { registerSshKeyRoutes } from '#src/features/accounts/ssh-keys/routes.ts'
import { registerFeedbackRoutes } from '#src/features/accounts/feedback/routes.ts'
import { registerFirstStepsRoutes } from '#src/features/accounts/first-steps/routes.ts'
import { registerSharingRoutes } from '#src/features/accounts/sharing/routes.ts'
import { registerSupportRoutes } from '#src/features/accounts/support/routes.ts'
import { registerTaxDataRoutes } from '#src/features/money/tax-data/routes.ts'
import { registerGatewayRoutes } from '#src/features/money/provider-messages/routes.ts'
import { registerTransactionRoutes } from '#src/features/money/payments/routes.ts'
import { registerAccountRoutes } from '#src/features/accounts/accounts/routes.ts'
import { registerSignInRoutes } from '#src/features/accounts/sign-in/routes.ts'
import { registerVoucherRoutes } from '#src/features/sales/vouchers/routes.ts'
import { registerWalletRoutes } from '#src/features/money/wallets/routes.ts'
import { registerCraftumRoutes } from '#src/features/websites/craftums/routes.ts'
import { registerWebsiteDomainRoutes } from '#src/features/websites/domains/routes.ts'
import { registerWebsiteImageRoutes } from '#src/features/websites/images/routes.ts'
import { registerWithdrawalRoutes } from '#src/features/sales/withdrawals/routes.ts'
import { registerProjectRoutes } from '#src/features/marketplace/projects/routes.ts'
import { registerAnnouncementRoutes } from '#src/features/marketplace/announcements/routes.ts'
import { registerCatalogueRoutes } from '#src/features/marketplace/catalogue/routes.ts'
import { registerReleaseRoutes } from '#src/features/marketplace/releases/routes.ts'
import { registerProjectMetricRoutes } from '#src/features/marketplace/metrics/routes.ts'
import { registerModerationRoutes } from '#src/features/marketplace/moderation/routes.ts'
import { registerProjectReviewRoutes } from '#src/features/marketplace/reviews/routes.ts'
import { registerProjectDependencyRoutes } from '#src/features/marketplace/dependencies/routes.ts'
import { registerProjectSearchRoutes } from '#src/features/marketplace/search/routes.ts'
import { allOwners } from './all-owners.ts'
import { openCatalogue } from './catalogue.ts'
import { leaveForms } from './form.ts'
import { endConnectionsOnClose, isLeaving } from './closing.ts'
import { artifactUrl, openEngines, openSources } from './engines.ts'
import { installErrorHandling } from './errors.ts'
import type { Api } from './implement.ts'
import { keepAddress } from './kept-address.ts'
import { measureRequests } from './metrics.ts'
import { installOpenApi } from './openapi.ts'
import { createPrincipals } from './principal.ts'
import { readOwnCookies } from './own-cookies.ts'
import { createRequestId } from './request-id.ts'
import { refuseCrossSite } from './same-site.ts'
import { guardAnswers } from './security-headers.ts'
import { shareOut } from './shares.ts'
import { leadToTls, openTls, type Tls } from './tls.ts'
import { traceRequests } from './tracing.ts'
import { serveWebsites } from './websites.ts'

const bodyLimit = 256 * 1024

/** Builds the application without listening. Closing it closes what it opened. */
export async function buildApp(
  context: Context,
  registry: Registry,
): Promise<{ app: FastifyInstance; api: Api; tls: Tls }> {
  const { settings, logger } = context
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'transaction_id' }),
    bodyLimit,
    trustProxy: settings.TRUST_PROXY ?? false,
    requestIdHeader: false,
    genReqId: (request) => {
      const given = request.headers['x-transaction-id']
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : createRequestId()
    },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
  })
  keepAddress(app)
  traceRequests(app)
  const tls = await openTls(context)
  app.addHook('onClose', () => tls.close())
  leadToTls(app, { tls, context })
  // Before anything reads a cookie: on their hosts there is nothing else.
  serveWebsites(app, context)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-transaction-ID', request.id)
    done()
  })
  // An empty body with a JSON content type is no body: browsers and clients send that with POSTs that carry none.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined)
    app.getDefaultJsonParser('error', 'error')(_request, body as string, done)
  })
  leaveForms(app)
  guardAnswers(app, settings)
  endConnectionsOnClose(app)
  installErrorHandling(app)
  measureRequests(app, registry)
  await app.register(cookie)
  readOwnCookies(app, settings)
  await app.register(websocket, { options: { maxPayload: 16 * 1024 } })
  refuseCrossSite(app, publicUrl(settings))

  const principals = await createPrincipals(context)
  app.addHook('onClose', () => principals.close())
  const users = await openShownUsers(context)
  app.addHook('onClose', () => users.close())
  const catalogue = await openCatalogue(context)
  app.addHook('onClose', () => catalogue.close())
  const flags = await openFlags(context)
  app.addHook('onClose', () => flags.close())
  shareOut(app, { principals, settings })
  const api: Api = {
    app,
    context,
    principals,
    users,
    catalogue,
    flags,
    owners: allOwners,
    implemented: new Set(),
    transports: new Set(),
  }

  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isLeaving(app)) return reply.code(503).send({ status: 'leaving' })
    await context.database.pool.query('select 1')
    return { status: 'ready' }
  })
  await installOpenApi(app, settings)
  registerSignInRoutes(api)
  registerAccountRoutes(api)
  registerApiKeyRoutes(api)
  registerWebhookRoutes(api)
  registerSecondFactorRoutes(api)
  registerAdminRoutes(api)
  registerAdminServerRoutes(api)
  registerAdminClusterRoutes(api)
  registerEvacuationRoutes(api)
  registerHealthRoutes(api)
  registerOverviewRoutes(api)
  registerSetupRoutes(api)
  registerReportRoutes(api)
  registerReconciliationRoutes(api)
  registerRefundRoutes(api)
  registerWalletRoutes(api)
  registerTransactionRoutes(api)
  registerGatewayRoutes(api)
  registerProductRoutes(api)
  registerRenewalRoutes(api)
  registerVoucherRoutes(api)
  registerRedemptionRoutes(api)
  registerPlanRoutes(api)
  registerClusterRoutes(api)
  registerDomainRoutes(api)
  registerAddressRoutes(api)
  registerPortRoutes(api)
  registerAntibotRoutes(api)
  const engines = openEngines(api)
  registerOrderRoutes(api, engines)
  registerServerRoutes(api, engines)
  registerFreePlayRoutes(api)
  registerOperationRoutes(api)
  registerCountdownRoutes(api)
  registerHistoryRoutes(api)
  registerPlayerRoutes(api)
  registerCrashRoutes(api)
  registerEngineRoutes(api, engines)
  registerMigrationRoutes(api)
  registerPackageRoutes(api, { sources: openSources(api), engines, artifactUrl: () => artifactUrl(api) })
  registerBackupRoutes(api)
  registerMapRoutes(api)
  registerDemoRoutes(api)
  registerWorldRoutes(api)
  registerMysqlRoutes(api)
  registerParameterRoutes(api)
  registerScheduleRoutes(api)
  registerShopRoutes(api)
  const changes = createServerChanges(context)
  const operationChanges = createServerChanges(context, 'operation_changed')
  const fileChanges = createServerChanges(context, 'files_changed')
  for (const one of [changes, operationChanges, fileChanges]) {
    app.addHook('onReady', () => one.start())
    app.addHook('onClose', () => one.close())
  }
  registerConsoleRoutes(api, { changes, operationChanges, fileChanges })
  registerFileRoutes(api, { operationChanges })
  registerPterodactylApi(api)
  registerGatewayFeed(api, changes)
  registerSshKeyRoutes(api)
  registerSftpRoutes(api, { changes, operationChanges })
  registerReferralRoutes(api)
  registerAffiliateRoutes(api)
  registerPayLaterRoutes(api)
  registerEventRoutes(api)
  registerSharingRoutes(api)
  registerOutboxRoutes(api)
  await registerNotificationRoutes(api)
  registerCapabilitySetRoutes(api)
  registerFlagRoutes(api, flags)
  registerDocumentRoutes(api)
  await registerSupportRoutes(api)
  registerFeedbackRoutes(api)
  registerFirstStepsRoutes(api)
  registerNewsletterRoutes(api)
  registerTaxDataRoutes(api)
  registerConsentRoutes(api)
  registerPersonalDataRoutes(api)
  registerInvoiceRoutes(api)
  registerWithdrawalRoutes(api)
  registerCraftumRoutes(api)
  registerWebsiteImageRoutes(api)
  registerWebsiteDomainRoutes(api)
  registerProjectRoutes(api)
  registerProjectSearchRoutes(api)
  registerProjectDependencyRoutes(api)
  registerReleaseRoutes(api)
  registerAnnouncementRoutes(api)
  registerCatalogueRoutes(api)
  registerProjectReviewRoutes(api)
  registerModerationRoutes(api)
  registerProjectMetricRoutes(api)
  return { app, api, tls }
}
