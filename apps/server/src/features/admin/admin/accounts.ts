/** Users as administrators see them. */
import type { z } from 'zod'
import type { AdminUser, AdminUserDetails, ListedUser, listUsersQuery } from '@wakestone/contract/admin/admin'
import { DomainError } from '@wakestone/contract/errors'
import type { Language } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import type { Handle } from '#src/db/client.ts'
import { listServiceIdsOf } from '#src/features/sales/services/service.ts'
import { listWalletsOf } from '#src/features/money/wallets/service.ts'
import { findUserForAdmin, selectUsers, selectUsersByText } from './account-repo.ts'
import { type UserRow, findUserCapabilities } from '#src/features/accounts/users/service.ts'

function describeUser(user: UserRow): AdminUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    language: user.language as Language,
    country_code: user.country_code,
    created_at: user.created_at.toISOString(),
    email_verified: user.email_verified?.toISOString() ?? null,
    suspended_at: user.suspended_at?.toISOString() ?? null,
    destroy_at: user.destroy_at?.toISOString() ?? null,
    destroyed_at: user.destroyed_at?.toISOString() ?? null,
  }
}

/** @throws DomainError `user_not_found`. */
export async function showAdminUser({ db }: Pick<Context, 'db'>, userId: string): Promise<AdminUserDetails> {
  const user = await findUserForAdmin(db, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  const [user_capabilities, wallets, services] = await Promise.all([
    findUserCapabilities(db, userId),
    listWalletsOf(db, userId),
    listServiceIdsOf(db, userId),
  ])
  const { suspended_at, suspended_by, suspended_reason, suspender } = user
  return {
    ...describeUser(user),
    accepted_tos: user.accepted_tos?.toISOString() ?? null,
    newsletter: user.newsletter?.toISOString() ?? null,
    has_password: user.password_hash !== null,
    paying_user: services.length > 0,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    suspension:
      suspended_at === null
        ? null
        : {
            at: suspended_at.toISOString(),
            by: suspended_by === null ? null : { id: suspended_by, username: suspender ?? '' },
            reason: suspended_reason ?? '',
          },
    user_capabilities,
    wallets,
  }
}

/** Users, those who came last first, or who were here last. */
export async function listUsers(
  { db }: Pick<Context, 'db'>,
  { q, ...wanted }: z.output<typeof listUsersQuery> & { after?: string | undefined; limit: number },
): Promise<{ data: ListedUser[]; count: number }> {
  const { rows, count } = await selectUsers(db, { ...wanted, after: wanted.after, text: q?.toLowerCase() })
  const data = rows.map((row) => ({ ...describeUser(row), last_seen_at: row.last_seen_at?.toISOString() ?? null }))
  return { data, count }
}

/** Users whose name or address holds a text, whatever its case. */
export async function searchUsers(db: Handle, text: string, limit: number): Promise<AdminUser[]> {
  return (await selectUsersByText(db, text.toLowerCase(), limit)).map(describeUser)
}

export async function findAdminUser(db: Handle, id: string): Promise<AdminUser | undefined> {
  const user = await findUserForAdmin(db, id)
  return user === undefined ? undefined : describeUser(user)
}
