/** Tickets and what is written in them. */
import { type Selectable, sql } from 'kysely'
import type { Language, TicketSatisfaction, TicketStatus, TicketTopic } from '@wakestone/contract/primitives'
import type { TicketContext } from '@wakestone/contract/accounts/support'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { SupportAttachments, SupportTickets } from '#src/db/types.gen.ts'

type Stored = Selectable<SupportTickets>
export type TicketRow = Omit<Stored, 'context' | 'language' | 'topic' | 'status' | 'satisfaction'> & {
  language: Language
  topic: TicketTopic
  status: TicketStatus
  context: TicketContext | null
  satisfaction: TicketSatisfaction | null
  username: string | null
  server_name: string | null
  assignee_name: string | null
  follows_number: number | null
}
export type AttachmentRow = Selectable<SupportAttachments>
export type MessageRow = {
  id: string
  ticket_id: string
  author: 'writer' | 'staff'
  author_id: string | null
  name: string | null
  is_note: boolean
  via: 'panel' | 'mail'
  body: string
  sender_email: string | null
  mail_id: string | null
  left_out: number
  created_at: Date
}

export async function insertTicket(
  trx: Transaction,
  ticket: {
    userId: string | null
    email: string
    language: Language
    topic: TicketTopic
    subject: string
    serverId?: string | undefined
    context?: TicketContext | undefined
    followsId?: string | undefined
  },
): Promise<{ id: string; number: number }> {
  return trx
    .insertInto('support_tickets')
    .values({
      user_id: ticket.userId,
      email: ticket.email,
      language: ticket.language,
      topic: ticket.topic,
      subject: ticket.subject,
      server_id: ticket.serverId ?? null,
      context: ticket.context === undefined ? null : JSON.stringify(ticket.context),
      follows_id: ticket.followsId ?? null,
      waiting_since: new Date(),
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
}

export type NewMessage = {
  ticketId: string
  author: 'writer' | 'staff'
  authorId: string | null
  body: string
  isNote?: boolean
  via?: 'panel' | 'mail'
  sender?: string | undefined
  mailId?: string | undefined
  leftOut?: number
}

export async function insertMessage(trx: Transaction, message: NewMessage): Promise<string> {
  const { id } = await trx
    .insertInto('support_messages')
    .values({
      ticket_id: message.ticketId,
      author: message.author,
      author_id: message.authorId,
      body: message.body,
      is_note: message.isNote ?? false,
      via: message.via ?? 'panel',
      sender_email: message.sender ?? null,
      mail_id: message.mailId ?? null,
      left_out: message.leftOut ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertAttachments(
  trx: Transaction,
  messageId: string,
  files: readonly Omit<AttachmentRow, 'message_id' | 'position' | 'created_at'>[],
): Promise<void> {
  if (files.length === 0) return
  await trx
    .insertInto('support_attachments')
    .values(files.map((file, position) => ({ ...file, message_id: messageId, position })))
    .execute()
}

export const ticketsWithNames = (db: Handle) =>
  db
    .selectFrom('support_tickets as ticket')
    .leftJoin('users', 'users.id', 'ticket.user_id')
    .leftJoin('users as assignee', 'assignee.id', 'ticket.assignee_id')
    .leftJoin('servers', 'servers.id', 'ticket.server_id')
    .leftJoin('support_tickets as before', 'before.id', 'ticket.follows_id')
    .selectAll('ticket')
    .select([
      'users.username',
      'assignee.username as assignee_name',
      'servers.name as server_name',
      'before.number as follows_number',
    ])

export async function findTicket(db: Handle, id: string): Promise<TicketRow | undefined> {
  return (await ticketsWithNames(db).where('ticket.id', '=', id).executeTakeFirst()) as TicketRow | undefined
}

/** Keeps others from changing it until the transaction ends. */
export async function lockTicket(trx: Transaction, id: string): Promise<TicketRow | undefined> {
  const locked = await trx
    .selectFrom('support_tickets')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return locked && findTicket(trx, id)
}

export async function findTicketOwner(db: Handle, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('support_tickets').select('user_id').where('id', '=', id).executeTakeFirst()
  return row?.user_id ?? undefined
}

export async function updateTicket(
  trx: Transaction,
  id: string,
  change: Partial<
    Pick<
      Stored,
      | 'status'
      | 'topic'
      | 'assignee_id'
      | 'waiting_since'
      | 'solved_at'
      | 'satisfaction'
      | 'satisfaction_comment'
      | 'satisfied_at'
    >
  >,
): Promise<void> {
  await trx
    .updateTable('support_tickets')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function selectTicketsOf(db: Handle, userId: string, status?: TicketStatus): Promise<TicketRow[]> {
  const rows = await ticketsWithNames(db)
    .where('ticket.user_id', '=', userId)
    .$if(status !== undefined, (query) => query.where('ticket.status', '=', status ?? ''))
    .orderBy('ticket.id', 'desc')
    .limit(100)
    .execute()
  return rows as unknown as TicketRow[]
}

const messages = (db: Handle) =>
  db
    .selectFrom('support_messages as message')
    .leftJoin('users', 'users.id', 'message.author_id')
    .selectAll('message')
    .select('users.username as name')

/** Oldest first. */
export async function selectMessages(db: Handle, ticketId: string): Promise<MessageRow[]> {
  return (await messages(db).where('ticket_id', '=', ticketId).orderBy('message.id').execute()) as MessageRow[]
}

export async function findMessage(db: Handle, id: string): Promise<MessageRow | undefined> {
  return (await messages(db).where('message.id', '=', id).executeTakeFirst()) as MessageRow | undefined
}

export async function findFirstMessageId(db: Handle, ticketId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('support_messages')
    .select('id')
    .where('ticket_id', '=', ticketId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export function isMailKnown(db: Handle, mailId: string): Promise<boolean> {
  return db
    .selectFrom('support_messages')
    .select('id')
    .where('mail_id', '=', mailId)
    .executeTakeFirst()
    .then((row) => row !== undefined)
}

export function selectAttachments(db: Handle, ticketId: string): Promise<AttachmentRow[]> {
  return db
    .selectFrom('support_attachments')
    .innerJoin('support_messages', 'support_messages.id', 'support_attachments.message_id')
    .selectAll('support_attachments')
    .where('support_messages.ticket_id', '=', ticketId)
    .orderBy('support_attachments.position')
    .execute()
}

/** With whose ticket it is in. Notes have none. */
export function findAttachment(db: Handle, id: string) {
  return db
    .selectFrom('support_attachments')
    .innerJoin('support_messages as message', 'message.id', 'support_attachments.message_id')
    .innerJoin('support_tickets as ticket', 'ticket.id', 'message.ticket_id')
    .selectAll('support_attachments')
    .select(['ticket.user_id', 'ticket.id as ticket_id', 'message.is_note'])
    .where('support_attachments.id', '=', id)
    .executeTakeFirst()
}

/** Address of an account. */
export async function findAccountEmail(db: Handle, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst())?.email
}

/** Whether a ticket came from an account that has proven the address on it. */
export async function isProvenAddress(
  db: Handle,
  { user_id, email }: Pick<TicketRow, 'user_id' | 'email'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('email', '=', email)
    .where('email_verified', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ids of tickets that were solved before then, the oldest first. */
export async function selectSolvedBefore(db: Handle, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('support_tickets')
    .select('id')
    .where('status', '=', 'SOLVED')
    .where('solved_at', '<', before)
    .orderBy('solved_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
