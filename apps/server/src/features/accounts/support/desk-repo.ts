/** What those who answer see: lists, who they are, and their macros. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { deskQuery, Macro } from '@wakestone/contract/accounts/support'
import { answerSoonHours } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import { ticketsWithNames, type TicketRow } from './repo.ts'

type Wanted = Omit<z.output<typeof deskQuery>, 'assignee'> & {
  /** Null: nobody looks after it. */
  assignee?: string | null | undefined
  answerHours: number
}

export async function selectDeskTickets(
  db: Handle,
  { state, topic, assignee, clock, q, offset, limit, answerHours }: Wanted,
): Promise<{ rows: TicketRow[]; count: number; overdue: number }> {
  const due = sql<Date>`ticket.waiting_since + ${answerHours} * interval '1 hour'`
  const found = ticketsWithNames(db)
    .$if(state === undefined, (query) => query.where('ticket.status', 'in', ['NEW', 'OPEN', 'PENDING']))
    .$if(state !== undefined && state !== 'all', (query) =>
      query.where('ticket.status', '=', (state ?? '').toUpperCase()),
    )
    .$if(topic !== undefined, (query) => query.where('ticket.topic', '=', topic ?? ''))
    .$if(assignee === null, (query) => query.where('ticket.assignee_id', 'is', null))
    .$if(typeof assignee === 'string', (query) => query.where('ticket.assignee_id', '=', assignee ?? ''))
    .$if(clock === 'overdue', (query) => query.where(sql<boolean>`${due} < now()`))
    .$if(clock === 'soon', (query) =>
      query.where(sql<boolean>`${due} between now() and now() + ${answerSoonHours} * interval '1 hour'`),
    )
    .$if(q !== undefined && q !== '', (query) => query.where(matches(q ?? '')))
  const [rows, { count }, { overdue }] = await Promise.all([
    found
      .orderBy(sql`ticket.waiting_since asc nulls last, ticket.updated_at desc, ticket.id`)
      .limit(limit)
      .offset(offset)
      .execute(),
    found
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    selectUnanswered(db, answerHours),
  ])
  return { rows: rows as unknown as TicketRow[], count, overdue }
}

function matches(q: string) {
  const number = /^#?(\d{1,12})$/.exec(q)?.[1]
  const part = `%${q.replace(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`(ticket.number = ${number === undefined ? -1 : Number(number)} or ticket.subject ilike ${part}
    or ticket.email ilike ${part} or users.username ilike ${part})`
}

/** Tickets that wait for an answer of the team, and those of them that have waited for longer than they should. */
export async function selectUnanswered(db: Handle, answerHours: number): Promise<{ open: number; overdue: number }> {
  return db
    .selectFrom('support_tickets')
    .select(({ fn }) => [
      fn.countAll<number>().as('open'),
      fn
        .countAll<number>()
        .filterWhere(sql<boolean>`waiting_since < now() - ${answerHours} * interval '1 hour'`)
        .as('overdue'),
    ])
    .where('status', 'in', ['NEW', 'OPEN'])
    .executeTakeFirstOrThrow()
}

/** Accounts that hold one of two names, with what they hold of both. */
export async function selectStaff(
  db: Handle,
): Promise<{ id: string; username: string; email: string; capabilities: Record<string, boolean> }[]> {
  const { rows } = await sql<{
    id: string
    username: string
    email: string
    capabilities: Record<string, boolean>
  }>`
    select users.id, users.username, lower(users.email) as email,
      jsonb_object_agg(held.name, held.value not in ('false', '0', '""')) as capabilities
    from held_capabilities held join users on users.id = held.user_id
    where held.name in ('admin', 'admin.support') and users.suspended_at is null and users.destroyed_at is null
    group by users.id order by lower(users.username)`.execute(db)
  return rows
}

export async function selectMacros(db: Handle): Promise<Macro[]> {
  return (await db
    .selectFrom('support_macros')
    .selectAll()
    .orderBy(sql`lower(name)`)
    .execute()) as unknown as Macro[]
}

export async function isMacroNameTaken(db: Handle, name: string, except?: string): Promise<boolean> {
  const row = await db
    .selectFrom('support_macros')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return row !== undefined
}

export async function countMacros(db: Handle): Promise<number> {
  const { count } = await db
    .selectFrom('support_macros')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertMacro(trx: Transaction, { name, texts, status }: Omit<Macro, 'id'>): Promise<string> {
  const { id } = await trx
    .insertInto('support_macros')
    .values({ name, texts: JSON.stringify(texts), status })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateMacro(trx: Transaction, { id, name, texts, status }: Macro): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('support_macros')
    .set({ name, texts: JSON.stringify(texts), status })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteMacro(db: Handle, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('support_macros').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
