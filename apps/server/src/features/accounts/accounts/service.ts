/**
 * Accounts: registering, signing in, and the user as the contract shows them.
 */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { registerBody } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { agreeToTerms } from '#src/features/accounts/consents/service.ts'
import { termsInForce } from '#src/features/site/documents/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { agreeAtRegistration } from '#src/features/site/newsletter/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import {
  type Device,
  type SessionTokens,
  hashPassword,
  placeOf,
  refuseCommonPassword,
  signIn,
} from '#src/features/accounts/sign-in/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { findUserByLogin, nameTaken, openAccount } from '#src/features/accounts/users/service.ts'
import { requestConfirmation } from './email-confirmation.ts'

export { deleteAccount } from './deletion.ts'
export { AccountConflict, ensureAccounts, hasDemoAccount } from './first-accounts.ts'

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
    const refusal = nameTaken(error)
    if (isAddressTaken(refusal)) await tellOwner(context, body.email)
    throw refusal
  }
}

export const isAddressTaken = (error: unknown) =>
  error instanceof DomainError && error.code === 'resource_already_exists' && error.fields?.resource === 'email'

/** Whoever tries addresses does not stay unseen by their owners. */
async function tellOwner({ db }: Context, email: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const owner = await findUserByLogin(trx, email)
    if (owner !== undefined) await notify(trx, { userId: owner.id, kind: 'ADDRESS_TRIED', fields: {} })
  })
}
