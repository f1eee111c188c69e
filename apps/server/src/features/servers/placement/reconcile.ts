/**
 * Brings one server nearer to what it should be. Each pass looks at what is there and takes the next steps; it may be
 * killed at any line, and the next pass goes on from what it then finds.
 */
import type { Product } from '@wakestone/contract/sales/product'
import { type AwakeReason, type Decision, hasGame, isAsleep, type Level } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import type { Locks } from '#src/db/locks.ts'
import { createCheckpointing } from './checkpointing.ts'
import { createLanes } from './lanes.ts'
import { keepLevel } from './levels.ts'
import * as looks from './looks-repo.ts'
import * as observed from './observed-repo.ts'
import {
  inMilliseconds,
  isBehind,
  longestSilenceMilliseconds,
  pauseAfterShortLife,
  soonMilliseconds,
} from './pauses.ts'
import { createMoving } from './moving.ts'
import { createPlacing } from './placing.ts'
import { createPower } from './power.ts'
import { markFailed } from './prepared.ts'
import { createRemover } from './remover.ts'
import { hasOperationUnderWay } from '#src/features/servers/operations/service.ts'
import { hasRunUnderWay, tellWatchedLines } from '#src/features/servers/schedules/service.ts'
import {
  type ServerRow,
  decideLevel,
  findServer,
  isExpired,
  isLive,
  isPlacedAsWanted,
  lacksStorage,
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

/** A supervisor that nobody has reached for so long is replaced. One that answers, however oddly, is not. */
const unreachedMilliseconds = 60_000
const retryInSeconds = 10
/** There was no place for it among those that are looked at. */
const noPlaceMilliseconds = 500
/** A look that was begun and never ended, because its worker was killed, is begun again after this. */
export const claimSeconds = 10

export function createReconciler({
  context,
  fleet,
  locks,
  watch,
  unreachedPatience = unreachedMilliseconds,
}: ReconcileDeps): (serverId: string) => Promise<void> {
  const { db, boss, logger, settings } = context
  const lanes = createLanes()
  const remover = createRemover({ context, fleet })
  const { removeWorkload, endIfLate, endWhatIsLeft } = remover
  const checkpointing = createCheckpointing({ context, fleet, remover })
  const placing = createPlacing({ context, fleet, remover, checkpointing })
  const { needsWorkload, restUntil, takeDown, removeVolume, ensurePlaced, placeAnew } = placing
  const { bring, abandon } = createMoving({ context, fleet, remover })
  const { ensureInstalled, ensurePower } = createPower({ context, fleet, lingersUntil: placing.lingersUntil })

  /** One pass, unless its owner or those who are slow have passes enough. */
  async function reconcile(serverId: string): Promise<void> {
    const look = await looks.beginLook(db, serverId, claimSeconds)
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
    await markFailed(db, serverId, { error: 'service_unavailable', retryInSeconds })
    await looks.writeNextLook(db, serverId, { asked, at: inMilliseconds(retryInSeconds * 1000) })
  }

  /** @returns when to look again; null: when something changes. */
  async function takeSteps(found: ServerRow, look: looks.Look): Promise<Date | null> {
    let server = found
    if (server.files_deleted_at !== null) return removeVolume(server)
    // What was to be removed on a machine that is lost is left to it.
    if (server.move_to !== null && server.move_abandons) return abandon(server, server.move_to)
    if (look.removal !== null) {
      if (look.removal === 'checkpoint') await checkpointing.finish(server.id)
      else await removeWorkload(server.id, look.removal)
      return new Date()
    }
    if (server.move_to !== null) return bring(server, server.move_to)
    const expected = await decide(server)
    server = await checkpointing.settle(server, expected)
    if (server.placed_at === null && !needsWorkload(server, expected)) return restUntil(server, expected)
    const supervisor = await ensurePlaced(server, expected)
    if (supervisor === undefined) return isExpired(server) ? null : inMilliseconds(pauseAfterShortLife)
    watch(server.id)
    await checkpointing.findOut(server, expected)
    const status = await askStatus(server, supervisor)
    if (status instanceof Date) return status
    const decision =
      status === undefined || isBehind(server, status) ? expected : await decide(server, { status, written: expected })
    const mayRest = status !== undefined && (await checkpointing.mayRest(server, status, decision.level))
    const mayHaveGame = mayRest || (hasGame[decision.level] && (decision.level !== 'NEW' || shouldRun(server)))
    if (!mayHaveGame || look.ending_since !== null) {
      const hasEnded = mayHaveGame || (status !== undefined && !isLive(status.phase) && status.phase !== 'unknown')
      const late = await endIfLate(server, !hasEnded)
      if (late !== undefined && (status === undefined || late.getTime() <= Date.now())) return late
    }
    if (status === undefined || status.phase === 'unknown') return inMilliseconds(longestSilenceMilliseconds)
    const isDown = !isLive(status.phase) && status.phase !== 'installing'
    const isOver = status.phase === 'stopped' || status.phase === 'crashed'
    if (isOver && (await endWhatIsLeft(server))) return new Date()
    // One that was placed just now has the limits that it should have, whatever was read before.
    if (isDown && server.placed_at !== null && !isPlacedAsWanted(server)) {
      // Other limits: what is not up is placed anew, and the next pass goes on from there.
      if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
      await placeAnew(server)
      await inTransaction(db, (trx) => requestReconcile(boss, trx, server.id))
      return inMilliseconds(soonMilliseconds)
    }
    if (!isDown && lacksStorage(server)) await growDisk(server)
    await ensureLinesWatched(server, supervisor, status)
    const installing = await ensureInstalled(server, supervisor, status)
    if (installing !== undefined) return installing
    if (isOver && !needsWorkload(server, decision)) return takeDown(server, status, decision)
    const onDisk = mayRest ? await checkpointing.ensureOnDisk(server, supervisor, status, decision) : undefined
    if (onDisk !== undefined) return onDisk
    return ensurePower(server, supervisor, status, decision)
  }

  /** A larger disk does not wait for the next start where it can be had without. */
  async function growDisk({ id, limits }: ServerRow): Promise<void> {
    const { storage } = limits as Product['parameters']
    if (await fleet.cluster.growDisk(id, storage)) await observed.writePlacedStorage(db, id, storage)
  }

  /** Nothing waits for it: what cannot be told now is told with the next look. */
  async function ensureLinesWatched({ id }: ServerRow, supervisor: SupervisorClient, status: SupervisorStatus) {
    try {
      await tellWatchedLines(db, id, { supervisor, status })
    } catch (error) {
      if (!(error instanceof SupervisorError)) throw error
      logger.info({ error, serverId: id }, 'lines of the console cannot be watched for yet')
    }
  }

  /**
   * The level that it should be at now, written where it is another than before.
   * @param known what its supervisor says by now, and what was written before that was asked for
   */
  async function decide(server: ServerRow, known?: { status: SupervisorStatus; written: Decision }): Promise<Decision> {
    const kept = await keptAwakeBy(server, known?.status.phase ?? server.phase)
    const told = known && { ...known.status, awake: [...(known.status.awake ?? []), ...kept] }
    const decision = decideLevel({ ...server, awake: [...server.awake, ...kept] }, settings, told)
    await keepLevel(db, server, { decision, known })
    return decision
  }

  /** What the database knows to be under way keeps a game awake that is up, or was just woken. It wakes none. */
  async function keptAwakeBy({ id, level }: ServerRow, phase: string | null): Promise<AwakeReason[]> {
    if (phase !== 'running' && isAsleep(level as Level)) return []
    const [operation, schedule] = await Promise.all([hasOperationUnderWay(db, id), hasRunUnderWay(db, id)])
    return [...(operation ? (['operation'] as const) : []), ...(schedule ? (['schedule'] as const) : [])]
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

  return reconcile
}
