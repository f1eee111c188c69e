/**
 * Logging in, registering and linking by Discord. The way there and back belongs to one browser and is gone once: the
 * state is matched with a secret cookie, the code with PKCE. An account is found by its link alone. The same e-mail
 * address never links by itself: whoever has the account logs in to it first, in another way.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { finishDiscordBody } from '@wakestone/contract/accounts/user'
import { usernameSchema } from '@wakestone/contract/validation'
import { type Discord, DiscordRefused } from '#src/adapters/discord/client.ts'
import type { DiscordProfile } from '#src/adapters/discord/schemas.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { termsInForce } from '#src/features/site/documents/service.ts'
import { agreeToTerms } from '#src/features/accounts/consents/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import { agreeAtRegistration, confirmWithAccount } from '#src/features/site/newsletter/service.ts'
import type { Device } from './devices.ts'
import { beginSessionOrChallenge, type LoginOutcome } from './login-steps.ts'
import {
  type UserRow,
  detailsOf,
  findSocial,
  findUser,
  findUserByLogin,
  insertSocial,
  isUsernameTaken,
  linkDiscord,
  nameTaken,
  openAccount,
  socialTaken,
  updateSocial,
} from '#src/features/accounts/users/service.ts'
import {
  type DiscordAttempt,
  insertAttempt,
  lockAttempt,
  markAttemptUsed,
  noteAttemptCode,
  noteAttemptProfile,
} from './discord-attempt-repo.ts'

const minute = 60_000
const hashOf = (secret: string) => createHash('sha256').update(secret).digest()
const makeSecret = () => randomBytes(32).toString('base64url')

/**
 * Begins a way to Discord.
 * @param userId who is signed in, and wants to link; undefined to log in or register.
 * @param kept the secret that this browser has from an earlier way, so that two tabs do not spoil each other's.
 * @returns where to send the browser, and the secret for it to keep.
 */
export async function beginDiscord(
  { db }: Pick<Context, 'db'>,
  discord: Discord,
  {
    userId,
    kept,
    from,
    language,
  }: { userId?: string; kept: string | undefined; from?: string | undefined; language: Language },
): Promise<{ url: string; browser: string }> {
  const browser = kept !== undefined && /^[\w-]{43}$/.test(kept) ? kept : makeSecret()
  const [state, verifier] = [makeSecret(), makeSecret()]
  await insertAttempt(db, {
    stateHash: hashOf(state),
    browserHash: hashOf(browser),
    userId: userId ?? null,
    verifier,
    language,
    cameFrom: from ?? null,
    expiresAt: new Date(Date.now() + 10 * minute),
  })
  // Who links shall see at Discord which account it is; who logs in has seen it before.
  return { url: discord.authorizeUrl({ state, verifier, asksAgain: userId !== undefined }), browser }
}

type Given = z.output<typeof finishDiscordBody> & {
  browser: string | undefined
  /** Who is signed in by now. */
  callerId: string | undefined
  device: Device
}
export type DiscordOutcome = {
  outcome: 'login' | 'register' | 'link'
  userId: string
  /** Missing where somebody is signed in already. */
  login: LoginOutcome | undefined
  from: string | null
}

/**
 * Does what a browser came back from Discord for. Refusals carry `from`, where the way began.
 * @throws DomainError `no_state`, `no_code`, `discord_unavailable`; `user_has_to_accept_terms` and
 *   `resource_already_exists` (of `email`), after which the same state and code work once the terms are accepted, or
 *   the account of the address is logged in to; and those of `linkDiscord`.
 */
export async function finishDiscord(context: Context, discord: Discord, given: Given): Promise<DiscordOutcome> {
  const attempt = await claimAttempt(context, given)
  const from = attempt.came_from
  try {
    const profile = (attempt.profile as DiscordProfile | null) ?? (await askDiscord(context, discord, attempt, given))
    return await inTransaction(context.db, async (trx) => {
      const current = await lockAttempt(trx, attempt.state_hash)
      if (current === undefined || current.used_at !== null) throw new DomainError('no_state')
      const done = await useProfile(context, trx, { attempt, profile, given })
      await markAttemptUsed(trx, attempt.id)
      return { ...done, from }
    })
  } catch (error) {
    const known = socialTaken(nameTaken(error))
    if (!(known instanceof DomainError) || from === null) throw known
    throw new DomainError(known.code, { ...known.fields, from })
  }
}

