/**
 * Brings one server nearer to what it should be. Each pass looks at what is there and takes the next steps; it may be
 * killed at any line, and the next pass goes on from what it then finds.
 */
import { eventLevels } from '@wakestone/contract/ground/event'
import type { Product } from '@wakestone/contract/sales/product'
import { type Decision, hasGame, isAsleep } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import type { Locks } from '#src/db/locks.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { createLanes } from './lanes.ts'
import * as looks from './looks-repo.ts'
import * as observed from './observed-repo.ts'
import {
  type ServerRow,
  decideLevel,
  findServer,
  isExpired,
  isLive,
  isPlacedAsWanted,
  requestReconcile,
  sendReconcile,
  shouldRun,
} from '#src/features/servers/servers/service.ts'

export type ReconcileDeps = {
  context: Pick<Context, 'db' | 'boss' | 'logger' | 'settings'>
  fleet: Fleet
  locks: Locks
  /** Has the events of a placed server followed. */
  watch: (serverId: string) => void
  /** Shortened by tests. */
  unreachedPatience?: number
}

const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds)

/** A workload that lived shorter is not placed again at once. */
const shortLifeMilliseconds = 10_000
const pauseAfterShortLife = 5_000
/** A supervisor that nobody has reached for so long is replaced. One that answers, however oddly, is not. */
const unreachedMilliseconds = 60_000
/** A game that should have ended may take so much longer than it was given before its sandbox is ended. */
const endsLateMilliseconds = 15_000
const retryInSeconds = 10
/** Something has been set going: what comes of it is told by events, and looked after if they get lost. */
const afterStepMilliseconds = 10_000
const soonMilliseconds = 2_000
const longestSilenceMilliseconds = 30_000
/** All is as it should be: looked at now and then, whatever may have got lost. */
const settledMilliseconds = 5 * 60_000
/** There was no place for it among those that are looked at. */
const noPlaceMilliseconds = 500

/** The state of the game has changed meanwhile. */
function forgiveConflict(error: unknown): void {
  if (!(error instanceof SupervisorError && error.status === 409)) throw error
}

/**
 * Whether events wait that have not been taken in. They may tell of a stop from inside, of crashes or of a failed
 * installation, and change what is wanted: nothing is begun before that. Taking them in asks for the next pass.
 */
const isBehind = (server: ServerRow, status: SupervisorStatus) => server.supervisor_seq < status.lastEventSeq

