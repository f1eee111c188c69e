/**
 * Brings a server from one cluster to another. Who places it does that too, so that it is never placed on both; its files
 * are there already, and its game is down, or on a machine that is lost.
 */
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { notePlayersLost } from '#src/features/servers/players/service.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import * as looks from './looks-repo.ts'
import { writeLost, writeMoved } from './observed-repo.ts'
import { inMilliseconds, soonMilliseconds } from './pauses.ts'
import type { Remover } from './remover.ts'

type Deps = { context: Pick<Context, 'db'>; fleet: Pick<Fleet, 'cluster'>; remover: Remover }

export function createMoving({ context: { db }, fleet, remover }: Deps) {
  /** Ends all that is up where it is, and has it be on the other cluster. May be killed at any line, and begins anew. */
  async function bring({ id, hold, placed_at }: ServerRow, clusterId: string): Promise<Date> {
    // Whoever has asked for it holds the game down until it is there.
    if (hold === null) return inMilliseconds(soonMilliseconds)
    await fleet.cluster.closeBoxes(id)
    if (placed_at !== null) await remover.removeWorkload(id, 'moved')
    else await fleet.cluster.remove(id)
    await inTransaction(db, (trx) => writeMoved(trx, id, clusterId))
    return new Date()
  }

  /**
   * Has it be on the other cluster as long as its machine does not answer. What runs there is ended as soon as that is back
   * (`migration/fencing.ts`); until then nobody is led to it.
   */
  async function abandon({ id, hold }: ServerRow, clusterId: string): Promise<Date> {
    if (hold === null || (await fleet.cluster.inspect(id)).state !== 'lost') return inMilliseconds(soonMilliseconds)
    await inTransaction(db, async (trx) => {
      if (!(await writeMoved(trx, id, clusterId))) return
      await notePlayersLost(trx, id)
      await writeLost(trx, id, { giveUp: false, retryAt: null })
      await looks.forgetAnswers(trx, id)
    })
    return new Date()
  }

  return { bring, abandon }
}
