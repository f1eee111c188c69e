/**
 * An administrator sees the panel as one of its users, in a session of its own that says who looks. It is short, ends
 * with the session that it was begun in, and is written in the user's events.
 */
import { eventLevels } from '@wakestone/contract/ground/event'
import { randomBytes } from 'node:crypto'
import { isAdmin } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import type { SessionPrincipal } from '#src/http/principal.ts'
import { actorOf, lockTarget, refuseOwnAccount } from './administrators.ts'
import { endViews, insertSession, lockSession, recordViewEnd } from '#src/features/accounts/sign-in/service.ts'

const viewSeconds = 30 * 60

export type View = { sessionId: string; userId: string; seconds: number }

/**
 * Begins a view, which ends another one of the same session.
 * @throws DomainError `user_not_found`, `own_account_protected`, `user_is_administrator`, `user_suspended`.
 */
export async function beginView(
  context: Pick<Context, 'db'>,
  actor: SessionPrincipal,
  { userId, ip, userAgent }: { userId: string; ip: string; userAgent: string | undefined },
): Promise<View> {
  return inTransaction(context.db, async (trx) => {
    const target = await lockTarget(trx, actor, userId)
    refuseOwnAccount(actor, target)
    if (isAdmin(target.capabilities)) throw new DomainError('user_is_administrator', { resource: 'user' })
    if (target.user.suspended_at !== null)
      throw new DomainError('user_suspended', { reason: target.user.suspended_reason ?? '' })
    // Locked: what ends it from now on ends this view too.
    const own = await lockSession(trx, actor.sessionId)
    if (own === undefined || own.ended_at !== null || own.actor_id !== null) throw new DomainError('unauthorized')
    for (const { user_id } of await endViews(trx, { by: actor.userId, sessionId: own.id }))
      await recordViewEnd(trx, user_id, actor)
    const seconds = Math.min(viewSeconds, Math.floor((own.expires_at.getTime() - Date.now()) / 1000))
    if (seconds <= 0) throw new DomainError('unauthorized')
    const expiresAt = new Date(Date.now() + seconds * 1000)
    const sessionId = await insertSession(trx, {
      userId,
      refreshHash: randomBytes(32), // of nothing: it is never renewed
      expiresAt,
      ip,
      userAgent,
      actor: { userId: actor.userId, sessionId: own.id },
    })
    await recordUserEvent(trx, userId, {
      action: 'USER_VIEW_AS_BEGIN',
      level: eventLevels.WARN,
      data: { actor: actorOf(actor), until: expiresAt.toISOString() },
    })
    return { sessionId, userId, seconds }
  })
}
