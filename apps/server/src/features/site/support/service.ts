/**
 * Tickets: stored, and mailed to support and back to the writer.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language, TicketTopic } from '@wakestone/contract/primitives'
import type { createTicketBody, listedTicketSchema, ticketSchema } from '@wakestone/contract/site/support'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { defineJob, enqueue, mailRetries } from '#src/jobs/boss.ts'
import { ticketForSupportMail, ticketReceivedMail } from './mails.ts'
import { findAccountEmail, findTicket, insertMessage, insertTicket, selectTicketsOf } from './repo.ts'

/** One mail each: when one of them has to be sent again, the other is not. */
export const sendTicketMailJob = defineJob<{ ticketId: string; to: 'support' | 'writer' }>({
  queue: 'send-ticket-mail',
  ...mailRetries,
})

type Ticket = z.output<typeof ticketSchema>

/** @throws DomainError `too_many_requests`; `invalid_request` for a visitor without an address. */
export async function createTicket(
  context: Context,
  body: z.output<typeof createTicketBody>,
  { user, ip }: { user: { userId: string; language: Language } | undefined; ip: string },
): Promise<Ticket> {
  const email = user === undefined ? body.email : await findAccountEmail(context.db, user.userId)
  if (email === undefined) throw new DomainError('invalid_request', { email: 'required' })
  await requireWithinLimit(context, 'ticket', { ip, userId: user?.userId, email })
  // Whoever fills in what people do not see learns nothing from the answer.
  if (body.website !== '') return { number: 1000, status: 'NEW' }
  return inTransaction(context.db, async (trx) => {
    const ticket = await insertTicket(trx, {
      userId: user?.userId ?? null,
      email,
      language: user?.language ?? body.language,
      topic: body.topic,
      subject: body.subject,
    })
    await insertMessage(trx, { ticketId: ticket.id, authorId: user?.userId ?? null, body: body.message })
    for (const to of ['support', 'writer'] as const)
      await enqueue(context.boss, trx, sendTicketMailJob, { ticketId: ticket.id, to })
    return { number: ticket.number, status: 'NEW' }
  })
}

/** Newest first. */
export async function listTicketsOf(
  { db }: Pick<Context, 'db'>,
  userId: string,
): Promise<z.output<typeof listedTicketSchema>[]> {
  const rows = await selectTicketsOf(db, userId)
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    status: row.status as Ticket['status'],
    topic: row.topic as TicketTopic,
    subject: row.subject,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

/** Does the job. */
export async function sendTicketMail(
  context: Pick<Context, 'db' | 'mailer' | 'settings'>,
  { ticketId, to }: { ticketId: string; to: 'support' | 'writer' },
): Promise<void> {
  const found = await findTicket(context.db, ticketId)
  if (found === undefined) return
  const ticket = { ...found, language: found.language as Language, topic: found.topic as TicketTopic }
  const support = context.settings.SUPPORT_EMAIL ?? context.settings.ADMIN_EMAIL
  await context.mailer.send(
    to === 'support'
      ? { to: support, replyTo: ticket.email, ...ticketForSupportMail(ticket) }
      : { to: ticket.email, replyTo: support, ...ticketReceivedMail(ticket) },
  )
}
