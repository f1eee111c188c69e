/** Users as administrators look for them, and the administrators themselves. */
import { type ExpressionBuilder, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { userOrders, userStates } from '@wakestone/contract/admin/admin'
import { lockName } from '#src/db/lock-name.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DB, Users } from '#src/db/types.gen.ts'

type UserState = (typeof userStates)[number]
type UserOrder = (typeof userOrders)[number]

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
    .leftJoin('user_activities', 'user_activities.user_id', 'users.id')
    .select(lastSeen)
    .where('users.id', '=', id)
    .executeTakeFirst()
}

/** null: never. */
const lastSeen = sql<Date | null>`nullif(user_activities.last_at, '-infinity')`.as('last_seen_at')

const inState: Record<UserState, RawBuilder<SqlBool>> = {
  suspended: sql`users.suspended_at is not null`,
  unverified: sql`users.email_verified is null and users.destroyed_at is null`,
  leaving: sql`users.destroy_at is not null and users.destroyed_at is null`,
  deleted: sql`users.destroyed_at is not null`,
}

const nameHolds = (text: string) => {
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(lower(users.username) like ${part} or lower(users.email) like ${part})`
}

/** Those who came last first, or who were here last; `count` is of all that fit. @param text in lower case */
export async function selectUsers(
  db: Handle,
  {
    text,
    state,
    order,
    after,
    limit,
  }: {
    text?: string | undefined
    state?: UserState | undefined
    order: UserOrder
    after: string | undefined
    limit: number
  },
) {
  let all = db.selectFrom('users')
  if (text !== undefined) all = all.where(nameHolds(text))
  if (state !== undefined) all = all.where(inState[state])
  let page = all.innerJoin('user_activities', 'user_activities.user_id', 'users.id')
  if (after !== undefined && order === 'registered') page = page.where('users.id', '<', after)
  if (after !== undefined && order === 'active')
    page = page.where(
      sql<SqlBool>`(user_activities.last_at, user_activities.user_id) <
        (select last.last_at, last.user_id from user_activities last where last.user_id = ${after})`,
    )
  const ordered =
    order === 'active'
      ? page.orderBy('user_activities.last_at', 'desc').orderBy('user_activities.user_id', 'desc')
      : page.orderBy('users.id', 'desc')
  const [rows, { count }] = await Promise.all([
    ordered.selectAll('users').select(lastSeen).limit(limit).execute(),
    all.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
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
