/**
 * Sessions: a short access cookie and a rotating refresh cookie, `<session id>.<secret>`.
 * A rotated secret that comes back is a stolen one, and ends the session.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Session } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { endSession, endSessions, insertSession, lockSession, rotateSession, selectSessions } from './session-repo.ts'

/** Two tabs refresh at once, or an answer is lost: the secret before is honoured this long. */
const graceMilliseconds = 10_000

/** How long a session lasts that is not used. */
export const refreshSeconds = 30 * 24 * 3600

export type SessionTokens = { sessionId: string; userId: string; refreshToken: string | undefined }

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export async function beginSession(
  trx: Transaction,
  session: { userId: string; ip: string; userAgent: string | undefined },
): Promise<SessionTokens> {
  const secret = randomBytes(32).toString('base64url')
  const sessionId = await insertSession(trx, {
    ...session,
    refreshHash: hashOf(secret),
    expiresAt: new Date(Date.now() + refreshSeconds * 1000),
  })
  return { sessionId, userId: session.userId, refreshToken: `${sessionId}.${secret}` }
}

/**
 * Exchanges a refresh token for a new one.
 * @throws DomainError `unauthorized` when it is unknown, expired, or was used before (the session then ends).
 */
export async function refreshSession(context: Context, token: string): Promise<SessionTokens> {
  const { db, logger } = context
  const [sessionId = '', secret = ''] = token.split('.')
  if (!/^[0-9a-f-]{36}$/.test(sessionId)) throw new DomainError('unauthorized')
  const given = hashOf(secret)
  const outcome = await inTransaction(db, async (trx): Promise<SessionTokens | undefined> => {
    const session = await lockSession(trx, sessionId)
    if (session === undefined || session.ended_at !== null || session.expires_at.getTime() < Date.now())
      return undefined
    if (timingSafeEqual(given, session.refresh_hash)) {
      const fresh = randomBytes(32).toString('base64url')
      await rotateSession(trx, sessionId, hashOf(fresh))
      return { sessionId, userId: session.user_id, refreshToken: `${sessionId}.${fresh}` }
    }
    if (
      session.previous_hash !== null &&
      timingSafeEqual(given, session.previous_hash) &&
      Date.now() - session.rotated_at.getTime() < graceMilliseconds
    ) {
      return { sessionId, userId: session.user_id, refreshToken: undefined } // the newer cookie stays
    }
    logger.warn({ sessionId, userId: session.user_id }, 'a refresh token came back after its rotation: session ended')
    await endSession(trx, sessionId)
    await recordUserEvent(trx, session.user_id, { action: 'USER_SESSION_STOLEN', level: eventLevels.WARN })
    await notify(trx, { userId: session.user_id, kind: 'SESSION_STOLEN', fields: {} })
    return undefined
  })
  if (outcome === undefined) throw new DomainError('unauthorized')
  return outcome
}

/** Ends the session a refresh token belongs to, whether or not the access cookie still lives. */
export async function endSessionOf({ db }: Pick<Context, 'db'>, token: string): Promise<void> {
  const [sessionId = '', secret = ''] = token.split('.')
  if (!/^[0-9a-f-]{36}$/.test(sessionId)) return
  await inTransaction(db, async (trx) => {
    const session = await lockSession(trx, sessionId)
    if (session === undefined) return
    const given = hashOf(secret)
    const known = [session.refresh_hash, session.previous_hash].some(
      (hash) => hash !== null && timingSafeEqual(given, hash),
    )
    if (known) await endSession(trx, sessionId)
  })
}

/** Ends all sessions of a user, or all but one, in the caller's transaction. */
export function endSessionsOf(
  trx: Transaction,
  userId: string,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  return endSessions(trx, userId, except)
}

/** Devices that are signed in, the one used last first. `current` is the session that asks. */
export async function listSessionsOf(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
  current: string,
): Promise<Session[]> {
  const sessions = await selectSessions(db, userId)
  return sessions.map(({ id, created_at, rotated_at, ip, user_agent }) => ({
    id,
    created_at: created_at.toISOString(),
    last_used_at: rotated_at.toISOString(),
    ip,
    country_code: ip === null ? null : countryOf(ip, settings),
    user_agent,
    current: id === current,
  }))
}

/** @throws DomainError `resource_not_found` when the user has no such session. */
export async function endOneSession({ db }: Pick<Context, 'db'>, userId: string, sessionId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const session = await lockSession(trx, sessionId)
    if (session?.user_id !== userId || session.ended_at !== null)
      throw new DomainError('resource_not_found', { resource: 'session' })
    await endSession(trx, sessionId)
    await recordUserEvent(trx, userId, {
      action: 'USER_END_SESSION',
      data: { ip: session.ip, user_agent: session.user_agent },
    })
  })
}
