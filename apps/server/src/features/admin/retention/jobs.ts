import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { clearOldRecords } from './service.ts'

/** Each night. */
export const clearOldRecordsJob = defineJob<Record<string, never>>({
  queue: 'clear-old-records',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 1800,
})

export async function registerRetentionJobs(context: Context): Promise<void> {
  await work(context, clearOldRecordsJob, () => clearOldRecords(context))
  await context.boss.schedule(clearOldRecordsJob.queue, '41 3 * * *')
}
