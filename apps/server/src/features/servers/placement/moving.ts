/**
 * Brings a server from one cluster to another. Who places it does that too, so that it is never placed on both; its files
 * are there already, and its game is down.
 */
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'
import { writeMoved } from './observed-repo.ts'
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

  return { bring }
}
