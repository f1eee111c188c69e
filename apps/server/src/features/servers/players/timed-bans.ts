/** Bans that are over are lifted, whether the game is up or not. */
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { changeLists } from './lists.ts'
import { forgetTimedBan, isStillDue, takeDueBans, type TimedBan } from './repo.ts'

const atOnce = 50

/** One that cannot be lifted now is tried again after a while. */
export async function liftDueBans(context: Pick<Context, 'db' | 'fleet' | 'settings' | 'logger'>): Promise<void> {
  const { db, logger } = context
  for (const ban of await inTransaction(db, (trx) => takeDueBans(trx, atOnce))) {
    const { server_id: serverId } = ban
    try {
      if (!(await isStillDue(db, ban))) continue
      await lift(context, ban)
      await forgetTimedBan(db, ban)
    } catch (error) {
      logger.info({ serverId, reason: (error as Error).message }, 'a ban that is over cannot be lifted now')
    }
  }
}

async function lift(context: Pick<Context, 'db' | 'fleet' | 'settings'>, { server_id, kind, target }: TimedBan) {
  const server = await findServer(context.db, server_id)
  if (server === undefined) return
  const order =
    kind === 'player' ? ({ order: 'pardon', name: target } as const) : ({ order: 'pardon_ip', ip: target } as const)
  if ((await changeLists(context, server, order)) === false) throw new Error('the game has not done it')
}
