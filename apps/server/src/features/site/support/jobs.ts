import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { sendTicketMail, sendTicketMailJob } from './service.ts'

export async function registerSupportJobs(context: Context): Promise<void> {
  await work(context, sendTicketMailJob, (data) => sendTicketMail(context, data))
}
