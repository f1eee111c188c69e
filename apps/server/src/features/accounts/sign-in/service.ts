/**
 * Signing in, and proving to be who one is: passwords, codes and links by mail, Discord, passkeys; sessions and views.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { loginBody } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { knownDevice, strangerAt, tryGuess } from '#src/features/accounts/guesses/service.ts'
import { findForeignHash, findUserByLogin, replacePasswordHash } from '#src/features/accounts/users/service.ts'
import { type Device, deviceSubject, isKnownDevice } from './devices.ts'
import { beginSessionOrChallenge, type LoginOutcome } from './login-steps.ts'
import { isForeignHash, spendForeignTime } from './foreign-hashes.ts'
import { hashPassword, isPasswordRight } from './passwords.ts'

export { findAccount, findApiKey, findSessionUser, type FoundApiKey } from './caller-repo.ts'
export { type Device, placeOf } from './devices.ts'
export { type LoginOutcome, signIn } from './login-steps.ts'
export { findOpenDigitsOf } from './mail-digits-repo.ts'
export { sendDigits, spendDigits } from './mail-digits.ts'
export { type Link, requireLinkAllowed, sendLink, spendLink } from './mail-links.ts'
export { renewPassword, requireOwnPassword } from './password.ts'
export { isUsableHash } from './foreign-hashes.ts'
export { hashPassword, isPasswordRight, refuseCommonPassword } from './passwords.ts'
export { endViews, insertSession, lockSession } from './session-repo.ts'
export { endSessionsOf, refreshSeconds, type SessionTokens } from './sessions.ts'
export { requireRecentProof } from './step-up.ts'
export { endView, recordViewEnd } from './views.ts'

/** @throws DomainError `wrong_password_or_username`, the same and as late whether or not the account exists. */
export async function loginUser(
  context: Context,
  body: z.output<typeof loginBody>,
  device: Device,
): Promise<LoginOutcome> {
  const guesser = (await isKnownDevice(context, body.login, device))
    ? knownDevice(body.login, deviceSubject(device))
    : strangerAt(body.login, device.ip)
  const user = await tryGuess(context.db, guesser, async () => {
    const known = await findUserByLogin(context.db, body.login)
    const foreign = await findForeignHash(context.db)
    if (foreign !== undefined && !isForeignHash(known?.password_hash)) await spendForeignTime(foreign, body.password)
    return (await isPasswordRight(known?.password_hash, body.password)) ? known : undefined
  })
  if (user === undefined) throw new DomainError('wrong_password_or_username')
  const data = { email: user.email, method: 'local' }
  const { password_hash: before } = user
  const after = isForeignHash(before) ? await hashPassword(body.password) : undefined
  return inTransaction(context.db, async (trx) => {
    if (isForeignHash(before) && after !== undefined) await replacePasswordHash(trx, user.id, { before, after })
    return beginSessionOrChallenge(context, trx, { user, device, event: { action: 'USER_LOGIN', data } })
  })
}
