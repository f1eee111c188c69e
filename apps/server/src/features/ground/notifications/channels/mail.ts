import { isChannelFixed } from '@wakestone/contract/ground/notification-kinds'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { pagesOf } from '../links.ts'
import { writeMail } from '../render.ts'
import { unsubscribeCode } from '../unsubscribe.ts'
import type { Delivery } from '../deliveries-repo.ts'

/** Sends a notification as a mail. Its id is that of the delivery: a second copy is known as one. */
export async function sendMail(
  context: Pick<Context, 'mailer' | 'settings' | 'secrets'>,
  delivery: Delivery,
): Promise<'sent' | 'kept'> {
  const { kind, language, timeZone, username, userId } = delivery
  const site = publicUrl(context.settings)
  const leave = isChannelFixed(kind, 'mail')
    ? undefined
    : `${site}/${language}/notifications/unsubscribe?code=${encodeURIComponent(unsubscribeCode(context, { userId, kind }))}`
  return context.mailer.send({
    to: delivery.mailTo ?? delivery.email,
    messageId: `<${delivery.id}@${new URL(site).hostname}>`,
    ...writeMail(kind, {
      language,
      timeZone,
      username,
      fields: { ...delivery.fields, ...delivery.secret },
      pages: pagesOf(delivery, context.settings),
      unsubscribe: leave,
      site,
    }),
    // RFC 8058: the mail program itself offers to leave, and posts to that page.
    ...(leave === undefined
      ? {}
      : { headers: { 'List-Unsubscribe': `<${leave}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } }),
  })
}
