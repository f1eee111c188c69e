import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { handleServiceClock } from './service-clock.ts'

/** Every five minutes. */
export const handleServiceClockJob = defineJob<Record<string, never>>({
  queue: 'renew-and-end-services',
  policy: 'short',
  retryLimit: 0, // the next one comes soon
  retryDelaySeconds: 1,
  expireInSeconds: 900,
})

export async function registerRenewalJobs(context: Context): Promise<void> {
  await work(context, handleServiceClockJob, () => handleServiceClock(context, new Date()))
  await context.boss.schedule(handleServiceClockJob.queue, '*/5 * * * *')
}
