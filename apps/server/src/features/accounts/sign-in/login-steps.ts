/**
 * The end of every way in: a session begins at once, or, for an account with a second factor, once that was shown too.
 * What waits in between is bound to the browser that took the first step.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { EventDetails } from '@wakestone/contract/ground/event'
import type { FactorKinds } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { checkFactor, type FactorProof, findFactors } from '#src/features/accounts/second-factors/service.ts'
import { type Device, deviceSubject, isKnownDevice, noteLogin, placeOf } from './devices.ts'
import {
  countLoginTry,
  findLoginChallenge,
  insertLoginChallenge,
  lockLoginChallenge,
  markLoginChallengeUsed,
} from './login-challenge-repo.ts'
import { knownDevice, strangerAt, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { type UserRow, findUser } from '#src/features/accounts/users/service.ts'
import { beginSession, type SessionTokens } from './sessions.ts'

const loginChallengeSeconds = 10 * 60
const triesAllowed = 5

export type LoginOutcome =
  | { kind: 'session'; tokens: SessionTokens }
  /** `browser` is what the browser keeps until the second step. */
  | { kind: 'challenge'; browser: string; factors: FactorKinds }

type LoginAction =
  | 'USER_LOGIN'
  | 'USER_LOGIN_EMAIL'
  | 'USER_LOGIN_DISCORD'
  | 'USER_REGISTER_EMAIL'
  | 'USER_REGISTER_DISCORD'
type Login = {
  user: UserRow
  device: Device
  /** Written to the audit log when the login is complete. */
  event: { action: LoginAction; data: EventDetails<LoginAction> }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * To be called once the first step is proved, in the caller's transaction.
 * @throws DomainError `user_suspended`
 */
export async function beginSessionOrChallenge(context: Context, trx: Transaction, login: Login): Promise<LoginOutcome> {
  const { user, event } = login
  requireNotSuspended(user)
  const factors = await findFactors(trx, user.id)
  if (!factors.totp && !factors.passkey) return { kind: 'session', tokens: await completeLogin(context, trx, login) }
  const secret = randomBytes(32).toString('base64url')
  const id = await insertLoginChallenge(trx, {
    userId: user.id,
    browserHash: hashOf(secret),
    event,
    expiresAt: new Date(Date.now() + loginChallengeSeconds * 1000),
  })
  return { kind: 'challenge', browser: `${id}.${secret}`, factors }
}

/** Begins a session whose owner has shown all that is asked, and writes that down. */
export async function completeLogin(
  context: Context,
  trx: Transaction,
  { user, device, event }: Login,
): Promise<SessionTokens> {
  const tokens = await signIn(context, trx, user, device)
  const data = { ...event.data, ...placeOf(context, device) }
  await recordUserEvent(trx, user.id, { action: event.action, data })
  return tokens
}

/** Begins a session on a device, in the caller's transaction, for whoever has proved to be the user. */
export async function signIn(
  context: Context,
  trx: Transaction,
  user: UserRow,
  device: Device,
): Promise<SessionTokens> {
  requireNotSuspended(user)
  await noteLogin(context, trx, user, device)
  return beginSession(trx, { userId: user.id, ip: device.ip, userAgent: device.userAgent })
}

/** @throws DomainError `user_suspended` */
function requireNotSuspended(user: UserRow): void {
  if (user.suspended_at !== null) throw new DomainError('user_suspended', { reason: user.suspended_reason ?? '' })
}

/** The login that waits in a browser. @throws DomainError `user_code_expired` when there is none, or not any more. */
export async function findWaitingLogin({ db }: Pick<Context, 'db'>, browser: string | undefined) {
  const [id = '', secret = ''] = (browser ?? '').split('.')
  const challenge = /^[0-9a-f-]{36}$/.test(id) ? await findLoginChallenge(db, id) : undefined
  if (challenge === undefined || !timingSafeEqual(challenge.browser_hash, hashOf(secret)) || !isOpen(challenge))
    throw new DomainError('user_code_expired')
  return { id, userId: challenge.user_id }
}

const isOpen = (challenge: { used_at: Date | null; expires_at: Date; tries: number }) =>
  challenge.used_at === null && challenge.expires_at.getTime() > Date.now() && challenge.tries < triesAllowed

/**
 * Takes the second step. Five wrong ones end the challenge, and each counts for the account and the address.
 * @throws DomainError `no_code`, `passkey_refused`, `user_code_expired`, `too_many_requests`.
 */
export async function finishLogin(
  context: Context,
  browser: string | undefined,
  proof: FactorProof,
  device: Device,
): Promise<SessionTokens> {
  const { id, userId } = await findWaitingLogin(context, browser)
  const user = await findUser(context.db, userId)
  if (user === undefined) throw new DomainError('user_code_expired')
  const subject = `second:${userId}`
  const guesser = (await isKnownDevice(context, user.email, device))
    ? knownDevice(subject, deviceSubject(device))
    : strangerAt(subject, device.ip)
  const tokens = await tryGuess(context.db, guesser, async () => {
    await inTransaction(context.db, async (trx) => {
      const challenge = await lockLoginChallenge(trx, id)
      if (challenge === undefined || !isOpen(challenge)) throw new DomainError('user_code_expired')
      await countLoginTry(trx, id) // before it is looked at, so that parallel tries count too
    })
    return inTransaction(context.db, async (trx) => {
      const challenge = await lockLoginChallenge(trx, id)
      if (challenge === undefined || challenge.used_at !== null) throw new DomainError('user_code_expired')
      const shown = await checkFactor(context, trx, { user, proof, boundTo: `login:${id}`, purpose: 'second_step' })
      if (shown === undefined) return undefined
      await markLoginChallengeUsed(trx, id)
      const { action, data } = challenge.event as Login['event']
      const event = { action, data: { ...data, second_step: shown } }
      return completeLogin(context, trx, { user, device, event })
    })
  })
  if (tokens === undefined) throw new DomainError(proof.method === 'passkey' ? 'passkey_refused' : 'no_code')
  return tokens
}
