import type { Selectable } from 'kysely'
import type { Capabilities, CapabilityValue } from '@wakestone/contract/capabilities'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Users } from '#src/db/types.gen.ts'
import type { Principal } from '#src/http/principal.ts'

export type UserRow = Selectable<Users>

export async function insertUser(
  trx: Transaction,
  user: {
    username: string
    email: string
    passwordHash: string
    language: Language
    countryCode: string
    newsletter: boolean
    emailVerified: boolean
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
      accepted_tos: now,
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

export async function setPasswordHash(trx: Transaction, userId: string, passwordHash: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

/** Grants capabilities on the whole product; a name granted before takes the new value. */
export async function grantCapabilities(trx: Transaction, userId: string, capabilities: Capabilities): Promise<void> {
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
    .selectFrom('user_capabilities')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .where('resource_id', 'is', null)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.name, row.value as CapabilityValue]))
}

/** The caller of a live session, with what they may do on the whole product; one query. */
export async function findSessionUser(db: Handle, sessionId: string): Promise<Principal | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.language', 'users.country_code', 'users.email_verified'])
    .select((query) =>
      query
        .selectFrom('user_capabilities')
        .select((grants) =>
          grants.fn<Record<string, CapabilityValue> | null>('jsonb_object_agg', ['name', 'value']).as('granted'),
        )
        .whereRef('user_capabilities.user_id', '=', 'users.id')
        .where('user_capabilities.resource_id', 'is', null)
        .as('capabilities'),
    )
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', new Date())
    .where('users.destroyed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    userId: row.id,
    sessionId,
    username: row.username,
    language: row.language as Language,
    countryCode: row.country_code,
    emailVerified: row.email_verified !== null,
    capabilities: row.capabilities ?? {},
  }
}
