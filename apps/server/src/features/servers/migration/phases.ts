/**
 * The phases of a move. Files go by the server's repository of backups: most of them while its game still runs, what has
 * changed since then once it is down. Nothing is removed where it was before it is up where it goes.
 */
import { DomainError } from '@wakestone/contract/errors'
import { isAsleep, type Level, type LevelCause } from '@wakestone/contract/servers/levels'
import { isPassable } from '@wakestone/contract/servers/migration'
import type { Cluster } from '#src/adapters/clusters/cluster.ts'
import type { Context } from '#src/context.ts'
import {
  backUp,
  canBackUp,
  copyVolume,
  discardBackup,
  findBackupOfOperation,
  forgetCopies,
  pourVolume,
  verifyBackup,
} from '#src/features/servers/backups/service.ts'
import { findCluster } from '#src/features/servers/clusters/service.ts'
import { forgetSnapshots } from '#src/features/servers/engine-change/service.ts'
import { dumpMysql, forgetDump, rebuildMysql } from '#src/features/servers/mysql/service.ts'
import {
  findSupervisor,
  settleOperation,
  type Step,
  untilDown,
  untilInstalled,
  untilUp,
} from '#src/features/servers/operations/service.ts'
import {
  findServer,
  findSetup,
  isExpired,
  isLive,
  isSleeping,
  type ServerRow,
  shouldRun,
  type Sleep,
  workloadOf,
} from '#src/features/servers/servers/service.ts'
import { findObstacle, findRoom } from './fit.ts'
import * as repo from './repo.ts'

export type MoveInput = {
  from: string
  to: string
  /** An administrator passes over what may be passed over. */
  isForced: boolean
  reason: string | null
  expectedSeconds: number | null
  modelledSeconds: number | null
}
export type MoveNotes = {
  /** Both keep their files in the same place: none are moved. */
  sharesFolder: boolean
  /** Milliseconds since 1970 when players were told; null: there were none. */
  warnedAt: number | null
  /** They were told once more, a moment before. */
  warnedAgain: boolean
  /** How it was before it was held down: its game was up; how it slept, where it did. */
  before: { isUp: boolean; sleep: Sleep | null }
  /** Milliseconds since 1970 when its game was stopped; null: it was not up. */
  downAt: number | null
  copy: { snapshot: string; bytes: number }
  /** Of its supervisor before it left: where reading goes on if it comes back. */
  seq: number
  /** Milliseconds since 1970 when it was up there. */
  upAt: number
  /** Its files could not be removed where it was. */
  left: boolean
}
export type MoveStep = Step<MoveInput, MoveNotes>
const asPlain = (step: MoveStep) => step as unknown as Step<never, never>
/** Of whatever brings a server to a cluster. */
type Bringing = Pick<Step<{ to: string }, never>, 'deps' | 'serverId' | 'input' | 'pause'>

const lookMilliseconds = 300
/** Whoever places servers needs seconds. A machine that does not answer for so long will not by then. */
const switchMilliseconds = 120_000

