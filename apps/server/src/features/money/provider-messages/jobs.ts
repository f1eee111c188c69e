import { createGateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { gatewayEventJob, processEvents } from './inbox.ts'
import { keepPolling } from './upkeep.ts'

export { gatewayEventJob }

/** Has this process deal with notifications and poll open orders. @returns how to stop the polling. */
export async function registerPaymentJobs(context: Context): Promise<() => Promise<void>> {
  const gateways = createGateways(context.settings)
  await work(context, gatewayEventJob, ({ eventId }) => processEvents(context, gateways, eventId))
  const stop = new AbortController()
  const polling = keepPolling(context, gateways, stop.signal)
  return async () => {
    stop.abort()
    await polling
  }
}
