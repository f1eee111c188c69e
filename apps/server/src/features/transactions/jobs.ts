import { createPayu } from '#src/adapters/payu/client.ts'
import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { gatewayEventJob, processEvents } from './inbox.ts'
import { keepPolling } from './upkeep.ts'

/** Has this process deal with notifications and poll open orders. @returns how to stop the polling. */
export async function registerTransactionJobs(context: Context): Promise<() => Promise<void>> {
  const payu = createPayu(context.settings)
  if (payu === undefined) return async () => undefined
  await work(context, gatewayEventJob, ({ eventId }) => processEvents(context, payu, eventId))
  const stop = new AbortController()
  const polling = keepPolling(context, payu, stop.signal)
  return async () => {
    stop.abort()
    await polling
  }
}
