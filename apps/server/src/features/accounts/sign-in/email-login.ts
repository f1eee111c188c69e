/** Signing in, or registering, by a code sent to an address; it works in the browser that asked for it alone. */
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { finishEmailLoginBody } from '@wakestone/contract/accounts/user'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { agreeToTerms } from '#src/features/accounts/consents/service.ts'
import { termsInForce } from '#src/features/site/documents/service.ts'
import { networkOf } from '#src/features/ground/limits/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import { agreeAtRegistration, confirmWithAccount } from '#src/features/site/newsletter/service.ts'
import { type Device, isKnownDevice } from './devices.ts'
import { beginSessionOrChallenge, type LoginOutcome } from './login-steps.ts'
import { findDigits } from './mail-digits-repo.ts'
import { sendDigits, spendDigits } from './mail-digits.ts'
import { type UserRow, findUserByLogin, nameTaken, openAccount } from '#src/features/accounts/users/service.ts'
import { proveAddress } from './prove-address.ts'

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * Mails a code to an address, known or not.
 * @returns what the browser keeps: the code's id and the secret that binds it to this browser.
 * @throws DomainError `email_already_sent` within a minute of the last one.
 */
export async function beginEmailLogin(
  context: Context,
  wanted: { email: string; language: Language },
  device: Device,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const isKnownBrowser = await isKnownDevice(context, wanted.email, device)
  const id = await inTransaction(context.db, async (trx) => {
    const user = await findUserByLogin(trx, wanted.email)
    const language = (user?.language as Language | undefined) ?? wanted.language
    return sendDigits(context, trx, {
      purpose: 'login',
      email: wanted.email,
      userId: null,
      language,
      browserHash: hashOf(secret),
      askedFrom: networkOf(device.ip),
      isKnownBrowser,
    })
  })
  return `${id}.${secret}`
}

/**
 * Signs in to the account of the address, or makes one.
 * @throws DomainError `no_code`, `user_code_expired`; `user_has_to_accept_terms` before an account is made: the same
 *   code then works with the terms accepted.
 */
export async function finishEmailLogin(
  context: Context,
  browser: string | undefined,
  body: z.output<typeof finishEmailLoginBody>,
  device: Device,
): Promise<{ outcome: LoginOutcome; isNew: boolean }> {
  const [id = '', secret = ''] = (browser ?? '').split('.')
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new DomainError('no_code')
  const language = ((await findDigits(context.db, id))?.language ?? 'en') as Language
  const accepted_terms = body.accepted_tos ? await termsInForce(context, language) : undefined
  const given = { id, purpose: 'login', digits: body.code, browserHash: hashOf(secret) } as const
  try {
    return await spendDigits(context, given, async (trx, { email }) => {
      const known = await findUserByLogin(trx, email)
      if (known === undefined && !body.accepted_tos) throw new DomainError('user_has_to_accept_terms')
      const user = known ?? (await makeAccount(context, trx, { ...body, email, language }, device))
      // Whoever reads the mails of an address has it.
      await proveAddress(trx, user)
      const event = {
        action: known === undefined ? 'USER_REGISTER_EMAIL' : 'USER_LOGIN_EMAIL',
        data: { email, method: 'email', ...(known === undefined && { accepted_terms }) },
      } as const
      return {
        outcome: await beginSessionOrChallenge(context, trx, { user, device, event }),
        isNew: known === undefined,
      }
    })
  } catch (error) {
    throw nameTaken(error)
  }
}

async function makeAccount(
  context: Context,
  trx: Transaction,
  wanted: { email: string; language: Language; newsletter: boolean },
  device: Device,
): Promise<UserRow> {
  const user = await openAccount(trx, {
    ...wanted,
    passwordHash: null,
    countryCode: countryOf(device.ip, context.settings),
    emailVerified: true,
  })
  await agreeToTerms(context, trx, user, device.ip)
  if (wanted.newsletter) {
    await agreeAtRegistration(context, trx, { id: user.id, ...wanted }, device.ip)
    await confirmWithAccount(context, trx, { userId: user.id, ip: device.ip })
  }
  return user
}
