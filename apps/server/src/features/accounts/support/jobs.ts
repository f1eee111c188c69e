import type { Context } from '#src/context.ts'
import { defineJob, work } from '#src/jobs/boss.ts'
import { closeSolved } from './desk.ts'
import { sendTicketMail, sendTicketMailJob } from './mail-out.ts'

/** Each hour. */
export const closeSolvedJob = defineJob<Record<string, never>>({
  queue: 'close-solved-tickets',
  policy: 'short',
  retryLimit: 3,
  retryDelaySeconds: 60,
  expireInSeconds: 600,
})
export const supportJobs = [sendTicketMailJob, closeSolvedJob]

export async function registerSupportJobs(context: Context): Promise<void> {
  await work(context, sendTicketMailJob, (data) => sendTicketMail(context, data))
  await work(context, closeSolvedJob, async () => void (await closeSolved(context)))
  await context.boss.schedule(closeSolvedJob.queue, '17 * * * *')
}
