import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { sendConfirmation, sendConfirmationJob } from './email-confirmation.ts'

export async function registerUserJobs(context: Context): Promise<void> {
  await work(context, sendConfirmationJob, (data) => sendConfirmation(context, data))
}
