/** Workloads of servers: whether one has to be up, that it is, and that it goes. */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Product } from '@wakestone/contract/sales/product'
import { type Decision, isAsleep } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notePreparation } from '#src/features/servers/operations/service.ts'
import { endServer, type ServerRow, isExpired, workloadOf } from '#src/features/servers/servers/service.ts'
import * as looks from './looks-repo.ts'
import { notePlayersLost } from '#src/features/servers/players/service.ts'
import * as observed from './observed-repo.ts'
import { inMilliseconds, isBehind, pauseAfterShortLife, soonMilliseconds } from './pauses.ts'
import type { Checkpointing } from './checkpointing.ts'
import type { Remover } from './remover.ts'

/** A workload that lived shorter is not placed again at once. */
const shortLifeMilliseconds = 10_000

type Deps = {
  context: Pick<Context, 'db' | 'logger' | 'settings'>
  fleet: Fleet
  remover: Remover
  checkpointing: Pick<Checkpointing, 'restsOnDisk'>
}

export function createPlacing({ context, fleet, remover, checkpointing }: Deps) {
  const { db, logger, settings } = context
  const { removeWorkload } = remover

  /** Whether its supervisor is to be up: for the game, for a plan that is not installed, or for whoever reads files. */
  function needsWorkload(server: ServerRow, decision: Decision): boolean {
    const { level } = decision
    if (checkpointing.restsOnDisk(server, decision)) return false
    // It has to be restored before it can be stopped.
    if (server.checkpointed_at !== null) return true
    if (level === 'NEW' || server.hold !== null || server.installed_plan !== server.plan_hash) return true
    if (level !== 'HIBERNATED' && level !== 'TERMINATED') return true
    return lingersUntil(server).getTime() > Date.now()
  }

  /** A supervisor without a game stays for a moment after its last use. */
  function lingersUntil(server: ServerRow): Date {
    const used = [server.phase_since, server.placed_at, server.level_since].map((time) => time?.getTime() ?? 0)
    const lingers = Math.max(...used) + settings.WORKLOAD_LINGER_SECONDS * 1000
    return new Date(Math.max(lingers, server.needed_until?.getTime() ?? 0))
  }

  /** Nothing of it is up, nor has to be. @returns when that may change by itself. */
  function restUntil({ expires }: ServerRow, { until }: Decision): Date | null {
    const end = expires !== null && expires.getTime() > Date.now() ? new Date(expires.getTime() + 1) : null
    return end === null || (until !== null && until < end) ? until : end
  }

  /** Takes the workload of a server away that nobody needs; its volume stays. */
  async function takeDown(server: ServerRow, status: SupervisorStatus, decision: Decision): Promise<Date | null> {
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    await removeWorkload(server.id, decision.level === 'HIBERNATED' ? 'sleep' : 'unused')
    return restUntil(server, decision)
  }

  /** Of a server whose files nobody can save any more. */
  async function removeVolume({ id, volume_removed_at }: ServerRow): Promise<null> {
    if (volume_removed_at !== null) return null
    await fleet.cluster.remove(id, { volume: 'delete' })
    await inTransaction(db, async (trx) => {
      await observed.writeVolumeRemoved(trx, id)
      // Of one that its owner has deleted nothing is kept.
      if (await observed.hasServiceEnded(trx, id)) await endServer(trx, id, new Date())
      await recordServerEvent(trx, id, { action: 'SERVER_POD_DELETED', data: { cause: 'expired' } })
    })
    return null
  }

  async function ensurePlaced(server: ServerRow, { level }: Decision): Promise<SupervisorClient | undefined> {
    const { id } = server
    const placement = await fleet.cluster.inspect(id)
    if (placement.state === 'running' && server.placed_at !== null) return fleet.connect(id, placement)
    // Its files are there, and perhaps its game: it is looked at again, and placed nowhere else.
    if (placement.state === 'lost') {
      await looks.noteLost(db, id)
      throw new Error(`the machine ${placement.node} does not answer`)
    }
    if (placement.state !== 'running' && server.placed_at !== null) {
      const livedShortly = Date.now() - server.placed_at.getTime() < shortLifeMilliseconds
      const inOrder = placement.state === 'exited' && placement.inOrder
      await noteLoss(server, { livedShortly, inOrder, sleeps: isAsleep(level) })
      if (livedShortly) return undefined
    }
    return place(server)
  }

  async function place(server: ServerRow): Promise<SupervisorClient | undefined> {
    const { id } = server
    if (isExpired(server)) return undefined
    await notePreparation(db, id, { phase: 'place', progress: 0.02, item: null })
    const { waking, ...placement } = await fleet.cluster.place(workloadOf(server))
    await inTransaction(db, async (trx) => {
      await observed.writePlaced(trx, id, server.limits as Product['parameters'])
      await looks.forgetAnswers(trx, id)
      if (server.prepared_at === null) await recordServerEvent(trx, id, { action: 'SERVER_PVC_CREATED' })
      await recordServerEvent(trx, id, {
        action: 'SERVER_POD_CREATED',
        ...(waking?.why !== undefined && { level: eventLevels.WARN }),
        ...(waking && { data: { from: waking.from } }),
      })
    })
    return fleet.connect(id, placement)
  }

  /** The workload is gone although nobody took it away. Without autostart it then stays off. */
  async function noteLoss(
    server: ServerRow,
    { livedShortly, inOrder, sleeps }: { livedShortly: boolean; inOrder: boolean; sleeps: boolean },
  ): Promise<void> {
    // One that was asleep sleeps on: what it had in memory was saved before.
    const giveUp = !sleeps && !server.autostart && server.want_running && server.prepared_at !== null
    await inTransaction(db, async (trx) => {
      await notePlayersLost(trx, server.id)
      await observed.writeLost(trx, server.id, {
        giveUp,
        retryAt: livedShortly ? new Date(Date.now() + pauseAfterShortLife) : null,
      })
      if (inOrder) return
      await recordServerEvent(trx, server.id, {
        action: 'SERVER_POD_CRASHED',
        level: eventLevels.ERROR,
        success: false,
        data: { phase: server.phase },
      })
    })
    if (!inOrder) logger.warn({ serverId: server.id }, 'supervisor died')
  }

  /** With other limits than it has. */
  async function placeAnew(server: ServerRow): Promise<void> {
    await removeWorkload(server.id, 'plan')
    await place(server)
  }

  return { needsWorkload, lingersUntil, restUntil, takeDown, removeVolume, ensurePlaced, placeAnew }
}

export type Placing = ReturnType<typeof createPlacing>
