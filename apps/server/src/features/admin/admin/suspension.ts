/** Suspended accounts: nobody signs in, what is open ends, servers stand still; until an administrator ends it. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { reconcileServersOf } from '#src/features/servers/servers/service.ts'
import { changeUser } from '#src/features/accounts/users/service.ts'
import { endSessionsOf } from '#src/features/accounts/sign-in/service.ts'
import type { Principal } from '#src/http/principal.ts'
import { actorOf, lockTarget, refuseOwnAccount, requireOtherAdministrator } from './administrators.ts'

/**
 * A suspended account keeps the reason that it has.
 * @throws DomainError `user_not_found`, `own_account_protected`, `last_administrator`.
 */
export async function suspendUser(context: Context, actor: Principal, userId: string, reason: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const target = await lockTarget(trx, actor, userId)
    const { suspended_at } = target.user
    refuseOwnAccount(actor, target)
    if (suspended_at !== null) return
    await requireOtherAdministrator(trx, target)
    await changeUser(trx, userId, {
      suspended_at: new Date(),
      suspended_by: actor.userId,
      suspended_reason: reason,
    })
    await endSessionsOf(trx, userId)
    await reconcileServersOf(context, trx, userId)
    await recordUserEvent(trx, userId, {
      action: 'USER_SUSPEND',
      level: eventLevels.WARN,
      data: { reason, actor: actorOf(actor) },
    })
    await notify(trx, { userId, kind: 'ACCOUNT_SUSPENDED', fields: { reason } })
  })
}

/** Nothing happens where nothing is suspended. @throws DomainError `user_not_found`. */
export async function unsuspendUser(context: Context, actor: Principal, userId: string): Promise<void> {
  await inTransaction(context.db, async (trx) => {
    const { user } = await lockTarget(trx, actor, userId)
    if (user.suspended_at === null) return
    await changeUser(trx, userId, { suspended_at: null, suspended_by: null, suspended_reason: null })
    await reconcileServersOf(context, trx, userId)
    await recordUserEvent(trx, userId, {
      action: 'USER_UNSUSPEND',
      data: { reason: user.suspended_reason, actor: actorOf(actor) },
    })
    await notify(trx, { userId, kind: 'ACCOUNT_RESTORED', fields: {} })
  })
}