export async function findOwn({ deps, serverId }: Pick<MoveStep, 'deps' | 'serverId'>): Promise<ServerRow> {
  const server = await findServer(deps.db, serverId)
  if (server === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
  return server
}

/** Whether its game is there for players, or is about to be. */
export const isGameUp = ({ phase }: Pick<ServerRow, 'phase'>) => isLive(phase) && phase !== 'frozen'

/** @throws DomainError where nothing can be placed there */
export async function openTarget(step: Pick<Bringing, 'deps' | 'input'>): Promise<Cluster> {
  const cluster = await step.deps.fleet.clusterOf(step.input.to)
  const { ok, problems } = await cluster.check()
  if (!ok) {
    step.deps.logger.warn({ cluster: step.input.to, problems }, 'a cluster takes no server')
    throw new DomainError('server_cannot_migrate', { reason: 'unfit' })
  }
  return cluster
}

type Removing = Pick<Context, 'db' | 'fleet'> & { serverId: string }

/** Removes the files of a server from a cluster. @throws Error for the one that the server is on, or may be */
async function removeVolume({ db, fleet, serverId }: Removing, clusterId: string): Promise<void> {
  const here = await repo.findWhereabouts(db, serverId)
  if (here === undefined || here.cluster_id === clusterId || here.move_to !== null)
    throw new Error('the server may be there')
  const [own, other] = [await fleet.clusterOf(here.cluster_id), await fleet.clusterOf(clusterId)]
  if (own === other) return // its files are in the same folder although it is another cluster
  await other.closeBoxes(serverId)
  await other.remove(serverId, { volume: 'delete' })
}

export const removeFrom = ({ deps, serverId }: Pick<Bringing, 'deps' | 'serverId'>, clusterId: string) =>
  removeVolume({ ...deps, serverId }, clusterId)

export const check = {
  weight: 2,
  async run(step: MoveStep) {
    const { db, fleet } = step.deps
    const { from, to, isForced } = step.input
    const [server, target] = [await findOwn(step), await findCluster(db, to)]
    if (target === undefined) throw new DomainError('cluster_not_found', { resource: 'cluster' })
    const obstacle = await findObstacle(step.deps, server, { cluster: target, room: await findRoom(fleet, target) })
    if (obstacle !== null && !isPassable(obstacle, isForced))
      throw new DomainError('server_cannot_migrate', { reason: obstacle })
    await openTarget(step)
    await step.note({ sharesFolder: (await fleet.clusterOf(from)) === (await fleet.clusterOf(to)) })
  },
}

/** Stays for a week, whatever becomes of the move. */
export const backup = {
  weight: 14,
  async run(step: MoveStep) {
    if (!(await canBackUp(step.deps, step.serverId))) return
    const wish = { kind: 'safety', cause: 'migration', name: null, pinned: false, skipsUnchanged: false } as const
    await backUp(asPlain(step), wish)
    await verifyBackup(asPlain(step))
  },
  undo: (step: MoveStep) => discardBackup(asPlain(step)),
}

/** Most of the files are there before the game has to be down. */
export const preload = {
  weight: 16,
  async run(step: MoveStep) {
    if (step.notes.sharesFolder === true) return
    const target = await openTarget(step)
    await prepareVolume(step, target)
    const known = await findBackupOfOperation(step.deps.db, step.operationId)
    if (known === undefined) return
    await pourVolume(asPlain(step), target, { snapshot: known.snapshot_id, verifies: false })
  },
  undo: (step: MoveStep) => removeFrom(step, step.input.to),
}

/** The files service makes a volume with its quota; nobody else speaks to it there. */
export async function prepareVolume(step: Pick<Bringing, 'deps' | 'serverId'>, target: Cluster): Promise<void> {
  await target.openFiles(step.serverId, workloadOf(await findOwn(step)).limits)
  await target.closeBoxes(step.serverId)
}

export const stop = {
  weight: 6,
  needsDown: true,
  async run(step: MoveStep) {
    if (step.notes.downAt === undefined)
      await step.note({ downAt: step.notes.before?.isUp === true ? step.since.getTime() : null })
    const server = await findOwn(step)
    // One whose time is over has no supervisor, and gets none.
    if (isExpired(server) && server.placed_at === null) return
    await untilDown(asPlain(step))
  },
}

/** What a server sleeps on as, once it has moved: a frozen game has ended with its workload. */
export function sleepOf(server: ServerRow): Sleep | null {
  const level = server.level as Level | null
  if (level === null || !isAsleep(level) || !isSleeping(server) || isGameUp(server)) return null
  return {
    level: level === 'LIGHT_SLEEP' ? 'DEEP_SLEEP' : level,
    because: server.level_causes as LevelCause[],
  }
}

/** Whoever had its files open writes nothing after this. */
export const copy = {
  weight: 10,
  needsDown: true,
  async run(step: MoveStep) {
    if (step.notes.copy !== undefined || step.notes.sharesFolder === true) return
    if (!(await dumpMysql(step))) throw new Error('tables of MySQL could not be written')
    await step.deps.fleet.cluster.closeBoxes(step.serverId)
    await step.note({ copy: await copyVolume(asPlain(step)) })
  },
  async undo(step: MoveStep) {
    await forgetDump(step)
    await forgetCopies(asPlain(step))
  },
}

function copyOf({ notes }: MoveStep): { snapshot: string; bytes: number } {
  if (notes.copy === undefined) throw new Error('no copy was noted')
  return notes.copy
}

export const bring = {
  weight: 10,
  needsDown: true,
  async run(step: MoveStep) {
    if (step.notes.sharesFolder === true) return
    await pourVolume(asPlain(step), await openTarget(step), { snapshot: copyOf(step).snapshot, verifies: false })
  },
}

export const compare = {
  weight: 8,
  needsDown: true,
  async run(step: MoveStep) {
    if (step.notes.sharesFolder === true) return
    const target = await openTarget(step)
    await pourVolume(asPlain(step), target, { snapshot: copyOf(step).snapshot, verifies: true })
    await target.closeBoxes(step.serverId)
  },
}

/**
 * Waits until whoever places servers has brought it there.
 * @param look whether that is still wanted
 * @throws DomainError where that takes too long
 */
export async function untilThere(
  step: Pick<Bringing, 'deps' | 'serverId' | 'pause'>,
  clusterId: string,
  look: () => Promise<void> = async () => {},
): Promise<void> {
  for (const deadline = Date.now() + switchMilliseconds; ; await step.pause(lookMilliseconds)) {
    const here = await repo.findWhereabouts(step.deps.db, step.serverId)
    if (here === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    if (here.cluster_id === clusterId && here.move_to === null) return
    if (Date.now() > deadline) throw new DomainError('server_cannot_migrate', { reason: 'unfit' })
    await look()
  }
}

/**
 * From here on it is there, and nobody cancels it any more. Until its files here are removed it comes back as it was, if
 * it does not come up.
 */
export const change = {
  weight: 3,
  needsDown: true,
  async run(step: MoveStep) {
    const { from, to } = step.input
    const here = await repo.findWhereabouts(step.deps.db, step.serverId)
    if (here?.cluster_id === from && here.move_to === null) await step.note({ seq: here.supervisor_seq })
    await step.write(async (trx) => {
      if (!(await settleOperation(trx, step.operationId))) throw new Error('it is going back')
      await repo.writeMoveTo(trx, step.serverId, { clusterId: to, seq: 0 })
    })
    await untilThere(step, to)
  },
  async undo(step: MoveStep) {
    const { from } = step.input
    // Whoever brings it may just have done so.
    const isHere = await step.write((trx) => repo.clearMoveTo(trx, { serverId: step.serverId, clusterId: from }))
    if (isHere) return
    const seq = step.notes.seq ?? 0
    await step.write((trx) => repo.writeMoveTo(trx, step.serverId, { clusterId: from, seq }))
    await untilThere(step, from)
  },
}

/** The engine, its Java and all packages are brought there by the plan. */
export const install = {
  weight: 14,
  needsDown: true,
  async run(step: MoveStep) {
    if (isExpired(await findOwn(step))) return
    const { plan } = await findSetup(step.deps.db, step.serverId)
    await findSupervisor(asPlain(step)).catch((error: unknown) => {
      // Its game is down: what does not come up there within a minute is not waited for.
      if (step.signal.aborted) throw error
      throw new DomainError('server_cannot_migrate', { reason: 'unfit' })
    })
    await untilInstalled(asPlain(step), plan)
    if (step.notes.sharesFolder !== true) await rebuildMysql(step)
  },
}

export const start = {
  weight: 10,
  async run(step: MoveStep) {
    // One that slept or was off stays so: nobody finds out whether it would come up.
    if (step.notes.before?.isUp !== true || !shouldRun({ ...(await findOwn(step)), hold: null })) return
    await untilUp(asPlain(step))
    if (step.notes.upAt === undefined) await step.note({ upAt: Date.now() })
  },
}

/**
 * It runs there: nothing of it is needed here any more, and it does not go back from here. What cannot be removed now is
 * removed later.
 */
export const clean = {
  weight: 4,
  async run(step: MoveStep) {
    const isSettled = await step.write(async (trx) => {
      if (step.notes.sharesFolder !== true) await forgetSnapshots(trx, step.serverId)
      return settleOperation(trx, step.operationId)
    })
    if (!isSettled) throw new Error('it is going back')
    try {
      await forgetDump(step)
      await removeFrom(step, step.input.from)
      await forgetCopies(asPlain(step))
    } catch (error) {
      if (step.signal.aborted) throw error
      const { serverId, input } = step
      step.deps.logger.error({ serverId, cluster: input.from, error }, 'files stay where a server was')
      await step.note({ left: true })
    }
  },
}

/** Removes what moves have left behind. */
export async function removeLeft({ db, fleet, logger }: Pick<Context, 'db' | 'fleet' | 'logger'>): Promise<void> {
  for (const move of await repo.selectLeft(db)) {
    try {
      await removeVolume({ db, fleet, serverId: move.server_id }, move.from_cluster)
      await repo.writeNothingLeft(db, move.operation_id)
    } catch (error) {
      logger.warn({ serverId: move.server_id, cluster: move.from_cluster, error }, 'files stay where a server was')
    }
  }
}
