/** Sends the mails about a subscription. */
import type { Language } from '@wakestone/contract/primitives'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { defineJob, mailRetries } from '#src/jobs/boss.ts'
import { confirmCode, unsubscribeCode } from './codes.ts'
import { newsletterMail, type NewsletterMailKind } from './mails.ts'
import { findSubscription, isSubscribed } from './repo.ts'

type Data = { subscriptionId: string; requestId: string; kind: NewsletterMailKind }

export const sendNewsletterMailJob = defineJob<Data>({
  queue: 'send-newsletter-mail',
  ...mailRetries,
})

/** Does the job, unless what it says is no longer so. */
export async function sendNewsletterMail(
  context: Pick<Context, 'db' | 'mailer' | 'secrets' | 'settings'>,
  { subscriptionId, requestId, kind }: Data,
): Promise<void> {
  const row = await findSubscription(context.db, subscriptionId)
  if (row === undefined) return
  if (kind === 'confirm' ? isSubscribed(row) || row.request_id !== requestId : !isSubscribed(row)) return
  const language = row.language as Language
  const page = (name: 'confirm' | 'unsubscribe', code: string) =>
    `${publicUrl(context.settings)}/${language}/newsletter/${name}?code=${encodeURIComponent(code)}`
  const leave = page('unsubscribe', unsubscribeCode(context, row))
  await context.mailer.send({
    to: row.email,
    ...newsletterMail({ kind, language, confirm: page('confirm', confirmCode(context, row)), leave }),
    // RFC 8058: the mail program itself offers to leave, and posts to that page.
    headers: { 'List-Unsubscribe': `<${leave}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
}
