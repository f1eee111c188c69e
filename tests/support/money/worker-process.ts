/** The worker's part in money, to be killed: everything of `worker.ts` but servers, mails and figures. */
import { flushCompileCache } from 'node:module'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { createContext } from '../../../apps/server/src/context.ts'
import { registerRenewalJobs } from '../../../apps/server/src/features/sales/renewals/jobs.ts'
import { registerPaymentJobs } from '../../../apps/server/src/features/money/provider-messages/jobs.ts'

const settings = readSettings(process.env)
const context = await createContext({
  settings,
  secrets: loadSecrets(settings.DATA_DIR),
  logger: createLogger({ part: 'worker', level: settings.LOG_LEVEL }),
  databaseUrl: settings.DATABASE_URL ?? '',
  role: 'worker',
})
await registerPaymentJobs(context)
await registerRenewalJobs(context)
process.send?.({ ready: 0 })
flushCompileCache() // the next one starts faster
