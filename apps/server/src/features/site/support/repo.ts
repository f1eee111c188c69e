import type { Selectable } from 'kysely'
import type { Language, TicketTopic } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { SupportTickets } from '#src/db/types.gen.ts'

export async function insertTicket(
  trx: Transaction,
  ticket: { userId: string | null; email: string; language: Language; topic: TicketTopic; subject: string },
): Promise<Selectable<SupportTickets>> {
  return trx
    .insertInto('support_tickets')
    .values({
      user_id: ticket.userId,
      email: ticket.email,
      language: ticket.language,
      topic: ticket.topic,
      subject: ticket.subject,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertMessage(
  trx: Transaction,
  message: { ticketId: string; authorId: string | null; body: string },
): Promise<void> {
  await trx
    .insertInto('support_messages')
    .values({ ticket_id: message.ticketId, author: 'writer', author_id: message.authorId, body: message.body })
    .execute()
}

/** A ticket with its first message, and who wrote it. */
export function findTicket(db: Handle, id: string) {
  return db
    .selectFrom('support_tickets as ticket')
    .innerJoin('support_messages as message', 'message.ticket_id', 'ticket.id')
    .leftJoin('users', 'users.id', 'ticket.user_id')
    .select(['ticket.number', 'ticket.email', 'ticket.language', 'ticket.topic', 'ticket.subject'])
    .select(['message.body', 'users.username'])
    .where('ticket.id', '=', id)
    .orderBy('message.id')
    .limit(1)
    .executeTakeFirst()
}

export function selectTicketsOf(db: Handle, userId: string) {
  return db
    .selectFrom('support_tickets')
    .select(['id', 'number', 'status', 'topic', 'subject', 'created_at', 'updated_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** Address of an account. */
export async function findAccountEmail(db: Handle, userId: string): Promise<string | undefined> {
  return (await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst())?.email
}
