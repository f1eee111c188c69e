/**
 * Takes mails to support in. Who a mail says that it is from proves nothing: into a ticket leads only the name of a mail
 * of ours, which nobody can make up, and as its writer's own words count only those from the ticket's address.
 */
import { createHash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import type { z } from 'zod'
import type { inboundMailSchema } from '@wakestone/contract/accounts/support'
import type { Language } from '@wakestone/contract/primitives'
import { emailSchema } from '@wakestone/contract/validation'
import { ticketLimits } from '@wakestone/contract/values'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { dropFiles, keepFittingFiles } from './attachments.ts'
import { findStaff } from './desk.ts'
import { supportAddress } from './mail-out.ts'
import { findMailId, type MailReader } from './mail-ids.ts'
import { ownWords, plainText, wordsOfHtml } from './mail-texts.ts'
import { findTicket, insertAttachments, isMailKnown, lockTicket, type NewMessage, type TicketRow } from './repo.ts'
import { addMessage, openTicket } from './service.ts'

type Outcome = z.input<typeof inboundMailSchema>
type Ignored = NonNullable<Outcome['reason']>
const ignored = (reason: Ignored): Outcome => ({ outcome: 'ignored', reason, number: null })

/** Nobody writes mails in more parts within parts, nor longer heads. */
const parsing = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true }

/** @throws DomainError `too_many_requests`: the mail server is to try again later. */
export async function takeMail(context: Context, bytes: Buffer): Promise<Outcome> {
  const mail = await PostalMime.parse(bytes, parsing).catch(() => undefined)
  if (mail === undefined) return ignored('unreadable')
  const reason = whyIgnored(mail, [context.settings.MAIL_FROM, supportAddress(context.settings)])
  if (reason !== undefined) return ignored(reason)
  const from = senderOf(mail)
  if (from === undefined) return ignored('no_sender')
  const mailId = idOf(mail, bytes)
  if (await isMailKnown(context.db, mailId)) return ignored('repeated')
  const body = ownWords(mail.text?.trim() ? mail.text : wordsOfHtml(mail.html ?? ''))
  if (body === '' && mail.attachments.length === 0) return ignored('empty')
  await requireWithinLimit(context, 'ticketMail', { email: from })

  const answered = findMailId(context.secrets.mailLinks, [mail.inReplyTo ?? '', mail.references ?? ''])
  const ticket = answered && (await findTicket(context.db, answered.ticketId))
  const { kept, leftOut } = await keepFittingFiles(
    context,
    mail.attachments.map(({ filename, content }) => ({ name: filename ?? '', bytes: bytesOf(content) })),
  )
  const words = { body: body === '' ? '…' : body, via: 'mail' as const, mailId, leftOut }
  try {
    return await inTransaction(context.db, async (trx): Promise<Outcome> => {
      const attach = (messageId: string) => insertAttachments(trx, messageId, kept)
      // Somebody who only has the address of support writes something new.
      if (ticket === undefined || answered === undefined) {
        await requireWithinLimit(context, 'ticket', { email: from })
        return open(context, trx, { mail, from, words, attach })
      }
      const locked = (await lockTicket(trx, ticket.id)) ?? ticket
      const author = await authorOf(context, locked, { from, reader: answered.reader })
      if (author?.author === 'writer' && locked.status === 'CLOSED')
        return open(context, trx, { mail, from, words, attach, follows: locked })
      // Closed, or from whom nobody knows: nothing is answered, nothing opens again, but support sees it.
      const isNote = author === undefined || locked.status === 'CLOSED'
      const messageId = await addMessage(context, trx, locked, {
        ...words,
        author: author?.author ?? 'writer',
        authorId: author?.authorId ?? null,
        isNote,
        sender: author === undefined ? from : undefined,
      })
      await attach(messageId)
      return { outcome: isNote ? 'noted' : 'added', reason: null, number: locked.number }
    })
  } catch (error) {
    await dropFiles(context.settings, kept)
    // The same mail, twice at once.
    if ((error as { code?: string; constraint?: string }).constraint === 'support_messages_mail_id_key')
      return ignored('repeated')
    throw error
  }
}

type Words = Pick<NewMessage, 'body' | 'via' | 'mailId' | 'leftOut'>

