import { createGateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { defineJob, enqueue, work } from '#src/jobs/boss.ts'
import { planDays } from './plan.ts'
import { reconcileDay } from './service.ts'

/** Each night, when gateways have listed what happened the day before; PayPal takes up to three hours for that. */
export const reconcileNightlyJob = defineJob<Record<string, never>>({
  queue: 'reconcile-nightly',
  policy: 'short',
  retryLimit: 5,
  retryDelaySeconds: 60,
  expireInSeconds: 300,
})

export const reconcileGatewayJob = defineJob<{ gateway: string; day: string }>({
  queue: 'reconcile-gateway',
  policy: 'stately',
  retryLimit: 5,
  retryDelaySeconds: 300,
  expireInSeconds: 3600,
})

export async function registerReconciliationJobs(context: Context, clock = () => new Date()): Promise<void> {
  const gateways = createGateways(context.settings)
  await work(context, reconcileNightlyJob, async () => {
    for (const { id } of gateways.all) {
      for (const day of await planDays(context.db, id, clock())) {
        await inTransaction(context.db, (trx) =>
          enqueue(context.boss, trx, reconcileGatewayJob, { gateway: id, day }, { singletonKey: `${id} ${day}` }),
        )
      }
    }
  })
  await work(context, reconcileGatewayJob, async ({ gateway: id, day }) => {
    const gateway = gateways.find(id)
    if (gateway !== undefined) await reconcileDay(context, gateway, { day: new Date(day), now: clock() })
  })
  await context.boss.schedule(reconcileNightlyJob.queue, '17 5 * * *')
}