/** Finds the way that a browser came back from, and takes its code: one code, once. */
async function claimAttempt(context: Context, given: Given): Promise<DiscordAttempt> {
  const { state = '', browser = '', code, callerId } = given
  const found = await inTransaction(context.db, async (trx) => {
    const attempt = await lockAttempt(trx, hashOf(state))
    const isGood =
      attempt !== undefined &&
      timingSafeEqual(attempt.browser_hash, hashOf(browser)) &&
      attempt.used_at === null &&
      attempt.expires_at.getTime() > Date.now() &&
      (attempt.user_id === null || attempt.user_id === callerId)
    if (!isGood) return undefined
    if (code === undefined) {
      await markAttemptUsed(trx, attempt.id)
      return { attempt, hasCode: false }
    }
    if (attempt.code_hash === null) await noteAttemptCode(trx, attempt.id, hashOf(code))
    // Back a second time, with another code or before Discord has answered the first.
    else if (attempt.profile === null || !timingSafeEqual(attempt.code_hash, hashOf(code))) return undefined
    return { attempt, hasCode: true }
  })
  if (found === undefined) throw new DomainError('no_state')
  const { attempt, hasCode } = found
  if (!hasCode) throw new DomainError('no_code', attempt.came_from === null ? {} : { from: attempt.came_from })
  return attempt
}

async function askDiscord(
  context: Context,
  discord: Discord,
  { id, verifier }: DiscordAttempt,
  { code = '' }: Given,
): Promise<DiscordProfile> {
  try {
    const profile = await discord.identify({ code, verifier })
    await noteAttemptProfile(context.db, id, { profile, expiresAt: new Date(Date.now() + 15 * minute) })
    return profile
  } catch (error) {
    await markAttemptUsed(context.db, id)
    if (error instanceof DiscordRefused) throw new DomainError('no_code')
    context.logger.warn({ error }, 'a login by Discord failed')
    throw new DomainError('discord_unavailable')
  }
}

type Work = { attempt: DiscordAttempt; profile: DiscordProfile; given: Given }

async function useProfile(context: Context, trx: Transaction, work: Work): Promise<Omit<DiscordOutcome, 'from'>> {
  const { attempt, profile, given } = work
  const { device, callerId } = given
  const link = async (user: UserRow | undefined) => {
    if (user === undefined) throw new DomainError('no_state')
    await linkDiscord(trx, user, { profile, ip: device.ip })
    return { outcome: 'link' as const, userId: user.id, login: undefined }
  }
  if (attempt.user_id !== null) return link(await findUser(trx, attempt.user_id))

  const social = await findSocial(trx, 'discord', profile.id)
  const owner = social === undefined ? undefined : await findUser(trx, social.user_id)
  if (social !== undefined && owner !== undefined) {
    await updateSocial(trx, social.id, detailsOf(profile))
    const event = { action: 'USER_LOGIN_DISCORD', data: loginData(owner.email, work) } as const
    const login = await beginSessionOrChallenge(context, trx, { user: owner, device, event })
    return { outcome: 'login', userId: owner.id, login }
  }

  if (profile.verified !== true || !profile.email) throw new DomainError('discord_user_email_not_verified')
  const email = profile.email.toLowerCase()
  const known = await findUserByLogin(trx, email)
  // Signed in meanwhile, in another way: now it is proven whose account it is.
  if (known !== undefined && known.id === callerId) return link(known)
  if (known !== undefined) throw new DomainError('resource_already_exists', { resource: 'email' })
  if (!given.accepted_tos) throw new DomainError('user_has_to_accept_terms')
  const user = await register(context, trx, work, email)
  const event = {
    action: 'USER_REGISTER_DISCORD',
    data: { ...loginData(email, work), accepted_terms: await termsInForce(context, attempt.language as Language) },
  } as const
  const login = await beginSessionOrChallenge(context, trx, { user, device, event })
  return { outcome: 'register', userId: user.id, login }
}

const loginData = (email: string, { profile }: Work) => ({
  email,
  method: 'discord',
  provider: 'discord',
  provider_id: profile.id,
})

async function register(context: Context, trx: Transaction, work: Work, email: string): Promise<UserRow> {
  const { attempt, profile, given } = work
  const language = attempt.language as Language
  const isGoodName = usernameSchema.safeParse(profile.username).success
  const isFree = isGoodName && !(await isUsernameTaken(trx, profile.username))
  const user = await openAccount(trx, {
    email,
    language,
    newsletter: given.newsletter,
    passwordHash: null,
    countryCode: countryOf(given.device.ip, context.settings),
    emailVerified: true,
    ...(isFree && { username: profile.username }),
  })
  await agreeToTerms(context, trx, user, given.device.ip)
  await insertSocial(trx, {
    userId: user.id,
    source: 'discord',
    externalId: profile.id,
    details: detailsOf(profile),
  })
  if (given.newsletter) {
    await agreeAtRegistration(context, trx, { id: user.id, email, language }, given.device.ip)
    await confirmWithAccount(context, trx, { userId: user.id, ip: given.device.ip })
  }
  return user
}
