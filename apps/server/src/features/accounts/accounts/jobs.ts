import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { deleteAccountsJob, deleteDueAccounts } from './deletion.ts'
import { sendDigitsJob, sendDigitsMail } from '#src/features/accounts/sign-in/mail-digits.ts'
import { sendLinkJob, sendLinkMail } from '#src/features/accounts/sign-in/mail-links.ts'
import { resetPasswordJob, sendPasswordReset } from '#src/features/accounts/sign-in/password.ts'

export const userJobs = [sendLinkJob, sendDigitsJob, resetPasswordJob, deleteAccountsJob]

export async function registerUserJobs(context: Context): Promise<void> {
  await work(context, sendLinkJob, (data) => sendLinkMail(context, data))
  await work(context, sendDigitsJob, (data) => sendDigitsMail(context, data))
  await work(context, resetPasswordJob, (data) => sendPasswordReset(context, data))
  await work(context, deleteAccountsJob, () => deleteDueAccounts(context))
  await context.boss.schedule(deleteAccountsJob.queue, '17 * * * *')
}
