import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { liftDueBans } from './timed-bans.ts'

/** Each minute: bans that are over. */
export const liftBansJob = defineJob<Record<string, never>>({
  queue: 'lift-bans-of-players',
  policy: 'singleton',
  retryLimit: 0,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})

export async function registerPlayerJobs(context: Context): Promise<void> {
  await work(context, liftBansJob, () => liftDueBans(context))
  await context.boss.schedule(liftBansJob.queue, '* * * * *')
}
