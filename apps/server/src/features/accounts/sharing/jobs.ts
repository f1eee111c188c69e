import type { Context } from '#src/context.ts'
import { work } from '#src/jobs/boss.ts'
import { sendInvitationJob, sendInvitationMail } from './invitation-mail.ts'

export const sharingJobs = [sendInvitationJob]

export async function registerSharingJobs(context: Context): Promise<void> {
  await work(context, sendInvitationJob, (data) => sendInvitationMail(context, data))
}
