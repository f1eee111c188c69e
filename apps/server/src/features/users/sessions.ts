/**
 * Sessions: a short access cookie and a rotating refresh cookie, `<session id>.<secret>`.
 * A rotated secret that comes back is a stolen one, and ends the session.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { refreshSeconds } from '#src/http/cookies.ts'
import { endSession, insertSession, lockSession, rotateSession } from './session-repo.ts'

/** Two tabs refresh at once, or an answer is lost: the secret before is honoured this long. */
const graceMilliseconds = 10_000

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
export async function refreshSession(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  token: string,
): Promise<SessionTokens> {
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
