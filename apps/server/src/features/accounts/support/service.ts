/**
 * Tickets: what their writers do with them, and what follows when something was written, by whatever way it came.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type {
  createTicketBody,
  ListedTicket,
  satisfactionBody,
  TicketContext,
  ticketSchema,
  TicketThread,
  writeMessageBody,
} from '@wakestone/contract/accounts/support'
import { type TicketAction, ticketAfter } from '@wakestone/contract/accounts/ticket-states'
import type { Language, TicketListState, TicketStatus } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { enqueue } from '#src/jobs/boss.ts'
import type { OwnerCheck } from '#src/owner-check.ts'
import { dropFiles, type GivenFile, keepFiles, type KeptFile } from './attachments.ts'
import { answerDue, describeListed, describeThread } from './describe.ts'
import { selectUnanswered } from './desk-repo.ts'
import { sendTicketMailJob } from './mail-out.ts'
import {
  findAccountEmail,
  findTicketOwner,
  insertAttachments,
  insertMessage,
  insertTicket,
  lockTicket,
  type NewMessage,
  selectTicketsOf,
  type TicketRow,
  updateTicket,
} from './repo.ts'
import { findTicket } from './repo.ts'

export { sendTicketMailJob } from './mail-out.ts'

const notFound = () => new DomainError('ticket_not_found', { resource: 'ticket' })
/** How many tickets wait for an answer, and how many of those for longer than they should. */
export const countUnanswered = ({ db, settings }: Pick<Context, 'db' | 'settings'>) =>
  selectUnanswered(db, settings.SUPPORT_ANSWER_HOURS)

export const ticketOwners: OwnerCheck = {
  findOwner: findTicketOwner,
  notFound: { code: 'ticket_not_found', resource: 'ticket' },
}

type Writer = { userId: string; language: Language }

/**
 * @param about.context of the server that it is about, which its writer may see
 * @throws DomainError `too_many_requests`; `invalid_request` for a visitor without an address; `unauthorized` for files of
 * a visitor; `invalid_file`, `file_is_too_large`.
 */
export async function createTicket(
  context: Context,
  body: z.output<typeof createTicketBody>,
  { user, ip, about, files }: { user: Writer | undefined; ip: string; about?: TicketContext; files: GivenFile[] },
): Promise<z.output<typeof ticketSchema>> {
  const email = user === undefined ? body.email : await findAccountEmail(context.db, user.userId)
  if (email === undefined) throw new DomainError('invalid_request', { email: 'required' })
  await requireWithinLimit(context, 'ticket', { ip, userId: user?.userId, email })
  // Whoever fills in what people do not see learns nothing from the answer.
  const due = answerDue(new Date(), context.settings.SUPPORT_ANSWER_HOURS)
  if (body.website !== '') return { number: 1000, status: 'NEW', id: null, answer_due_at: due }
  return withFiles(context, files, (kept) =>
    inTransaction(context.db, async (trx) => {
      const ticket = await openTicket(context, trx, {
        userId: user?.userId ?? null,
        email,
        language: user?.language ?? body.language,
        topic: body.topic,
        subject: body.subject,
        serverId: about?.server_id,
        context: about,
        message: { author: 'writer', authorId: user?.userId ?? null, body: body.message },
      })
      await insertAttachments(trx, ticket.messageId, kept)
      const id = user === undefined ? null : ticket.id
      return { number: ticket.number, status: 'NEW' as const, id, answer_due_at: due }
    }),
  )
}

/** Begins a ticket with its first message, and tells both sides by mail. */
export async function openTicket(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  { message, ...ticket }: Parameters<typeof insertTicket>[1] & { message: Omit<NewMessage, 'ticketId'> },
): Promise<{ id: string; number: number; messageId: string }> {
  const { id: ticketId, number } = await insertTicket(trx, ticket)
  const messageId = await insertMessage(trx, { ...message, ticketId })
  for (const to of ['support', 'writer'] as const)
    await enqueue(boss, trx, sendTicketMailJob, { ticketId, to, messageId })
  return { id: ticketId, number, messageId }
}

/**
 * Adds what somebody has written to a ticket that is locked, with what follows from it: its state, the writer's clock,
 * mails and the notification.
 * @param message.solves an answer of support with which it is done
 * @throws DomainError `ticket_cannot_do_that`.
 */
export async function addMessage(
  { boss }: Pick<Context, 'boss'>,
  trx: Transaction,
  ticket: TicketRow,
  { solves = false, ...message }: Omit<NewMessage, 'ticketId'> & { solves?: boolean },
): Promise<string> {
  const ticketId = ticket.id
  const isNote = message.isNote ?? false
  const action: TicketAction = message.author === 'writer' ? 'write' : solves ? 'solve' : 'answer'
  const status = isNote ? ticket.status : requireAfter(ticket.status, action)
  const messageId = await insertMessage(trx, { ...message, ticketId })
  if (isNote) {
    await updateTicket(trx, ticketId, {}) // those who look at it are told
    return messageId
  }
  await moveTicket(trx, ticket, status, {
    waiting: message.author === 'writer',
    // Who answers first looks after it.
    ...(ticket.assignee_id === null && message.author === 'staff' && { assignee: message.authorId }),
  })
  if (message.author === 'writer') await enqueue(boss, trx, sendTicketMailJob, { ticketId, to: 'support', messageId })
  else await enqueue(boss, trx, sendTicketMailJob, { ticketId, to: 'writer', messageId, what: 'answer' })
  return messageId
}

