/** A password that is set anew by a mailed link, or changed by whoever knows the old one. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { changePasswordBody } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { forgetWrongGuesses, ownerOf, strangerAt, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { changeUser, findUser, findUserByLogin, lockUser } from '#src/features/accounts/users/service.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { isResetAllowed, sendLink, spendLink } from './mail-links.ts'
import { type Device, noteLogin } from './devices.ts'
import { hashPassword, isPasswordRight, refuseCommonPassword } from './passwords.ts'
import { proveAddress } from './prove-address.ts'
import { endSessionsOf } from './sessions.ts'

export const resetPasswordJob = defineJob<{ email: string }>({
  queue: 'request-password-reset',
  policy: 'standard',
  retryLimit: 5,
  retryDelaySeconds: 2,
  expireInSeconds: 60,
})

/** Has a link mailed if the address has an account. Whether it has, neither the answer nor its time tells. */
export async function requestPasswordReset(context: Context, email: string): Promise<void> {
  await inTransaction(context.db, (trx) => enqueue(context.boss, trx, resetPasswordJob, { email }))
}

/** Does the job. */
export async function sendPasswordReset(context: Context, { email }: { email: string }): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const known = await findUserByLogin(trx, email)
    if (known?.email.toLowerCase() !== email) return
    const user = await lockUser(trx, known.id) // two requests at once make one mail
    if (user === undefined) return
    if (!(await isResetAllowed(trx, user.id))) return // the mail that was sent before will do
    const { id: userId, email: address } = user
    await sendLink(context, trx, { userId, purpose: 'reset_password', email: address, accountEmail: address })
  })
}

/** @throws DomainError `no_code` or `user_code_expired`, `invalid_request` for a password that everybody tries first. */
export async function resetPassword(
  context: Context,
  given: { code: string; password: string },
  device: Device,
): Promise<void> {
  refuseCommonPassword(given.password)
  const passwordHash = await hashPassword(given.password)
  await inTransaction(context.db, async (trx) => {
    const { userId, email } = await spendLink(context, trx, given.code, ['reset_password'])
    const user = await lockUser(trx, userId)
    if (user !== undefined) await proveAddress(trx, user)
    await setPassword(trx, { userId, passwordHash, method: 'reset' })
    await forgetWrongGuesses(trx, strangerAt(email, ''))
    // Whoever reads the owner's mail is no stranger: guesses made elsewhere do not keep this browser from signing in.
    if (user !== undefined) await noteLogin(context, trx, user, device)
  })
}

/** @throws DomainError `invalid_user_password`. All sessions but this one end. */
export async function changePassword(
  context: Context,
  session: { userId: string; sessionId: string },
  body: z.output<typeof changePasswordBody>,
): Promise<void> {
  await requireOwnPassword(context, session.userId, body.old_password)
  refuseCommonPassword(body.password)
  const passwordHash = await hashPassword(body.password)
  await inTransaction(context.db, async (trx) => {
    await setPassword(trx, { ...session, passwordHash, method: 'change' })
  })
}

/**
 * Asks an account's own password before something that a stolen session must not do. An account without one, which
 * signs in by mailed codes, has nothing to be asked.
 * @throws DomainError `invalid_user_password`, `too_many_requests` when it is guessed at.
 */
export async function requireOwnPassword(
  context: Context,
  userId: string,
  password: string | undefined,
): Promise<void> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  if (user.password_hash === null) return
  const isRight = await tryGuess(
    context.db,
    ownerOf(userId),
    async () => (await isPasswordRight(user.password_hash, password ?? '')) || undefined,
  )
  if (!isRight) throw new DomainError('invalid_user_password')
}

/** A new password by the operator's hand. @returns it: 20 characters, about 100 bits. */
export async function renewPassword(trx: Transaction, user: { id: string; email: string }): Promise<string> {
  const password = randomBytes(15).toString('base64url')
  await setPassword(trx, { userId: user.id, passwordHash: await hashPassword(password), method: 'reset' })
  await forgetWrongGuesses(trx, strangerAt(user.email, ''))
  return password
}

async function setPassword(
  trx: Transaction,
  change: { userId: string; sessionId?: string; passwordHash: string; method: 'reset' | 'change' },
): Promise<void> {
  await changeUser(trx, change.userId, { password_hash: change.passwordHash })
  await endSessionsOf(trx, change.userId, { except: change.sessionId })
  await recordUserEvent(trx, change.userId, {
    action: 'USER_CHANGE_PASSWORD',
    data: { method: change.method },
  })
  await notify(trx, { userId: change.userId, kind: 'PASSWORD_CHANGED', fields: {} })
}
