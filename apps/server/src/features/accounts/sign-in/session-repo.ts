import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export async function insertSession(
  trx: Transaction,
  session: {
    userId: string
    refreshHash: Buffer
    expiresAt: Date
    ip: string
    userAgent: string | undefined
    /** The administrator who sees the panel as the user, and the session in which they began. */
    actor?: { userId: string; sessionId: string }
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      refresh_hash: session.refreshHash,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, 512) ?? null,
      actor_id: session.actor?.userId ?? null,
      actor_session_id: session.actor?.sessionId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a session for its rotation. */
export function lockSession(trx: Transaction, id: string) {
  return trx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function rotateSession(trx: Transaction, id: string, refreshHash: Buffer): Promise<void> {
  await trx
    .updateTable('sessions')
    .set((row) => ({ previous_hash: row.ref('refresh_hash'), refresh_hash: refreshHash, rotated_at: new Date() }))
    .where('id', '=', id)
    .execute()
}

export async function endSession(db: Handle, id: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends the sessions of a user, all but one if that is named. */
export async function endSessions(db: Handle, userId: string, except: string | undefined): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '<>', except as string))
    .execute()
}

/** Ends the views of a user by administrators, or those that an administrator has open, one session's if it is named. */
export async function endViews(
  trx: Transaction,
  views: { of: string } | { by: string; sessionId?: string },
): Promise<{ id: string; user_id: string }[]> {
  let query = trx
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('actor_id', 'is not', null)
    .where('ended_at', 'is', null)
  if ('of' in views) query = query.where('user_id', '=', views.of)
  else query = query.where('actor_id', '=', views.by)
  if ('by' in views && views.sessionId !== undefined) query = query.where('actor_session_id', '=', views.sessionId)
  return query.returning(['id', 'user_id']).execute()
}

/** Sessions of a user that are alive, the one used last first. Administrators' views are told by events instead. */
export function selectSessions(db: Handle, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'rotated_at', 'user_agent'])
    .select((row) => row.fn<string | null>('host', ['ip']).as('ip'))
    .where('user_id', '=', userId)
    .where('actor_id', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date())
    .orderBy('rotated_at', 'desc')
    .execute()
}

/** Notes that a user is signed in on a device. @returns whether this is a new one beside others. */
export async function noteDevice(trx: Transaction, userId: string, deviceHash: Buffer): Promise<boolean> {
  const { others } = await trx
    .selectFrom('known_devices')
    .select((row) => row.fn.countAll<number>().as('others'))
    .where('user_id', '=', userId)
    .where('device_hash', '<>', deviceHash)
    .executeTakeFirstOrThrow()
  const known = await trx
    .updateTable('known_devices')
    .set({ last_seen: new Date() })
    .where('user_id', '=', userId)
    .where('device_hash', '=', deviceHash)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return false
  await trx
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: deviceHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return others > 0
}

/** Whether somebody has signed in to the account of this login on this device. */
export async function isDeviceOf(db: Handle, login: string, deviceHash: Buffer): Promise<boolean> {
  const wanted = login.trim().toLowerCase()
  const row = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('users.id')
    .where('known_devices.device_hash', '=', deviceHash)
    .where((user) =>
      user.or([
        user(user.fn<string>('lower', ['users.username']), '=', wanted),
        user(user.fn<string>('lower', ['users.email']), '=', wanted),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the owner of an address has been signed in from this network: an IPv4 address, or 64 bits of IPv6. */
export async function isNetworkOf(db: Handle, email: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.id')
    .where((user) => user(user.fn<string>('lower', ['users.email']), '=', email.toLowerCase()))
    .where('sessions.actor_id', 'is', null)
    .where(sql<boolean>`sessions.ip <<= ${network}::inet`)
    .executeTakeFirst()
  return row !== undefined
}

/** When whoever holds a session last proved to be the owner of the account. */
export async function findProof(db: Handle, sessionId: string): Promise<Date | undefined> {
  const row = await db.selectFrom('sessions').select('proven_at').where('id', '=', sessionId).executeTakeFirst()
  return row?.proven_at
}

export async function markProven(db: Handle, sessionId: string): Promise<void> {
  await db.updateTable('sessions').set({ proven_at: new Date() }).where('id', '=', sessionId).execute()
}
