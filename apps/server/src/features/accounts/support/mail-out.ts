/** Sends what was written to whom it is for, so that mail programs show one conversation. */
import type { Context } from '#src/context.ts'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { defineJob, mailRetries } from '#src/jobs/boss.ts'
import { mailIdOf, type MailReader } from './mail-ids.ts'
import { ticketAnswerMail, ticketForSupportMail, ticketReceivedMail } from './mails.ts'
import {
  findFirstMessageId,
  findMessage,
  findTicket,
  isProvenAddress,
  type MessageRow,
  selectMessages,
  type TicketRow,
} from './repo.ts'

/** One mail each: when one of them has to be sent again, the other is not. Without a message: the first one. */
export const sendTicketMailJob = defineJob<{
  ticketId: string
  to: 'support' | 'writer'
  messageId?: string
  /** To the writer: that it has arrived, what support has written, or that it is solved. */
  what?: 'received' | 'answer' | 'solved'
}>({
  queue: 'send-ticket-mail',
  ...mailRetries,
})

/** Where customers write to. */
export const supportAddress = (settings: Pick<Settings, 'SUPPORT_EMAIL' | 'ADMIN_EMAIL'>): string =>
  settings.SUPPORT_EMAIL ?? settings.ADMIN_EMAIL

/** Does the job. */
export async function sendTicketMail(
  context: Pick<Context, 'db' | 'mailer' | 'settings' | 'secrets'>,
  { ticketId, to, messageId: wanted, what = 'received' }: NonNullable<(typeof sendTicketMailJob)['data']>,
): Promise<void> {
  const { db, settings } = context
  const ticket = await findTicket(db, ticketId)
  const messageId = wanted ?? (await findFirstMessageId(db, ticketId))
  const message = messageId === undefined ? undefined : await findMessage(db, messageId)
  if (ticket === undefined || message === undefined) return // deleted meanwhile
  const support = supportAddress(settings)
  const thread = await threadOf(context, {
    ticket,
    message,
    reader: to === 'support' ? 'desk' : 'writer',
    isItself: what !== 'solved',
  })
  if (to === 'support') {
    await context.mailer.send({
      to: support,
      replyTo: settings.SUPPORT_INBOUND_SECRET === undefined ? ticket.email : support,
      ...thread,
      ...ticketForSupportMail({
        ...ticket,
        body: message.body,
        link: `${publicUrl(settings)}/en/admin/tickets/${ticket.id}`,
        isFirst: thread.references === undefined,
      }),
    })
    return
  }
  const isAnswer = what !== 'received'
  const link =
    ticket.user_id === null ? undefined : `${publicUrl(settings)}/${ticket.language}/account/support/${ticket.id}`
  await context.mailer.send({
    to: ticket.email,
    replyTo: support,
    ...thread,
    // A person has written it: absence notes may answer.
    ...(what === 'answer' && { headers: { 'Auto-Submitted': 'no' } }),
    ...(isAnswer
      ? ticketAnswerMail({
          ...ticket,
          body: what === 'answer' ? message.body : null,
          isSolved: ticket.status === 'SOLVED',
          link,
        })
      : ticketReceivedMail({
          ...ticket,
          isProven: await isProvenAddress(db, ticket),
          answerHours: settings.SUPPORT_ANSWER_HOURS,
          link,
        })),
  })
}

/** Names of this mail and of those before it that its reader has. */
async function threadOf(
  { db, secrets, settings }: Pick<Context, 'db' | 'secrets' | 'settings'>,
  {
    ticket,
    message,
    reader,
    isItself,
  }: {
    ticket: TicketRow
    message: MessageRow
    reader: MailReader
    /** Otherwise the mail only follows on the message: two of one name would be one. */
    isItself: boolean
  },
): Promise<{ messageId?: string; inReplyTo?: string; references?: string[] }> {
  const host = supportAddress(settings).split('@')[1] ?? 'localhost'
  const nameOf = ({ id }: Pick<MessageRow, 'id'>) =>
    mailIdOf(secrets.mailLinks, { ticketId: ticket.id, messageId: id, reader }, host)
  const named = isItself ? { messageId: nameOf(message) } : {}
  const all = await selectMessages(db, ticket.id)
  const before = all.filter(({ id, is_note }) => id < message.id && !is_note)
  const known = before.flatMap((one) => {
    // Of what the reader has written by mail they know their own name for it.
    if (one.author === (reader === 'writer' ? 'writer' : 'staff')) return one.mail_id === null ? [] : [one.mail_id]
    return [nameOf(one)]
  })
  // The first mail to a writer is the receipt, which is named after what they wrote.
  const [first] = all
  if (reader === 'writer' && first !== undefined && first.id !== message.id && first.author === 'writer')
    known.unshift(nameOf(first))
  if (!isItself) known.push(nameOf(message))
  const references = [...new Set(known)].filter(isName).slice(-20)
  const last = references.at(-1)
  // What came by mail is answered under the name that its sender knows.
  if (last === undefined && isItself && message.mail_id !== null && reader === 'writer' && isName(message.mail_id))
    return { ...named, inReplyTo: message.mail_id, references: [message.mail_id] }
  return last === undefined ? named : { ...named, inReplyTo: last, references }
}

const isName = (text: string) => /^<[\x21-\x3B\x3D\x3F-\x7E]{1,500}>$/.test(text)
