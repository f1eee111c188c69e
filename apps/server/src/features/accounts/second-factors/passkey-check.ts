/**
 * Passkeys (WebAuthn): what authenticators are asked, and whether their answers are right. Whose site it is follows from
 * `PUBLIC_URL`: a passkey made for another address does not open this one.
 */
import { createHash } from 'node:crypto'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { AuthenticationResponse } from '@wakestone/contract/accounts/security'
import { publicUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import {
  type ChallengePurpose,
  keepPasskeyChallenge,
  lockPasskeyOf,
  notePasskeyUse,
  selectPasskeys,
  takePasskeyChallenge,
} from './passkey-repo.ts'

const validMilliseconds = 5 * 60_000

/** The site as authenticators know it. */
export function siteOf({ settings }: Pick<Context, 'settings'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl(settings))
  return { id: hostname, origin }
}

/** Each question by itself: two tabs of one browser, or a page that asks quietly too, do not spoil each other's. */
const hashOf = (boundTo: string, challenge: string) => createHash('sha256').update(`${boundTo}:${challenge}`).digest()

export async function keepChallenge(
  context: Pick<Context, 'db'>,
  asked: { purpose: ChallengePurpose; boundTo: string; challenge: string },
): Promise<void> {
  await inTransaction(context.db, (trx) =>
    keepPasskeyChallenge(trx, {
      ...asked,
      boundTo: hashOf(asked.boundTo, asked.challenge),
      expiresAt: new Date(Date.now() + validMilliseconds),
    }),
  )
}

/**
 * What was asked, for one answer: the transaction has to commit however the answer turns out.
 * @param clientDataJSON of the answer, which says what it answers.
 */
export async function takeChallenge(
  trx: Transaction,
  { purpose, boundTo, clientDataJSON }: { purpose: ChallengePurpose; boundTo: string; clientDataJSON: string },
): Promise<string | undefined> {
  const answered = readChallenge(clientDataJSON)
  return answered === undefined ? undefined : takePasskeyChallenge(trx, purpose, hashOf(boundTo, answered))
}

function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** What to ask an authenticator: for one of a user's passkeys, or, without a user, for any that it has for this site. */
export async function askForPasskey(
  context: Context,
  { userId, ...asked }: { userId?: string; purpose: ChallengePurpose; boundTo: string },
) {
  const passkeys = userId === undefined ? [] : await selectPasskeys(context.db, userId)
  const options = await generateAuthenticationOptions({
    rpID: siteOf(context).id,
    userVerification: 'required',
    timeout: validMilliseconds,
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })
  await keepChallenge(context, { ...asked, challenge: options.challenge })
  return options
}

/**
 * Checks an authenticator's answer and notes the use of the passkey, in the caller's transaction.
 * @returns whose passkey it is; undefined when the answer is wrong, late, came before, or its counter went back.
 */
export async function checkPasskey(
  context: Context,
  trx: Transaction,
  given: { response: AuthenticationResponse; purpose: ChallengePurpose; boundTo: string },
): Promise<string | undefined> {
  const { clientDataJSON } = given.response.response
  const challenge = await takeChallenge(trx, { ...given, clientDataJSON })
  const passkey = await lockPasskeyOf(trx, given.response.id)
  if (challenge === undefined || passkey === undefined) return undefined
  const { userHandle } = given.response.response
  if (userHandle !== undefined && userHandle !== userHandleOf(passkey.user_id)) return undefined
  const { id, origin } = siteOf(context)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given.response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
    })
    if (!verified) return undefined
    const { newCounter: counter, credentialBackedUp: isBackedUp } = authenticationInfo
    await notePasskeyUse(trx, passkey.id, { counter, isBackedUp })
    return passkey.user_id
  } catch (error) {
    // The library tells by throwing what does not fit: origin, counter, signature.
    context.logger.info({ error, passkeyId: passkey.id }, 'a passkey was refused')
    return undefined
  }
}

/** What an authenticator keeps as the user's name: the bytes of the id, which say nothing about a person. */
export const userHandleBytes = (userId: string) => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
const userHandleOf = (userId: string) => Buffer.from(userHandleBytes(userId)).toString('base64url')
