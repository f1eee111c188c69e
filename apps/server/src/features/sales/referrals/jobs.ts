import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { handleReferrals } from './service.ts'

/** Every five minutes. */
export const handleReferralsJob = defineJob<Record<string, never>>({
  queue: 'handle-referrals',
  policy: 'short',
  retryLimit: 0, // the next one comes soon
  retryDelaySeconds: 1,
  expireInSeconds: 600,
})

export async function registerReferralJobs(context: Context): Promise<void> {
  await work(context, handleReferralsJob, () => handleReferrals(context, new Date()), { concurrency: 1 })
  await context.boss.schedule(handleReferralsJob.queue, '2-59/5 * * * *')
}
