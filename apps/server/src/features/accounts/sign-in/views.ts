/** The end of a view: an administrator who saw the panel as a user goes back to their own session. */
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import type { Principal, SessionPrincipal } from '#src/http/principal.ts'
import { endSession, lockSession } from './session-repo.ts'

/** Ends the view that a caller is in. */
export async function endView(
  context: Pick<Context, 'db'>,
  { userId, sessionId, actor }: SessionPrincipal,
): Promise<void> {
  if (actor === undefined) return
  await inTransaction(context.db, async (trx) => {
    const session = await lockSession(trx, sessionId)
    if (session === undefined || session.ended_at !== null) return
    await endSession(trx, sessionId)
    await recordViewEnd(trx, userId, actor)
  })
}

/** Writes it into the user's events. */
export async function recordViewEnd(
  trx: Transaction,
  userId: string,
  actor: Pick<Principal, 'userId' | 'username'>,
): Promise<void> {
  await recordUserEvent(trx, userId, {
    action: 'USER_VIEW_AS_END',
    data: { actor: { user_id: actor.userId, username: actor.username } },
  })
}
