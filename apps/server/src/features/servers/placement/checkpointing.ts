/**
 * Servers that sleep deeply with their memory on disk: how they get there, and when that is of no use any more. Whatever
 * fails on the way leaves a server that is stopped as it would be without.
 */
import type { Decision } from '@wakestone/contract/servers/levels'
import type { SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { SupervisorClient } from '#src/adapters/supervisor/client.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import type { Context } from '#src/context.ts'
import { isExpired, type ServerRow, shouldRun } from '#src/features/servers/servers/service.ts'
import * as looks from './looks-repo.ts'
import { writeCheckpointed } from './observed-repo.ts'
import { afterStepMilliseconds, inMilliseconds, isBehind, soonMilliseconds } from './pauses.ts'
import type { Remover } from './remover.ts'

/** After a failed checkpoint, the server is stopped instead for this long. */
const failedMilliseconds = 6 * 60 * 60_000
/** While its files are open there is no checkpoint; they are closed soon after their last use. */
const busyMilliseconds = 30_000
/** A game that is to be frozen for it writes its world before, and halts. */
const freezingMilliseconds = 25_000

type Deps = { context: Pick<Context, 'db' | 'logger'>; fleet: Pick<Fleet, 'cluster' | 'connect'>; remover: Remover }

export function createCheckpointing({ context: { db, logger }, fleet, remover }: Deps) {
  const checkpoints = fleet.cluster.checkpoints
  const failedAt = new Map<string, number>()
  const freezingSince = new Map<string, number>()

  /** Whether it sleeps with its memory on disk, and nobody needs more of it. */
  function restsOnDisk(server: ServerRow, { level }: Decision): boolean {
    return level === 'DEEP_SLEEP' && server.checkpointed_at !== null && !isOutdated(server) && !isNeeded(server)
  }

  /** Its memory is of another game than the one that is to be up. */
  const isOutdated = (server: ServerRow) =>
    !shouldRun(server) ||
    server.hold !== null ||
    server.move_to !== null ||
    server.installed_plan !== server.plan_hash ||
    server.restarts_wanted > server.restarts_done

  const isNeeded = ({ needed_until }: ServerRow) => (needed_until?.getTime() ?? 0) > Date.now()

  /**
   * Drops a checkpoint that cannot be restored. A server that can be restored but should not run on is brought back and
   * stopped in the usual way, since plugins may hold data in memory that only a stop saves.
   * @returns the row as it is then
   */
  async function settle(server: ServerRow, { level }: Decision): Promise<ServerRow> {
    if (server.checkpointed_at === null || checkpoints === undefined) return server
    const mayComeBack = level !== 'NEW' && !isExpired(server)
    if (mayComeBack && (await checkpoints.has(server.id))) return server
    await checkpoints.drop(server.id)
    await writeCheckpointed(db, server.id, null)
    return { ...server, checkpointed_at: null }
  }

  /** Whether what there is of it is to be put on disk, and not to be stopped. */
  async function mayRest(server: ServerRow, status: SupervisorStatus, level: Decision['level']): Promise<boolean> {
    const may = await canRest(server, status, level)
    if (!may) freezingSince.delete(server.id)
    return may
  }

  async function canRest(server: ServerRow, status: SupervisorStatus, level: Decision['level']): Promise<boolean> {
    if (level !== 'DEEP_SLEEP' || checkpoints === undefined || isOutdated(server)) return false
    const failed = failedAt.get(server.id)
    if (failed !== undefined && Date.now() - failed < failedMilliseconds) return false
    const isQuiet = status.phase === 'frozen' || (status.phase === 'running' && (status.awake ?? []).length === 0)
    if (!isQuiet || status.players.online > 0) return false
    return (await checkpoints.findFault(server.id)) === undefined
  }

  /** Waits for the machine's trial before the status is read, which would be old afterwards. */
  async function findOut({ id }: ServerRow, { level }: Decision): Promise<void> {
    if (level === 'DEEP_SLEEP') await checkpoints?.findFault(id)
  }

  /**
   * Puts one on disk that may rest.
   * @returns when to look again; undefined where it is to be stopped
   */
  async function ensureOnDisk(
    server: ServerRow,
    supervisor: SupervisorClient,
    status: SupervisorStatus,
    { until }: Decision,
  ): Promise<Date | null | undefined> {
    const { id } = server
    // Whoever reads its console has it as in light sleep.
    const isHeld = isNeeded(server) || (status.awake ?? []).length > 0
    if (status.phase === 'frozen' && isHeld) return inMilliseconds(afterStepMilliseconds)
    if (isBehind(server, status)) return inMilliseconds(soonMilliseconds)
    try {
      if (status.phase === 'running') return await freeze(id, supervisor)
      freezingSince.delete(id)
      await looks.writeRemoval(db, id, 'checkpoint')
      await supervisor.rest()
      if ((await checkpoints?.make(id)) === 'busy') {
        await looks.writeRemoval(db, id, null)
        return inMilliseconds(busyMilliseconds)
      }
    } catch (error) {
      await looks.writeRemoval(db, id, null)
      if (await isNeededAgain(error, supervisor)) return inMilliseconds(soonMilliseconds)
      failedAt.set(id, Date.now())
      logger.warn({ error, serverId: id }, 'server cannot be put on disk; it is stopped')
      return undefined
    }
    await remover.noteRemoved(id, 'checkpoint')
    return until
  }

  /** Whether the supervisor refused because somebody has just joined. */
  async function isNeededAgain(error: unknown, supervisor: SupervisorClient): Promise<boolean> {
    if (!(error instanceof SupervisorError && error.status === 409)) return false
    const now = await supervisor.status()
    return (now.awake ?? []).length > 0 || now.players.online > 0
  }

  async function freeze(serverId: string, supervisor: SupervisorClient): Promise<Date> {
    const since = freezingSince.get(serverId) ?? Date.now()
    freezingSince.set(serverId, since)
    if (Date.now() - since > freezingMilliseconds) {
      freezingSince.delete(serverId)
      throw new Error('the game was not frozen in time')
    }
    await supervisor.freeze()
    return inMilliseconds(afterStepMilliseconds)
  }

  /** Brings to its end what a worker was killed over. */
  async function finish(serverId: string): Promise<void> {
    if (checkpoints !== undefined && (await checkpoints.has(serverId))) {
      await checkpoints.make(serverId)
      return remover.noteRemoved(serverId, 'checkpoint')
    }
    // A player may have rejoined.
    if (await isAwake(serverId)) return looks.writeRemoval(db, serverId, null)
    // Perhaps it is half written, and with it what lives: its world was written before.
    return remover.removeWorkload(serverId, 'sleep')
  }

  async function isAwake(serverId: string): Promise<boolean> {
    const placement = await fleet.cluster.inspect(serverId)
    if (placement.state !== 'running') return false
    const status = await fleet
      .connect(serverId, placement)
      .status()
      .catch(() => undefined)
    return status !== undefined && status.phase !== 'frozen'
  }

  return { restsOnDisk, settle, mayRest, findOut, ensureOnDisk, finish }
}

export type Checkpointing = ReturnType<typeof createCheckpointing>
