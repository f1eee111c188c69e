import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { handleBills } from './service.ts'

/** Every five minutes. */
export const handleBillsJob = defineJob<Record<string, never>>({
  queue: 'handle-bills',
  policy: 'short',
  retryLimit: 0, // the next one comes soon
  retryDelaySeconds: 1,
  expireInSeconds: 600,
})

export async function registerPayLaterJobs(context: Context): Promise<void> {
  await work(context, handleBillsJob, () => handleBills(context, new Date()), { concurrency: 1 })
  await context.boss.schedule(handleBillsJob.queue, '4-59/5 * * * *')
}
