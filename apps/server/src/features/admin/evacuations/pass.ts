/** One pass over a cluster that is emptied: notes what has become of moves, and begins the next ones. */
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { chooseTarget, findOpenClusters, moveByForce, type Room } from '#src/features/servers/migration/service.ts'
import type { ClusterRow } from '#src/features/servers/clusters/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import * as repo from './repo.ts'

export type PassDeps = Pick<Context, 'db' | 'boss' | 'settings' | 'fleet'>
type Open = readonly { cluster: ClusterRow; room: Room }[]

/** Something else is under way on a server. */
const busyMilliseconds = 30_000
/** A move that went back is tried once more. */
const againMilliseconds = 5 * 60_000
const mostTries = 2

const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds)

/** Any number of workers may do it; each is alone at one cluster. */
export async function passEvacuations(deps: PassDeps): Promise<void> {
  for (const id of await repo.selectOpen(deps.db)) await passOne(deps, id)
}

async function passOne(deps: PassDeps, id: string): Promise<void> {
  // Machines are asked before, since nobody waits for them within a transaction.
  const open = await findOpenClusters(deps)
  for (;;) {
    const next = await inTransaction(deps.db, async (trx) => {
      const row = await repo.lockFree(trx, id)
      if (row === undefined) return undefined
      const moving = await noteEnds(trx, id)
      if (row.state !== 'running') return undefined
      if (!(await repo.hasOpenServers(trx, id))) await repo.writeState(trx, id, 'done')
      else if (moving < deps.settings.EVACUATION_MOVES_AT_ONCE) return { row, server: await repo.findNext(trx, id) }
      return undefined
    })
    if (next?.server === undefined) return
    await begin(deps, next.row, next.server, open)
  }
}

/** @returns how many are still moving */
async function noteEnds(trx: Transaction, id: string): Promise<number> {
  let count = 0
  for (const { server_id, tries, state, code } of await repo.selectMoving(trx, id)) {
    const one = { evacuation_id: id, server_id }
    if (state === 'done') await repo.updateServer(trx, one, { state: 'moved', error: null })
    else if (state === 'cancelled') await repo.updateServer(trx, one, { state: 'failed', error: null })
    else if (state === null || state === 'rolled_back' || state === 'failed') {
      const isLast = tries + 1 >= mostTries || state === 'failed'
      await repo.updateServer(trx, one, {
        state: isLast ? 'failed' : 'waiting',
        error: code ?? 'service_unavailable',
        tries: tries + 1,
        due_at: inMilliseconds(againMilliseconds),
      })
    } else count++
  }
  return count
}

/** Begins the move of one; where it cannot go to where it was planned, to another place. */
async function begin(deps: PassDeps, row: repo.EvacuationRow, planned: repo.EvacuatedRow, open: Open): Promise<void> {
  const server = await findServer(deps.db, planned.server_id)
  const update = (change: Parameters<typeof repo.updateServer>[2]) =>
    inTransaction(deps.db, (trx) => repo.updateServer(trx, planned, change))
  if (server === undefined || server.cluster_id !== row.cluster_id) return update({ state: 'gone', error: null })
  const places = open.filter(({ cluster }) => cluster.id === planned.new_cluster)
  let chosen = await chooseTarget(deps, server, places)
  if ('obstacle' in chosen) chosen = await chooseTarget(deps, server, open)
  if ('obstacle' in chosen) return update({ state: 'failed', error: 'server_cannot_migrate', new_cluster: null })
  const { cluster, expectedSeconds } = chosen
  const room = open.find((place) => place.cluster.id === cluster.id)?.room
  try {
    await inTransaction(deps.db, async (trx) => {
      const present = await repo.lockFree(trx, row.id)
      if (present?.state !== 'running') return
      const target = { cluster, room, reason: row.reason, userId: row.created_by }
      const operation_id = await moveByForce(deps, trx, server, target)
      const change = { state: 'moving', new_cluster: cluster.id, expected_seconds: expectedSeconds }
      await repo.updateServer(trx, planned, { ...change, operation_id, error: null })
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    // Something else is under way there, or somebody has taken the room meanwhile.
    await update({ error: error.code, due_at: inMilliseconds(busyMilliseconds) })
  }
}