async function open(
  context: Context,
  trx: Transaction,
  {
    mail,
    from,
    words,
    attach,
    follows,
  }: { mail: Email; from: string; words: Words; attach: (id: string) => Promise<void>; follows?: TicketRow },
): Promise<Outcome> {
  const { number, messageId } = await openTicket(context, trx, {
    // Nobody has proved to be the account: only what follows from a ticket of an account is the account's.
    userId: follows?.user_id ?? null,
    email: follows?.email ?? from,
    language: follows?.language ?? languageOf(mail),
    topic: follows?.topic ?? 'other',
    subject: subjectOf(mail),
    followsId: follows?.id,
    message: { ...words, author: 'writer', authorId: follows?.user_id ?? null },
  })
  await attach(messageId)
  return { outcome: 'opened', reason: null, number }
}

/** Whose words an answer is; undefined: somebody else's, who was given the mail or pretends to be somebody. */
async function authorOf(
  context: Context,
  ticket: TicketRow,
  { from, reader }: { from: string; reader: MailReader },
): Promise<Pick<NewMessage, 'author' | 'authorId'> | undefined> {
  if (reader === 'writer')
    return from === ticket.email.toLowerCase() ? { author: 'writer', authorId: ticket.user_id } : undefined
  // The mail went to support's own mailbox. Who answers from there is known by the address of their account.
  const agent = (await findStaff(context.db)).find(({ email }) => email === from)
  if (agent !== undefined) return { author: 'staff', authorId: agent.id }
  return from === supportAddress(context.settings).toLowerCase() ? { author: 'staff', authorId: null } : undefined
}

/**
 * Why nobody is to be answered: it was sent by a program, and an answer may be answered by one again (RFC 3834).
 * @param own addresses that we send from
 */
export function whyIgnored(mail: Email, own: readonly string[]): Ignored | undefined {
  const valueOf = (name: string) =>
    mail.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase()
  const has = (name: string) => valueOf(name) !== undefined
  const contentType = valueOf('content-type') ?? ''
  const sender = mail.from?.address?.toLowerCase() ?? ''
  if (valueOf('return-path') === '<>' || /^(?:mailer-daemon|postmaster)@/.test(sender)) return 'bounce'
  if (contentType.startsWith('multipart/report')) return 'bounce'
  if (has('list-id') || has('list-unsubscribe') || has('list-post')) return 'list'
  const submitted = valueOf('auto-submitted')
  // Ours say so too, but for those that a person wrote: an answer of support's mailbox is one.
  if (submitted !== undefined && submitted !== 'no') return 'automatic'
  if (/^(?:bulk|junk|list|auto_reply)$/.test(valueOf('precedence') ?? '')) return 'automatic'
  if (has('x-autoreply') || has('x-autorespond') || has('x-auto-response-suppress')) return 'automatic'
  if (/(?:^|[<@ ])no-?reply@|^do-?not-?reply@/.test(sender)) return 'automatic'
  // What we have sent ourselves, come back by a rule of some mailbox.
  if (/^<ticket\.[wd]\.[0-9a-f]{32}\./.test(mail.messageId?.toLowerCase() ?? '')) return 'own'
  const [mailFrom = ''] = own
  const ownAddress = /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  if (sender === ownAddress.toLowerCase() && sender !== own[1]?.toLowerCase()) return 'own'
  return undefined
}

function senderOf(mail: Email): string | undefined {
  // Two addresses in one `From` are a trick: which of them is it?
  if (mail.headers.filter(({ key }) => key === 'from').length !== 1) return undefined
  return emailSchema.safeParse(mail.from?.address).data
}

/** By which a mail is known again; one without a name by what it is. */
function idOf(mail: Email, bytes: Buffer): string {
  const given = mail.messageId?.trim() ?? ''
  if (/^<[\x21-\x3B\x3D\x3F-\x7E]{3,500}>$/.test(given)) return given
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function subjectOf(mail: Email): string {
  const subject = plainText(mail.subject ?? '')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^(?:(?:re|fwd?|odp|aw|wg):\s*)+/iu, '')
    .trim()
    .slice(0, ticketLimits.subject.max)
  return subject.length >= ticketLimits.subject.min ? subject : '…'
}

const languageOf = (mail: Email): Language => {
  const said = mail.headers.find(({ key }) => key === 'content-language' || key === 'accept-language')?.value ?? ''
  const short = said.trim().slice(0, 2).toLowerCase()
  return short === 'pl' || short === 'de' ? short : 'en'
}

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)
