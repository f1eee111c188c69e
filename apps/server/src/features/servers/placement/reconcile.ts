/**
 * Brings one server nearer to what it should be. Each pass looks at what is there and takes the next steps; it may be
 * killed at any line, and the next pass goes on from what it then finds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Product } from '@wakestone/contract/sales/product'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import { SupervisorError, type SupervisorClient } from '#src/adapters/supervisor/client.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import type { Locks } from '#src/db/locks.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import * as observed from './observed-repo.ts'
import {
  type ServerRow,
  findServer,
  isExpired,
  isLive,
  isPlacedAsWanted,
  shouldRun,
} from '#src/features/servers/servers/service.ts'
import { requestReconcile } from '#src/features/servers/servers/service.ts'

export type ReconcileDeps = {
  context: Pick<Context, 'db' | 'boss' | 'logger'>
  fleet: Fleet
  locks: Locks
  /** Has the events of a placed server followed. */
  watch: (serverId: string) => void
}

const lockPatienceMilliseconds = 5_000
/** A workload that lived shorter is not placed again at once. */
const shortLifeMilliseconds = 10_000
const pauseAfterShortLife = 5_000
/** A supervisor that is alive but has not answered for so long is replaced. */
const muteMilliseconds = 60_000
const retryInSeconds = 10

/**
 * Whether events wait that have not been taken in. They may tell of a stop from inside, of crashes or of a failed
 * installation, and change what is wanted: nothing is begun before that. Taking them in asks for the next pass.
 */
const isBehind = (server: ServerRow, status: SupervisorStatus) => server.supervisor_seq < status.lastEventSeq

