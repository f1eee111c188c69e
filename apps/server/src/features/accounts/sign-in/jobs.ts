import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { sendDigitsJob, sendDigitsMail } from './mail-digits.ts'
import { sendLinkJob, sendLinkMail } from './mail-links.ts'
import { resetPasswordJob, sendPasswordReset } from './password.ts'

export const signInJobs = [sendLinkJob, sendDigitsJob, resetPasswordJob]

export async function registerSignInJobs(context: Context): Promise<void> {
  await work(context, sendLinkJob, (data) => sendLinkMail(context, data))
  await work(context, sendDigitsJob, (data) => sendDigitsMail(context, data))
  await work(context, resetPasswordJob, (data) => sendPasswordReset(context, data))
}