export function createReconciler({
  context,
  fleet,
  locks,
  watch,
  unreachedPatience = unreachedMilliseconds,
}: ReconcileDeps): (serverId: string) => Promise<void> {
  const { db, boss, logger, settings } = context
  const lanes = createLanes()

  /** One pass, unless its owner or those who are slow have passes enough. */
  async function reconcile(serverId: string): Promise<void> {
    const look = await looks.findLook(db, serverId)
    if (look === undefined) return
    const leave = lanes.enter({ serverId, ownerId: look.owner_id })
    if (leave === undefined) return looks.putOffLook(db, serverId, noPlaceMilliseconds)
    try {
      await reconcileAlone(serverId, look)
    } finally {
      leave()
    }
  }

  /** One pass, alone in the world for this server. */
  async function reconcileAlone(serverId: string, look: looks.Look): Promise<void> {
    const release = await locks.tryHold(`reconcile ${serverId}`)
    // Whoever holds it is at work on this server, and sees when it has ended that this was asked meanwhile.
    if (release === undefined) return looks.askForLook(db, serverId)
    let isSettled = true
    try {
      const server = await findServer(db, serverId)
      const at = server === undefined ? null : await takeSteps(server, look)
      isSettled = await looks.writeNextLook(db, serverId, { asked: look.asked, at })
    } catch (error) {
      logger.warn({ error, serverId }, 'server cannot be brought to its state yet')
      await failUntilLater(serverId, look).catch(() => undefined) // the database is away too
    } finally {
      await release()
    }
    if (!isSettled) await sendReconcile(boss, serverId)
  }

  async function failUntilLater(serverId: string, { asked }: looks.Look): Promise<void> {
    await observed.writeFailure(db, serverId, { error: 'service_unavailable', retryInSeconds })
    await looks.writeNextLook(db, serverId, { asked, at: inMilliseconds(retryInSeconds * 1000) })
  }

  /** @returns when to look again; null: when something changes. */
  async function takeSteps(server: ServerRow, look: looks.Look): Promise<Date | null> {
    if (server.files_deleted_at !== null) return removeVolume(server)
    const expected = await decide(server)
    if (server.placed_at === null && !needsWorkload(server, expected)) return restUntil(server, expected)
    const supervisor = await ensurePlaced(server, expected)
    if (supervisor === undefined) return isExpired(server) ? null : inMilliseconds(pauseAfterShortLife)
    watch(server.id)
    const status = await askStatus(server, supervisor)
    if (status instanceof Date) return status
    const decision = status === undefined || isBehind(server, status) ? expected : await decide(server, status)
    const mayHaveGame = hasGame[decision.level] && (decision.level !== 'NEW' || shouldRun(server))
    if (!mayHaveGame || look.ending_since !== null) {
      const hasEnded = mayHaveGame || (status !== undefined && !isLive(status.phase) && status.phase !== 'unknown')
      const late = await endIfLate(server, !hasEnded)
      if (late !== undefined && (status === undefined || late.getTime() <= Date.now())) return late
    }
    if (status === undefined || status.phase === 'unknown') return inMilliseconds(longestSilenceMilliseconds)
    const isDown = !isLive(status.phase) && status.phase !== 'installing'
    // Its supervisor's word is not enough: whatever still runs would go on under a panel that says it is off.
    const isOver = status.phase === 'stopped' || status.phase === 'crashed'
    if (isOver && (await fleet.cluster.endGame(server.id)) !== 'gone') {
      await noteEnded(server)
      return new Date()
    }
    // One that was placed just now has the limits that it should have, whatever was read before.
    if (isDown && server.placed_at !== null && !isPlacedAsWanted(server)) {
      // Other limits: what is not up is placed anew, and the next pass goes on from there.
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await observed.writeReplacing(db, server.id)
      await ensurePlaced({ ...server, placed_limits: null }, decision)
      await inTransaction(db, (trx) => requestReconcile(boss, trx, server.id))
      return inMilliseconds(soonMilliseconds)
    }
    const installing = await ensureInstalled(server, supervisor, status)
    if (installing !== undefined) return installing
    if (isOver && !needsWorkload(server, decision)) return takeDown(server, status, decision)
    return ensurePower(server, supervisor, status, decision)
  }

  /** The level that it should be at now, written where it is another than before. */
  async function decide(server: ServerRow, status?: SupervisorStatus): Promise<Decision> {
    const decision = decideLevel(server, settings, status)
    await observed.writeLevel(db, server, decision)
    return decision
  }

  /** Whether its supervisor is to be up: for the game, for a plan that is not installed, or for whoever reads files. */
  function needsWorkload(server: ServerRow, { level }: Decision): boolean {
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
    await fleet.cluster.remove(server.id)
    await inTransaction(db, async (trx) => {
      await observed.writeTakenDown(trx, server.id)
      await recordServerEvent(trx, server.id, {
        action: 'SERVER_POD_DELETED',
        level: eventLevels.DEBUG,
        data: { cause: decision.level === 'HIBERNATED' ? 'sleep' : 'unused' },
      })
    })
    return restUntil(server, decision)
  }

  /** Of a server whose files nobody can save any more. */
  async function removeVolume({ id, volume_removed_at }: ServerRow): Promise<null> {
    if (volume_removed_at !== null) return null
    await fleet.cluster.remove(id, { volume: 'delete' })
    await inTransaction(db, async (trx) => {
      await observed.writeVolumeRemoved(trx, id)
      await recordServerEvent(trx, id, { action: 'SERVER_POD_DELETED', data: { cause: 'expired' } })
    })
    return null
  }

  async function ensurePlaced(server: ServerRow, { level }: Decision): Promise<SupervisorClient | undefined> {
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
    if (placement.state === 'running' && server.placed_at !== null) return fleet.connect(id, placement)
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
    await observed.writePreparation(db, id, { phase: 'placing', progress: 0.02, item: null })
    const limits = server.limits as Product['parameters']
    const placement = await fleet.cluster.place({
      serverId: id,
      limits: { memoryBytes: limits.memory, cpu: limits.cpu, diskBytes: limits.storage, players: limits.players },
    })
    await inTransaction(db, async (trx) => {
      await observed.writePlaced(trx, id, limits)
      await looks.forgetAnswers(trx, id)
      if (server.prepared_at === null) await recordServerEvent(trx, id, { action: 'SERVER_PVC_CREATED' })
      await recordServerEvent(trx, id, { action: 'SERVER_POD_CREATED' })
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

  /**
   * @returns the status; undefined where it answers what cannot be read; when to look again where nobody answers. Only
   * who is not reached is replaced: one of another version may well run a game that people play.
   */
  async function askStatus(
    { id }: ServerRow,
    supervisor: SupervisorClient,
  ): Promise<SupervisorStatus | Date | undefined> {
    try {
      const status = await supervisor.status()
      await looks.noteAnswer(db, id, null)
      return status
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      logger.info({ reason: error.message, fault: error.fault, serverId: id }, 'supervisor gives no good answer')
      const { unreached } = await looks.noteAnswer(db, id, error.fault === 'unreached' ? 'unreached' : 'unreadable')
      if (unreached === null) return undefined
      const silence = Date.now() - unreached.getTime()
      if (silence < unreachedPatience)
        return inMilliseconds(Math.min(longestSilenceMilliseconds, Math.max(soonMilliseconds, silence / 2)))
      await fleet.cluster.remove(id)
      return new Date()
    }
  }

  /**
   * A game that should have ended, and by the word of its supervisor has not: its sandbox is ended when its time is over.
   * @returns when that is or was; undefined when it has ended.
   */
  async function endIfLate(server: ServerRow, isDue: boolean): Promise<Date | undefined> {
    const since = await looks.noteEnding(db, server.id, isDue)
    if (since === null) return undefined
    const end = new Date(since.getTime() + server.stop_timeout * 1000 + endsLateMilliseconds)
    if (end.getTime() > Date.now()) return end
    await fleet.cluster.remove(server.id)
    await noteEnded(server)
    return new Date()
  }

  /** The sandbox was ended because the game in it did not end. */
  async function noteEnded({ id }: ServerRow): Promise<void> {
    logger.warn({ serverId: id }, 'a game did not end; its sandbox was ended')
    await inTransaction(db, async (trx) => {
      await observed.writeLost(trx, id, { giveUp: false, retryAt: null })
      await recordServerEvent(trx, id, { action: 'SERVER_POD_DELETED', data: { cause: 'unresponsive' } })
    })
  }

  /** @returns undefined when everything is installed, or else when to look again. */
  async function ensureInstalled(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
  ): Promise<Date | undefined> {
    const { id } = server
    if (status.phase === 'installing') return inMilliseconds(afterStepMilliseconds)
    if (status.installedPlan === server.plan_hash) {
      if (server.prepared_at === null && !shouldRun(server)) await observed.writePrepared(db, id)
      return undefined
    }
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    // What runs goes on as it is: another plan comes with its next start.
    if (isLive(status.phase)) return undefined
    if (server.retry_at !== null && server.retry_at.getTime() > Date.now()) return server.retry_at
    const plan = await observed.findPlan(db, id)
    if (plan === undefined) throw new Error('a server without a plan')
    await observed.clearFailure(db, id)
    await observed.writePreparation(db, id, {
      phase: 'downloading',
      progress: 0.05,
      item: plan.packages[0]?.name ?? null,
    })
    await supervisor.install(plan)
    return inMilliseconds(afterStepMilliseconds)
  }

  /** @returns when to look again */
  async function ensurePower(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
    { level, until }: Decision,
  ): Promise<Date | null> {
    const { id } = server
    const { phase, lastEventSeq: seq } = status
    const isUp = isLive(phase) && phase !== 'stopping'
    const mayHaveGame = hasGame[level] && shouldRun(server)
    const restartDue = mayHaveGame && !isAsleep(level) && server.restarts_wanted > server.restarts_done
    if (isUp && (!mayHaveGame || restartDue)) {
      await observed.writeTold(db, id, { told: 'down', seq })
      await supervisor.stop(server.stop_timeout)
      return inMilliseconds(afterStepMilliseconds)
    }
    if (phase === 'stopping') return inMilliseconds(afterStepMilliseconds)
    if (level === 'LIGHT_SLEEP') return ensureFrozen(server, supervisor, status, until)
    if (phase === 'frozen') {
      await supervisor.thaw()
      return inMilliseconds(afterStepMilliseconds)
    }
    if (!isUp && mayHaveGame) {
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await observed.writeTold(db, id, { told: 'up', seq, restartsDone: server.restarts_wanted })
      await observed.writePreparation(db, id, { phase: 'starting', progress: 0.85, item: null })
      await supervisor.start().catch(forgiveConflict)
      return inMilliseconds(afterStepMilliseconds)
    }
    if (mayHaveGame && phase !== 'running') return inMilliseconds(afterStepMilliseconds)
    return settledUntil(server, status, until)
  }

  /** A game that is down by now sleeps on so; one that is just starting is looked at again. */
  async function ensureFrozen(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
    until: Date | null,
  ): Promise<Date> {
    if (status.phase === 'starting' || status.phase === 'restarting') return inMilliseconds(afterStepMilliseconds)
    if (status.phase === 'running') {
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await supervisor.freeze().catch(forgiveConflict)
      await fleet.cluster.giveBackMemory(server.id)
      return inMilliseconds(afterStepMilliseconds)
    }
    return settledUntil(server, status, until)
  }

  function settledUntil(server: ServerRow, status: SupervisorStatus, until: Date | null): Date {
    // What it says may not be taken in yet: it is looked at again once that is.
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    const times = [server.expires, until].filter((time) => time !== null && time.getTime() > Date.now())
    const isWithoutGame = !isLive(status.phase)
    const linger = isWithoutGame ? lingersUntil(server).getTime() : Infinity
    const later = Date.now() + settledMilliseconds
    return new Date(
      Math.min(later, linger > Date.now() ? linger + 1 : Infinity, ...times.map((time) => (time?.getTime() ?? 0) + 1)),
    )
  }

  return reconcile
}
