/**
 * Accounts: registering, signing in, and the user as the contract shows them.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { loginBody, registerBody, User } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { agreeToTerms, showAgreements } from '#src/features/accounts/consents/service.ts'
import { termsInForce } from '#src/features/site/documents/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { agreeAtRegistration } from '#src/features/site/newsletter/service.ts'
import { findStanding } from '#src/features/sales/referrals/service.ts'
import { countUnread } from '#src/features/ground/notifications/service.ts'
import { listServiceIdsOf } from '#src/features/sales/services/service.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import { listVoucherUsesOf } from '#src/features/sales/vouchers/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { type Device, deviceSubject, isKnownDevice, placeOf } from '#src/features/accounts/sign-in/devices.ts'
import { requestConfirmation } from './email-confirmation.ts'
import { beginSessionOrChallenge, type LoginOutcome, signIn } from '#src/features/accounts/sign-in/login-steps.ts'
import { knownDevice, strangerAt, tryGuess } from '#src/features/accounts/sign-in/login-throttle.ts'
import { openAccount } from '#src/features/accounts/users/open-account.ts'
import { hashPassword, isPasswordRight, refuseCommonPassword } from '#src/features/accounts/sign-in/passwords.ts'
import {
  findUser,
  findUserByLogin,
  findUserCapabilities,
  changeUser,
  nameTaken,
} from '#src/features/accounts/users/repo.ts'
import type { SessionTokens } from '#src/features/accounts/sign-in/sessions.ts'
import { listSocialsOf } from '#src/features/accounts/sign-in/socials.ts'

export {
  changeUser,
  findUser,
  findUserByLogin,
  findUserCapabilities,
  grantCapabilities,
  lockUser,
  type UserRow,
} from '#src/features/accounts/users/repo.ts'
export { endViews, insertSession, lockSession } from '#src/features/accounts/sign-in/session-repo.ts'
export { endSessionsOf } from '#src/features/accounts/sign-in/sessions.ts'
export { endView, recordViewEnd } from '#src/features/accounts/sign-in/views.ts'
export { findSocialOwner } from '#src/features/accounts/sign-in/socials.ts'
export { deleteLoginFailuresBefore as dropLoginFailuresBefore } from '#src/features/accounts/sign-in/session-repo.ts'
export { factorOf, tryGuess } from '#src/features/accounts/sign-in/login-throttle.ts'
export { findApiKey, findSessionUser, type FoundApiKey } from '#src/features/accounts/sign-in/caller-repo.ts'

/** Makes an account with its wallets, signs it in and sends the confirmation mail; all of it or nothing. */
export async function registerUser(
  context: Context,
  body: z.output<typeof registerBody>,
  device: Device,
): Promise<SessionTokens> {
  if (!body.accepted_tos) throw new DomainError('user_has_to_accept_terms')
  refuseCommonPassword(body.password)
  const passwordHash = await hashPassword(body.password)
  const terms = await termsInForce(context, body.language)
  try {
    return await inTransaction(context.db, async (trx) => {
      const user = await openAccount(trx, {
        ...body,
        passwordHash,
        countryCode: countryOf(device.ip, context.settings),
        emailVerified: false,
      })
      await agreeToTerms(context, trx, user, device.ip)
      await requestConfirmation(context, trx, user)
      if (body.newsletter) await agreeAtRegistration(context, trx, { id: user.id, ...body }, device.ip)
      await recordUserEvent(trx, user.id, {
        action: 'USER_REGISTER_EMAIL',
        // Which words were agreed to: `users.accepted_tos` says only when.
        data: { ...placeOf(context, device), email: user.email, method: 'local', accepted_terms: terms },
      })
      return signIn(context, trx, user, device)
    })
  } catch (error) {
    throw nameTaken(error)
  }
}

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
    return (await isPasswordRight(known?.password_hash, body.password)) ? known : undefined
  })
  if (user === undefined) throw new DomainError('wrong_password_or_username')
  const data = { email: user.email, method: 'local' }
  return inTransaction(context.db, (trx) =>
    beginSessionOrChallenge(context, trx, { user, device, event: { action: 'USER_LOGIN', data } }),
  )
}

/** The user as the contract shows them; `simple` leaves wallets and services out. */
export async function showUser(
  context: Pick<Context, 'db' | 'settings' | 'logger'>,
  userId: string,
  { simple = false } = {},
): Promise<User> {
  const { db } = context
  const user = await findUser(db, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const [capabilities, unread_notifications, socials, standing, agreements, wallets, services, tax_data, voucher_uses] =
    await Promise.all([
      findUserCapabilities(db, userId),
      countUnread(db, userId),
      listSocialsOf(db, userId),
      findStanding(db, userId),
      showAgreements(context, user),
      simple ? [] : listWalletsOf(db, userId),
      simple ? [] : listServiceIdsOf(db, userId),
      simple ? null : showTaxData(db, userId),
      simple ? [] : listVoucherUsesOf(db, userId),
    ])
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    language: user.language as Language,
    created_at: user.created_at.toISOString(),
    destroyed_at: null,
    destroy_at: user.destroy_at?.toISOString() ?? null,
    has_password: user.password_hash !== null,
    email_verified: user.email_verified?.toISOString() ?? null,
    accepted_tos: user.accepted_tos?.toISOString() ?? null,
    newsletter: user.newsletter?.toISOString() ?? null,
    paying_user: services.length > 0,
    user_capabilities: capabilities,
    wallets,
    services: services.map((service_id) => ({ service_id })),
    unread_notifications,
    tax_data,
    voucher_uses,
    socials,
    ...standing,
    ...agreements,
  }
}

/**
 * Makes sure that an account of the operator's exists with this password: the administrator, the demo customer.
 * An existing one keeps everything but its password.
 */
export async function ensureAccount(
  context: Context,
  account: {
    username: string
    email: string
    password: string
    language: Language
    capabilities: Record<string, boolean>
  },
): Promise<string> {
  const known = await findUserByLogin(context.db, account.email)
  if (known !== undefined && (await isPasswordRight(known.password_hash, account.password))) return known.id
  const passwordHash = await hashPassword(account.password)
  return inTransaction(context.db, async (trx) => {
    if (known !== undefined) {
      await changeUser(trx, known.id, { password_hash: passwordHash })
      return known.id
    }
    const user = await openAccount(trx, {
      ...account,
      passwordHash,
      countryCode: context.settings.DEFAULT_COUNTRY,
      newsletter: false,
      emailVerified: true,
    })
    return user.id
  })
}
