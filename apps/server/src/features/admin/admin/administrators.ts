/** Who administers, looked at so that what depends on it holds in the end: changes of administrators take turns. */
import { canGrant, type Capabilities, findCapability, isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { Transaction } from '#src/db/client.ts'
import type { Principal } from '#src/http/principal.ts'
import { hasOtherAdministrator, lockAdministrators } from './account-repo.ts'
import { type UserRow, findUser, findUserCapabilities, lockUser } from '#src/features/accounts/users/service.ts'

export type Target = { user: UserRow; capabilities: Capabilities }

/**
 * Has changes of who may do what take turns. The administrator must still be one.
 * @returns what they hold.
 * @throws DomainError `insufficient_capabilities`.
 */
export async function lockAdministration(trx: Transaction, actor: Principal): Promise<Capabilities> {
  await lockAdministrators(trx)
  const administrator = await findUser(trx, actor.userId)
  const held = await findUserCapabilities(trx, actor.userId)
  if (administrator?.suspended_at !== null || !isAdmin(held)) throw new DomainError('insufficient_capabilities')
  return held
}

/** @throws DomainError `last_administrator` when nobody is left who administers. */
export async function requireAdministratorLeft(trx: Transaction): Promise<void> {
  if (!(await hasOtherAdministrator(trx, null))) throw new DomainError('last_administrator', { resource: 'user' })
}

/**
 * Locks a user for a change by an administrator.
 * @throws DomainError `user_not_found`, `insufficient_capabilities`.
 */
export async function lockTarget(trx: Transaction, actor: Principal, userId: string): Promise<Target> {
  await lockAdministration(trx, actor)
  const user = await lockUser(trx, userId)
  if (user === undefined) throw new DomainError('user_not_found', { resource: 'user' })
  return { user, capabilities: await findUserCapabilities(trx, userId) }
}

/** @throws DomainError `own_account_protected`. */
export function refuseOwnAccount(actor: Principal, { user }: Target): void {
  if (user.id === actor.userId) throw new DomainError('own_account_protected', { resource: 'user' })
}

/** @throws DomainError `last_administrator` when nobody else could administer without this user. */
export async function requireOtherAdministrator(trx: Transaction, { user, capabilities }: Target): Promise<void> {
  if (isAdmin(capabilities) && !(await hasOtherAdministrator(trx, user.id)))
    throw new DomainError('last_administrator', { resource: 'user' })
}

/** Whether an administrator may bring about this change: what it gives beyond what was held, they hold themself. */
export function mayChange(
  granter: Capabilities,
  { before, after }: { before: Capabilities; after: Capabilities },
): boolean {
  // Look-ups of any other name end at one of these, in all three.
  const names = new Set([...Object.keys(granter), ...Object.keys(before), ...Object.keys(after)])
  const given = [...names].map((name) => {
    const [had, has] = [findCapability(before, name), findCapability(after, name)]
    const isMore = typeof had === 'number' && typeof has === 'number' ? has > had : Boolean(has) && has !== had
    return [name, isMore && had !== true ? (has ?? false) : false] as const
  })
  return canGrant(granter, Object.fromEntries(given))
}

/** An administrator as events name them. */
export const actorOf = ({ userId, username }: Pick<Principal, 'userId' | 'username'>) => ({ user_id: userId, username })
