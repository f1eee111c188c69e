import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { sendNewsletterMail, sendNewsletterMailJob } from './sending.ts'

export { sendNewsletterMailJob }

export async function registerNewsletterJobs(context: Context): Promise<void> {
  await work(context, sendNewsletterMailJob, (data) => sendNewsletterMail(context, data))
}
