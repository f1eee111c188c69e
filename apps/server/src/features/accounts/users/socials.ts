/** Accounts elsewhere that sign in to an account here. */
import type { OwnerCheck } from '#src/owner-check.ts'
import { DomainError } from '@wakestone/contract/errors'
import type { Social, SocialDetails } from '@wakestone/contract/accounts/social'
import type { Context } from '#src/context.ts'
import type { DiscordProfile } from '#src/adapters/discord/schemas.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { lockUser, type UserRow } from './repo.ts'
import { endSocial, insertSocial, isSocialTaken, selectSocialOwner, selectSocials } from './social-repo.ts'

export async function listSocialsOf(db: Handle, userId: string): Promise<Social[]> {
  const rows = await selectSocials(db, userId)
  return rows.map((row) => ({
    id: row.id,
    source: row.source as Social['source'],
    external_id: row.external_id,
    user_id: row.user_id,
    details: row.details as SocialDetails,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    destroyed_at: null,
  }))
}

/** Whose account a link belongs to. */
export function findSocialOwner(db: Handle, socialId: string): Promise<string | undefined> {
  return selectSocialOwner(db, socialId)
}

export function detailsOf({ username, global_name, avatar }: DiscordProfile): SocialDetails {
  return { username, global_name: global_name ?? null, avatar: avatar ?? null }
}

/**
 * Links a Discord account to one that its owner is signed in to, in the caller's transaction.
 * @throws DomainError `discord_user_email_not_verified`; `email_not_verified` while the account's own address is not
 *   proven, since its true owner may come later; `resource_already_exists` (of `social`).
 */
export async function linkDiscord(
  trx: Transaction,
  user: UserRow,
  { profile, ip }: { profile: DiscordProfile; ip: string },
): Promise<void> {
  if (profile.verified !== true) throw new DomainError('discord_user_email_not_verified')
  if (user.email_verified === null) throw new DomainError('email_not_verified')
  await insertSocial(trx, {
    userId: user.id,
    source: 'discord',
    externalId: profile.id,
    details: detailsOf(profile),
  })
  const eventId = await recordUserEvent(trx, user.id, {
    action: 'USER_SOCIAL_CONNECT',
    data: { provider: 'discord', provider_id: profile.id, username: profile.username, ip },
  })
  await notify(trx, { userId: user.id, kind: 'SOCIAL_LINKED', fields: { name: profile.username }, eventId })
}

/** The error of the catalogue for an account that is linked already, here or there; any other error as it is. */
export function socialTaken(error: unknown): unknown {
  return isSocialTaken(error) ? new DomainError('resource_already_exists', { resource: 'social' }) : error
}

/**
 * Unlinks, unless it is the only way in: codes by mail need a proven address, and are one otherwise.
 * @throws DomainError `user_has_no_other_login`, `resource_not_found`.
 */
export async function unlinkSocial(context: Pick<Context, 'db'>, socialId: string, ip: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const ownerId = await selectSocialOwner(trx, socialId)
    const user = ownerId === undefined ? undefined : await lockUser(trx, ownerId)
    if (user === undefined) throw new DomainError('resource_not_found', { resource: 'social' })
    if (user.password_hash === null && user.email_verified === null) throw new DomainError('user_has_no_other_login')
    const social = await endSocial(trx, socialId)
    if (social === undefined) throw new DomainError('resource_not_found', { resource: 'social' })
    const { username } = social.details as SocialDetails
    const eventId = await recordUserEvent(trx, user.id, {
      action: 'USER_SOCIAL_DISCONNECT',
      data: { provider: social.source, provider_id: social.external_id, username, ip },
    })
    await notify(trx, { userId: user.id, kind: 'SOCIAL_UNLINKED', fields: { name: username }, eventId })
  })
}

export const socialOwners: OwnerCheck = {
  findOwner: findSocialOwner,
  notFound: { code: 'resource_not_found', resource: 'social' },
}
