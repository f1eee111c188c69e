/**
 * The user: who they are, what they may do, which accounts elsewhere are linked, and how the contract shows them.
 */
import type { Language } from '@wakestone/contract/primitives'
import type { User } from '@wakestone/contract/accounts/user'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { showAgreements } from '#src/features/accounts/consents/service.ts'
import { countUnread } from '#src/features/ground/notifications/service.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { findStanding } from '#src/features/sales/referrals/service.ts'
import { listServiceIdsOf } from '#src/features/sales/services/service.ts'
import { listVoucherUsesOf } from '#src/features/sales/vouchers/service.ts'
import { findUser, findUserCapabilities } from './repo.ts'
import { listSocialsOf } from './socials.ts'

export { openAccount } from './open-account.ts'
export {
  changeUser,
  findUser,
  findUserByLogin,
  findUserCapabilities,
  grantCapabilities,
  isUsernameTaken,
  lockUser,
  markEmailVerified,
  nameTaken,
  selectDueUsers,
  type UserRow,
} from './repo.ts'
export { endSocialsOf, findSocial, insertSocial, updateSocial } from './social-repo.ts'
export { detailsOf, findSocialOwner, linkDiscord, socialTaken, unlinkSocial } from './socials.ts'

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
    time_zone: user.time_zone,
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