/** @throws DomainError `ticket_cannot_do_that`. */
export function requireAfter(status: TicketStatus, action: TicketAction): TicketStatus {
  const next = ticketAfter(status, action)
  if (next === undefined) throw new DomainError('ticket_cannot_do_that', { resource: 'ticket', status })
  return next
}

/** Writes a state with what hangs on it, and tells its writer where it is news to them. */
export async function moveTicket(
  trx: Transaction,
  ticket: TicketRow,
  status: TicketStatus,
  { waiting, assignee, tell = !waiting }: { waiting: boolean; assignee?: string | null; tell?: boolean },
): Promise<void> {
  const isOver = status === 'SOLVED' || status === 'CLOSED'
  await updateTicket(trx, ticket.id, {
    status,
    waiting_since: isOver || !waiting ? null : (ticket.waiting_since ?? new Date()),
    solved_at: isOver ? (ticket.solved_at ?? new Date()) : null,
    ...(assignee !== undefined && { assignee_id: assignee }),
  })
  if (!tell || ticket.user_id === null) return
  await notify(trx, {
    userId: ticket.user_id,
    kind: 'SUPPORT_TICKET_UPDATED',
    fields: { number: ticket.number, subject: ticket.subject, status },
    resource: { type: 'ticket', id: ticket.id },
  })
}

/** Newest first. */
export async function listTicketsOf(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
  state?: TicketListState,
): Promise<ListedTicket[]> {
  const status = state === undefined ? undefined : (state.toUpperCase() as TicketStatus)
  const rows = await selectTicketsOf(db, userId, status)
  return rows.map((row) => describeListed(row, settings.SUPPORT_ANSWER_HOURS))
}

export async function showTicket(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  id: string,
): Promise<TicketThread> {
  const ticket = await findTicket(db, id)
  if (ticket === undefined) throw notFound()
  return describeThread(db, ticket, settings.SUPPORT_ANSWER_HOURS)
}

/** What its writer adds. */
export async function writeMore(
  context: Context,
  { message }: z.output<typeof writeMessageBody>,
  { id, user, files }: { id: string; user: Writer; files: GivenFile[] },
): Promise<TicketThread> {
  await requireWithinLimit(context, 'ticketMessage', { userId: user.userId })
  const ticket = await findTicket(context.db, id)
  if (ticket === undefined) throw notFound()
  requireAfter(ticket.status, 'write')
  await withFiles(context, files, (kept) =>
    changeLocked(context, id, async (trx, locked) => {
      const words = { author: 'writer', authorId: user.userId, body: message } as const
      await insertAttachments(trx, await addMessage(context, trx, locked, words), kept)
    }),
  )
  return showTicket(context, id)
}

export async function solveOwn(context: Context, id: string): Promise<TicketThread> {
  await changeLocked(context, id, (trx, ticket) =>
    moveTicket(trx, ticket, requireAfter(ticket.status, 'solve'), { waiting: false, tell: false }),
  )
  return showTicket(context, id)
}

/** @throws DomainError `ticket_cannot_do_that` while it is not solved. */
export async function rateSupport(
  context: Context,
  id: string,
  { rate, comment }: z.output<typeof satisfactionBody>,
): Promise<TicketThread> {
  await changeLocked(context, id, async (trx, ticket) => {
    const { status } = ticket
    if (status !== 'SOLVED' && status !== 'CLOSED')
      throw new DomainError('ticket_cannot_do_that', { resource: 'ticket', status })
    await updateTicket(trx, id, { satisfaction: rate, satisfaction_comment: comment, satisfied_at: new Date() })
  })
  return showTicket(context, id)
}

/** Changes a ticket while nobody else does. @throws DomainError `ticket_not_found`. */
export function changeLocked<Result>(
  { db }: Pick<Context, 'db'>,
  id: string,
  work: (trx: Transaction, ticket: TicketRow) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const ticket = await lockTicket(trx, id)
    if (ticket === undefined) throw notFound()
    return work(trx, ticket)
  })
}

/** Keeps files for as long as what names them was written. */
export async function withFiles<Result>(
  context: Context,
  files: readonly GivenFile[],
  work: (kept: KeptFile[]) => Promise<Result>,
): Promise<Result> {
  const kept = await keepFiles(context, files)
  try {
    return await work(kept)
  } catch (error) {
    await dropFiles(context.settings, kept)
    throw error
  }
}
