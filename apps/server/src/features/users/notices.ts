/** Mails that tell an account's owner what happened to it: enqueued with what they tell of, sent by the worker. */
import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { type Notice, noticeMail } from './mails.ts'

export const sendNoticeJob = defineJob<Notice>({
  queue: 'send-account-notice',
  policy: 'standard',
  retryLimit: 8,
  retryDelaySeconds: 5,
  expireInSeconds: 60,
})

export function sendNotice(context: Pick<Context, 'boss'>, trx: Transaction, notice: Notice): Promise<void> {
  return enqueue(context.boss, trx, sendNoticeJob, notice)
}

/** Does the job. */
export async function sendNoticeMail(context: Pick<Context, 'mailer' | 'settings'>, notice: Notice): Promise<void> {
  await context.mailer.send({ to: notice.to, ...noticeMail(notice, context.settings) })
}
