import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { clearHistory } from './service.ts'

/** Each hour: minutes are kept for little more than a day. */
export const clearHistoryJob = defineJob<Record<string, never>>({
  queue: 'clear-history-of-servers',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 900,
})

export async function registerHistoryJobs(context: Context): Promise<void> {
  await work(context, clearHistoryJob, () => clearHistory(context))
  await context.boss.schedule(clearHistoryJob.queue, '17 * * * *')
}
