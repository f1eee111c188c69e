/** What a user may do on the whole product, changed by an administrator. Everybody who asks learns of it at once. */
import { type Capabilities, isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { endViews } from '#src/features/accounts/sign-in/service.ts'
import { findUserCapabilities, grantCapabilities } from '#src/features/accounts/users/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { revokeCapabilities } from './account-repo.ts'
import { actorOf, lockTarget, mayChange, requireOtherAdministrator } from './administrators.ts'

/**
 * @returns all that the user then holds.
 * @throws DomainError `user_not_found`; `insufficient_capabilities` for what the administrator does not hold;
 *   `own_account_protected`, `last_administrator` for the right that makes administrators.
 */
export async function changeCapabilities(
  context: Pick<Context, 'db'>,
  actor: Principal,
  { userId, set, remove }: { userId: string; set: Capabilities; remove: readonly string[] },
): Promise<Capabilities> {
  return inTransaction(context.db, async (trx) => {
    const target = await lockTarget(trx, actor, userId)
    const { before, after } = await recordCapabilityChange(trx, { userId, actor }, async () => {
      await revokeCapabilities(trx, userId, remove)
      await grantCapabilities(trx, userId, set)
    })
    if (!mayChange(actor.capabilities, { before, after })) throw new DomainError('insufficient_capabilities')
    if (isAdmin(before) && !isAdmin(after)) await requireOtherAdministrator(trx, target)
    return after
  })
}

/**
 * Does what changes what a user holds, and writes down what came of it.
 * @throws DomainError `own_account_protected` to an administrator who would be none any more.
 */
export async function recordCapabilityChange<Result>(
  trx: Transaction,
  { userId, actor }: { userId: string; actor: Principal },
  change: () => Promise<Result>,
): Promise<{ result: Result; before: Capabilities; after: Capabilities }> {
  const before = await findUserCapabilities(trx, userId)
  const result = await change()
  const after = await findUserCapabilities(trx, userId) // what was removed may come back from a set
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  )
  if (changed.length === 0) return { result, before, after }
  if (isAdmin(before) && !isAdmin(after)) {
    if (userId === actor.userId) throw new DomainError('own_account_protected', { resource: 'user' })
    await endViews(trx, { by: userId })
  }
  if (isAdmin(after)) await endViews(trx, { of: userId }) // nobody looks over an administrator's shoulder
  await recordUserEvent(trx, userId, {
    action: 'USER_CHANGE_CAPABILITIES',
    level: eventLevels.WARN,
    data: { before: pick(before, changed), after: pick(after, changed), actor: actorOf(actor) },
  })
  return { result, before, after }
}

const pick = (capabilities: Capabilities, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, capabilities[name] ?? null]))