export function createReconciler(deps: ReconcileDeps): (serverId: string) => Promise<void> {
  const { context, fleet, locks } = deps
  const { db, logger } = context
  const muteSince = new Map<string, number>()

  /** One pass, alone in the world for this server. */
  async function reconcile(serverId: string): Promise<void> {
    const lock = `reconcile ${serverId}`
    const deadline = Date.now() + lockPatienceMilliseconds
    let release: (() => Promise<void>) | undefined
    while ((release = await locks.tryHold(lock)) === undefined) {
      if (Date.now() > deadline) return // whoever holds it is at work on this server; the sweep looks after
      await delay(50)
    }
    try {
      const server = await findServer(db, serverId)
      if (server !== undefined) await takeSteps(server)
    } catch (error) {
      logger.warn({ error, serverId }, 'server cannot be brought to its state yet')
      await observed.writeFailure(db, serverId, { error: 'service_unavailable', retryInSeconds }).catch(() => undefined) // the database is away too
    } finally {
      await release()
    }
  }

  async function takeSteps(server: ServerRow): Promise<void> {
    if (server.files_deleted_at !== null) return removeVolume(server)
    const supervisor = await ensurePlaced(server)
    if (supervisor === undefined) return
    deps.watch(server.id)
    const status = await askStatus(server.id, supervisor)
    if (status === undefined) return
    const isDown = !isLive(status.phase) && status.phase !== 'installing'
    // One that was placed just now has the limits that it should have, whatever was read before.
    if (isDown && server.placed_at !== null && !isPlacedAsWanted(server)) {
      // Other limits: what is not up is placed anew, and the next pass goes on from there.
      if (isBehind(server, status)) return
      await observed.writeReplacing(db, server.id)
      await ensurePlaced({ ...server, placed_limits: null })
      await inTransaction(db, (trx) => requestReconcile(context.boss, trx, server.id))
      return
    }
    if (await ensureInstalled(server, supervisor, status)) await ensurePower(server, supervisor, status)
  }

  /** Of a server whose files nobody can save any more. */
  async function removeVolume({ id, volume_removed_at }: ServerRow): Promise<void> {
    if (volume_removed_at !== null) return
    await fleet.cluster.remove(id, { volume: 'delete' })
    await inTransaction(db, async (trx) => {
      await observed.writeVolumeRemoved(trx, id)
      await recordServerEvent(trx, id, { action: 'SERVER_POD_DELETED', data: { cause: 'expired' } })
    })
  }

  async function ensurePlaced(server: ServerRow): Promise<SupervisorClient | undefined> {
    const { id } = server
    if (server.placed_at !== null && server.placed_limits === null) {
      await fleet.cluster.remove(id)
      await inTransaction(db, async (trx) => {
        await observed.writeLost(trx, id, { giveUp: false, retryAt: null })
        await recordServerEvent(trx, id, { action: 'SERVER_POD_DELETED', data: { cause: 'plan' } })
      })
      return place(server)
    }
    const placement = await fleet.cluster.inspect(id)
    if (placement.state === 'running' && server.placed_at !== null) return fleet.connect(id, placement.endpoint)
    if (placement.state !== 'running' && server.placed_at !== null) {
      const livedShortly = Date.now() - server.placed_at.getTime() < shortLifeMilliseconds
      await noteLoss(server, { livedShortly, inOrder: placement.state === 'exited' && placement.inOrder })
      if (livedShortly) return undefined
    }
    return place(server)
  }

  async function place(server: ServerRow): Promise<SupervisorClient | undefined> {
    const { id } = server
    if (isExpired(server)) return undefined
    await observed.writePreparation(db, id, { phase: 'placing', progress: 0.02, item: null })
    const limits = server.limits as Product['parameters']
    const { endpoint } = await fleet.cluster.place({
      serverId: id,
      limits: { memoryBytes: limits.memory, cpu: limits.cpu, diskBytes: limits.storage, players: limits.players },
    })
    await inTransaction(db, async (trx) => {
      await observed.writePlaced(trx, id, limits)
      if (server.prepared_at === null) await recordServerEvent(trx, id, { action: 'SERVER_PVC_CREATED' })
      await recordServerEvent(trx, id, { action: 'SERVER_POD_CREATED' })
    })
    return fleet.connect(id, endpoint)
  }

  /** The workload is gone although nobody took it away. Without autostart it then stays off. */
  async function noteLoss(
    server: ServerRow,
    { livedShortly, inOrder }: { livedShortly: boolean; inOrder: boolean },
  ): Promise<void> {
    const giveUp = !server.autostart && server.want_running && server.prepared_at !== null
    await inTransaction(db, async (trx) => {
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

  async function askStatus(serverId: string, supervisor: SupervisorClient): Promise<SupervisorStatus | undefined> {
    try {
      const status = await supervisor.status()
      muteSince.delete(serverId)
      return status
    } catch (error) {
      const since = muteSince.get(serverId) ?? Date.now()
      muteSince.set(serverId, since)
      logger.info({ error, serverId }, 'supervisor does not answer')
      if (Date.now() - since < muteMilliseconds) return undefined
      muteSince.delete(serverId)
      await fleet.cluster.remove(serverId)
      return undefined
    }
  }

  /** @returns whether everything is installed. */
  async function ensureInstalled(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
  ): Promise<boolean> {
    const { id } = server
    if (status.phase === 'installing') return false
    if (status.installedPlan === server.plan_hash) {
      if (server.prepared_at === null && !shouldRun(server)) await observed.writePrepared(db, id)
      return true
    }
    if (isBehind(server, status) || isLive(status.phase)) return false
    if (server.retry_at !== null && server.retry_at.getTime() > Date.now()) return false
    const plan = await observed.findPlan(db, id)
    if (plan === undefined) throw new Error('a server without a plan')
    await observed.clearFailure(db, id)
    await observed.writePreparation(db, id, {
      phase: 'downloading',
      progress: 0.05,
      item: plan.packages[0]?.name ?? null,
    })
    await supervisor.install(plan)
    return false
  }

  /** That a game has ended is a customer's word: what is left of it ends with its supervisor, who is placed anew. */
  async function hasEnded(serverId: string): Promise<boolean> {
    if ((await fleet.cluster.endGame(serverId)) === 'gone') return true
    logger.warn({ serverId }, 'a game went on after its end; it was ended with its supervisor')
    await inTransaction(db, (trx) => requestReconcile(context.boss, trx, serverId))
    return false
  }

  async function ensurePower(server: ServerRow, supervisor: SupervisorClient, status: SupervisorStatus): Promise<void> {
    const { id } = server
    const { phase, lastEventSeq: seq } = status
    const isUp = phase === 'starting' || phase === 'running' || phase === 'restarting'
    if ((phase === 'stopped' || phase === 'crashed') && !(await hasEnded(id))) return
    const wanted = shouldRun(server)
    const restartDue = wanted && server.restarts_wanted > server.restarts_done
    if (isUp && (!wanted || restartDue)) {
      await observed.writeTold(db, id, { told: 'down', seq })
      await supervisor.stop(server.stop_timeout)
    } else if (!isUp && wanted && phase !== 'stopping') {
      if (isBehind(server, status)) return
      await observed.writeTold(db, id, { told: 'up', seq, restartsDone: server.restarts_wanted })
      await observed.writePreparation(db, id, { phase: 'starting', progress: 0.85, item: null })
      await supervisor.start().catch((error: unknown) => {
        if (!(error instanceof SupervisorError && error.status === 409)) throw error // its state has changed meanwhile
      })
    }
  }

  return reconcile
}
