/** Users as administrators look for them, and the administrators themselves. */
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { lockName } from '#src/db/lock-name.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DB, Users } from '#src/db/types.gen.ts'

/** Changes of who administers, and by whom, take turns until their transactions end. */
export async function lockAdministrators(trx: Transaction): Promise<void> {
  await lockName(trx, 'administrators')
}

/** Whether somebody could administer, without this user if one is named. */
export async function hasOtherAdministrator(trx: Transaction, userId: string | null): Promise<boolean> {
  const row = await trx
    .selectFrom('held_capabilities')
    .innerJoin('users', 'users.id', 'held_capabilities.user_id')
    .select('users.id')
    .where('held_capabilities.name', '=', 'admin')
    .where(sql<boolean>`held_capabilities.value not in ('false', '0', '""')`)
    .where('users.id', 'is distinct from', userId)
    .where('users.suspended_at', 'is', null)
    .where('users.destroyed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function revokeCapabilities(trx: Transaction, userId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await trx
    .deleteFrom('user_capabilities')
    .where('user_id', '=', userId)
    .where('resource_id', 'is', null)
    .where('name', 'in', names)
    .execute()
}

/** Also one that is deleted, with when they were last seen and who suspended them. */
export function findUserForAdmin(db: Handle, id: string) {
  return db
    .selectFrom('users')
    .leftJoin('users as suspenders', 'suspenders.id', 'users.suspended_by')
    .selectAll('users')
    .select('suspenders.username as suspender')
    .select((query) =>
      query
        .selectFrom('sessions')
        .select((session) => session.fn.max('rotated_at').as('at'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('actor_id', 'is', null)
        .as('last_seen_at'),
    )
    .where('users.id', '=', id)
    .executeTakeFirst()
}

/** Those who came last first; `count` is of all. */
export async function selectUsers(db: Handle, { after, limit }: { after: string | undefined; limit: number }) {
  let page = db.selectFrom('users').selectAll()
  if (after !== undefined) page = page.where('id', '<', after)
  const [rows, { count }] = await Promise.all([
    page.orderBy('id', 'desc').limit(limit).execute(),
    db
      .selectFrom('users')
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}

/** Users whose name or address holds a text in lower case; those that it fits wholly first, then the newest. */
export async function selectUsersByText(db: Handle, text: string, limit: number): Promise<Selectable<Users>[]> {
  const username = (row: ExpressionBuilder<DB, 'users'>) => row.fn<string>('lower', ['username'])
  const email = (row: ExpressionBuilder<DB, 'users'>) => row.fn<string>('lower', ['email'])
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const [exact, holding] = await Promise.all([
    db
      .selectFrom('users')
      .selectAll()
      .where((row) => row.or([row(username(row), '=', text), row(email(row), '=', text)]))
      .execute(),
    db
      // Some of them, should a text fit half the world: sorting all would take as long as there are users.
      .with('found', (found) =>
        found
          .selectFrom('users')
          .selectAll()
          .where((row) => row.or([row(username(row), 'like', part), row(email(row), 'like', part)]))
          .limit(200),
      )
      .selectFrom('found')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  ])
  const known = new Set(exact.map(({ id }) => id))
  return [...exact, ...holding.filter(({ id }) => !known.has(id))].slice(0, limit)
}
