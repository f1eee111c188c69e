import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { forgetVisitors } from './clicks.ts'
import { releaseCommissions } from './commissions.ts'

/** Every quarter of an hour. */
export const handleAffiliatesJob = defineJob<Record<string, never>>({
  queue: 'pay-affiliates',
  policy: 'short',
  retryLimit: 0, // the next one comes soon
  retryDelaySeconds: 1,
  expireInSeconds: 600,
})

export async function registerAffiliateJobs(context: Context): Promise<void> {
  await work(
    context,
    handleAffiliatesJob,
    async () => {
      const now = new Date()
      await forgetVisitors(context, now)
      await releaseCommissions(context, now)
    },
    { concurrency: 1 },
  )
  await context.boss.schedule(handleAffiliatesJob.queue, '7-59/15 * * * *')
}
