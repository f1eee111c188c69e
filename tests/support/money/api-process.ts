/** The API as `api.ts` runs it, but without pages and figures: it starts in a fraction of the time, to be killed. */
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { createContext } from '../../../apps/server/src/context.ts'
import { buildApp } from '../../../apps/server/src/http/app.ts'
import { createMetrics } from '../../../apps/server/src/http/metrics.ts'

const settings = readSettings(process.env)
const context = await createContext({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger: createLogger({ part: 'api', level: settings.LOG_LEVEL }),
  databaseUrl: settings.DATABASE_URL ?? '',
  role: 'api',
})
const { app } = await buildApp(context, createMetrics())
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ ready: (app.server.address() as AddressInfo).port })
flushCompileCache() // the next one starts faster
