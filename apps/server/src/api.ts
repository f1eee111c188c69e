/**
 * Entry point of the API and the pages: any number of these may run over one database.
 */
import type { AddressInfo } from 'node:net'
import { createLifecycle, stopOnSignals } from '@wakestone/kit/lifecycle'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { closeContext, createContext } from '#src/context.ts'
import { ensureQueues } from '#src/jobs/boss.ts'
import { startTracing } from '#src/adapters/telemetry/exporter.ts'
import { traceIds } from '#src/tracing.ts'
import { allJobs } from '#src/jobs/all.ts'
import { ForeignKeys, requireOwnKeys } from '#src/features/ground/installation/service.ts'
import { ensureLocalCluster } from '#src/features/servers/clusters/service.ts'
import { ensureTaxSettings } from '#src/features/money/taxes/service.ts'
import { AccountConflict, ensureAccounts } from '#src/features/accounts/accounts/service.ts'
import { buildApp } from '#src/http/app.ts'
import { leave } from '#src/http/closing.ts'
import { createMetrics, serveMetrics } from '#src/http/metrics.ts'
import { listenForTls } from '#src/http/tls.ts'
import { installWeb } from '#src/http/web.ts'

const settings = readSettingsOrExit(process.env)
const logger = createLogger({ part: 'api', level: settings.LOG_LEVEL, ids: traceIds })
const lifecycle = createLifecycle(logger)
stopOnSignals(lifecycle)
const telemetry = await startTracing(settings, { part: 'api', logger })
lifecycle.onStop('traces', () => telemetry.close())

const context = await createContext({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger,
  databaseUrl: requireDatabaseUrl(settings),
  role: 'api',
})
lifecycle.onStop('database', () => closeContext(context))
await requireOwnKeys(context).catch(refuseToStart)
await ensureQueues(context.boss, allJobs)
await ensureLocalCluster(context)
await ensureTaxSettings(context)
const accounts = await ensureAccounts(context).catch(refuseToStart)
process.send?.({ accounts }) // the standalone, where it started us, tells who may sign in

const registry = createMetrics()
const { app, api, tls } = await buildApp(context, registry)
await installWeb(api)
lifecycle.onStop('http', () => app.close())
const overTls = await listenForTls(app, { tls, settings })
lifecycle.onStop('new requests', () => leave(app, settings.STOP_DELAY_SECONDS))
await app.listen({ port: settings.HTTP_PORT, host: settings.HTTP_HOST })

const metrics = await serveMetrics(registry, {
  host: settings.METRICS_HOST,
  port: settings.METRICS_PORT ?? settings.HTTP_PORT + 100,
})
lifecycle.onStop('metrics', () => void metrics.close())
logger.info({ port: (app.server.address() as AddressInfo).port, httpsPort: overTls?.port }, 'listening')

function requireDatabaseUrl({ DATABASE_URL }: typeof settings): string {
  if (DATABASE_URL !== undefined) return DATABASE_URL
  logger.fatal('DATABASE_URL takes a postgres:// address; only the standalone start embeds a database')
  process.exit(2)
}

/** For what only the operator can decide: said once, instead of a crash that comes again and again. */
function refuseToStart(error: unknown): never {
  if (!(error instanceof AccountConflict || error instanceof ForeignKeys)) throw error
  logger.fatal(error.message)
  process.exit(2)
}
