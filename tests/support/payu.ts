/** PayU's simulator as a provider of a test's API, and the worker's part in payments. */
import { startPayuSimulator } from '@wakestone/simulators/payu'
import { createGateways } from '../../apps/server/src/adapters/payments/registry.ts'
import { registerTransactionJobs } from '../../apps/server/src/features/transactions/jobs.ts'
import { tidyPayments } from '../../apps/server/src/features/transactions/upkeep.ts'
import { startTestApi } from './api.ts'

const credentials = { posId: '300746', clientId: '300746', clientSecret: 'client-secret', secondKey: 'second-key' }

export async function startApiWithPayu(env: Record<string, string> = {}) {
  const payu = await startPayuSimulator({ ...credentials, host: '127.0.0.1', timeScale: 0.002 })
  const api = await startTestApi({
    PAYU_URL: payu.url,
    PAYU_POS_ID: credentials.posId,
    PAYU_CLIENT_ID: credentials.clientId,
    PAYU_CLIENT_SECRET: credentials.clientSecret,
    PAYU_SECOND_KEY: credentials.secondKey,
    ...env,
  })
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin }) // its port is known only now
  const stopJobs = await registerTransactionJobs(api.context)
  return {
    ...api,
    payu,
    /** The order that a top-up was made into. */
    orderOf(id: string) {
      const order = payu.orders().findLast(({ extOrderId }) => extOrderId.startsWith(id))
      if (order === undefined) throw new Error('the simulator knows no such order')
      return order
    },
    /** What runs by itself, as if a day had passed for payments. */
    tidy: () =>
      tidyPayments(api.context, createGateways(api.context.settings), { withoutOrderSeconds: 0, withOrderSeconds: 0 }),
    async close() {
      await stopJobs()
      await api.close()
      await payu.close()
    },
  }
}
