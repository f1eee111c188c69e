import { type Selectable, sql, type Updateable } from 'kysely'
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Users } from '#src/db/types.gen.ts'

export type UserRow = Selectable<Users>

export async function insertUser(
  trx: Transaction,
  user: {
    username: string
    email: string
    /** null: signs in by codes sent by mail. */
    passwordHash: string | null
    language: Language
    countryCode: string
    newsletter: boolean
    emailVerified: boolean
    /** null: nobody has asked its owner yet. Now, where missing. */
    acceptedTos?: Date | null
  },
): Promise<UserRow> {
  const now = new Date()
  return trx
    .insertInto('users')
    .values({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      language: user.language,
      country_code: user.countryCode,
      accepted_tos: user.acceptedTos === undefined ? now : user.acceptedTos,
      newsletter: user.newsletter ? now : null,
      email_verified: user.emailVerified ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findUser(db: Handle, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).where('destroyed_at', 'is', null).executeTakeFirst()
}

/** By user name or e-mail address, ignoring case. */
export function findUserByLogin(db: Handle, login: string): Promise<UserRow | undefined> {
  const wanted = login.trim().toLowerCase()
  return db
    .selectFrom('users')
    .selectAll()
    .where((row) =>
      row.or([
        row(row.fn<string>('lower', ['username']), '=', wanted),
        row(row.fn<string>('lower', ['email']), '=', wanted),
      ]),
    )
    .where('destroyed_at', 'is', null)
    .executeTakeFirst()
}

export async function isUsernameTaken(db: Handle, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((user) => user(user.fn<string>('lower', ['username']), '=', username.toLowerCase()))
    .executeTakeFirst()
  return row !== undefined
}

export async function markEmailVerified(trx: Transaction, userId: string): Promise<void> {
  await trx.updateTable('users').set({ email_verified: new Date() }).where('id', '=', userId).execute()
}

/** Locks an account until the transaction ends. */
export function lockUser(trx: Transaction, id: string): Promise<UserRow | undefined> {
  return trx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('destroyed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Changes an account and returns it as it is then. */
export function changeUser(trx: Transaction, id: string, changes: Updateable<Users>): Promise<UserRow> {
  return trx.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Another hash of the same password; nothing happens where the password has been changed meanwhile. */
export async function replacePasswordHash(
  trx: Transaction,
  id: string,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: after })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .execute()
}

/** A hash that was brought along from another system and has not been replaced yet, if there is any. */
export async function findForeignHash(db: Handle): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('password_hash', 'like', '$2%')
    .limit(1)
    .executeTakeFirst()
  return row?.password_hash ?? undefined
}

/** The error of the catalogue for a name or address that somebody else got first; any other error as it is. */
export function nameTaken(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code !== '23505') return error
  if (constraint === 'users_username') return new DomainError('resource_already_exists', { resource: 'name' })
  if (constraint === 'users_email') return new DomainError('resource_already_exists', { resource: 'email' })
  return error
}

/** Accounts that were to be deleted by now. */
export async function selectDueUsers(db: Handle, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('destroy_at', '<=', now)
    .where('destroyed_at', 'is', null)
    .orderBy('destroy_at')
    .execute()
  return rows.map(({ id }) => id)
}

/** Grants capabilities on the whole product; a name granted before takes the new value. */
export async function grantCapabilities(trx: Transaction, userId: string, capabilities: Capabilities): Promise<void> {
  if (Object.keys(capabilities).length === 0) return
  await trx
    .insertInto('user_capabilities')
    .values(
      Object.entries(capabilities).map(([name, value]) => ({ user_id: userId, name, value: JSON.stringify(value) })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'resource_id', 'name']).doUpdateSet((row) => ({ value: row.ref('excluded.value') })),
    )
    .execute()
}

export async function findUserCapabilities(db: Handle, userId: string): Promise<Capabilities> {
  const rows = await db
    .selectFrom('held_capabilities')
    .select(['name', 'value'])
    .$narrowType<{ name: string }>()
    .where('user_id', '=', userId)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.name, row.value as CapabilityValue]))
}

/** Notes when users were last here; what is known to be later stays. */
export async function writeActivities(db: Handle, users: ReadonlyMap<string, Date>): Promise<void> {
  // In one order everywhere: processes that write about the same users do not wait for each other in a circle.
  const ids = [...users.keys()].sort()
  const times = ids.map((id) => users.get(id)?.toISOString())
  await sql`
    insert into user_activities as known (user_id, last_at)
    select seen.id, seen.at from unnest(${ids}::uuid[], ${times}::timestamptz[]) as seen (id, at)
      join users on users.id = seen.id
    on conflict (user_id) do update set last_at = excluded.last_at where known.last_at < excluded.last_at`.execute(db)
}
