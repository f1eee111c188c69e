/** Passkeys of an account: added under a name, renamed, forgotten. */
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { addPasskeyBody, Passkey } from '@wakestone/contract/accounts/security'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { findUser } from '#src/features/accounts/users/service.ts'
import { keepChallenge, siteOf, takeChallenge, userHandleBytes } from './passkey-check.ts'
import { deletePasskey, insertPasskey, renamePasskey, selectPasskeys } from './passkey-repo.ts'
import {
  giveRecoveryCodes,
  hasNoFactor,
  noteFactor,
  requireUser,
  showPasskey,
  voidCodesWithoutFactor,
} from './two-step.ts'

/** COSE numbers of Ed25519, ECDSA with P-256 and RSA: what authenticators speak. */
const supportedAlgorithmIDs = [-8, -7, -257]

type Session = { userId: string; sessionId: string }

/** What to ask an authenticator; one that has a passkey of this account already will refuse. */
export async function beginPasskey(context: Context, { userId, sessionId }: Session) {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const known = await selectPasskeys(context.db, userId)
  const options = await generateRegistrationOptions({
    rpName: 'Wakestone',
    rpID: siteOf(context).id,
    userID: userHandleBytes(userId),
    userName: user.email,
    userDisplayName: user.username,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(context, { purpose: 'register', boundTo: sessionId, challenge: options.challenge })
  return options
}

/** @throws DomainError `passkey_refused`, `resource_already_exists`. */
export async function addPasskey(
  context: Context,
  { userId, sessionId }: Session,
  { name, response }: z.output<typeof addPasskeyBody>,
): Promise<{ passkey: Passkey; recovery_codes: string[] | null }> {
  const made = await checkRegistration(context, sessionId, response)
  if (made === undefined) throw new DomainError('passkey_refused')
  const { credential, credentialBackedUp } = made
  try {
    return await inTransaction(context.db, async (trx) => {
      const user = await requireUser(trx, userId)
      const isFirst = await hasNoFactor(trx, userId)
      const row = await insertPasskey(trx, {
        userId,
        name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        isBackedUp: credentialBackedUp,
      })
      const notice = { kind: 'FACTOR_ADDED', factor: 'passkey', name } as const
      await noteFactor(trx, user, { action: 'USER_ADD_PASSKEY', data: { name }, notice })
      const recovery_codes = isFirst ? await giveRecoveryCodes(context, trx, userId) : null
      return { passkey: showPasskey(row), recovery_codes }
    })
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new DomainError('resource_already_exists')
    throw error
  }
}

async function checkRegistration(
  context: Context,
  sessionId: string,
  response: z.output<typeof addPasskeyBody>['response'],
) {
  const asked = await inTransaction(context.db, (trx) =>
    takeChallenge(trx, { purpose: 'register', boundTo: sessionId, clientDataJSON: response.response.clientDataJSON }),
  )
  if (asked === undefined) return undefined
  const { id, origin } = siteOf(context)
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: asked,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    })
    return registrationInfo
  } catch (error) {
    context.logger.info({ error, sessionId }, 'a passkey was refused')
    return undefined
  }
}

/** @throws DomainError `resource_not_found` */
export async function nameAnew(context: Context, userId: string, passkeyId: string, name: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    if (!(await renamePasskey(trx, userId, passkeyId, name))) throw new DomainError('resource_not_found')
    await recordUserEvent(trx, userId, {
      action: 'USER_RENAME_PASSKEY',
      data: { name },
    })
  })
}

/** @throws DomainError `resource_not_found` */
export async function removePasskey(context: Context, userId: string, passkeyId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const user = await requireUser(trx, userId)
    const name = await deletePasskey(trx, userId, passkeyId)
    if (name === undefined) throw new DomainError('resource_not_found')
    await voidCodesWithoutFactor(trx, userId)
    const notice = { kind: 'FACTOR_REMOVED', factor: 'passkey', name } as const
    await noteFactor(trx, user, { action: 'USER_REMOVE_PASSKEY', data: { name }, notice })
  })
}
