/**
 * Cluster driver of one machine: each supervisor is a process in a bubblewrap sandbox. It outlives whoever placed it.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { Checkpoints, Cluster, Placement, Waking, Workload } from '../cluster.ts'
import { measureMachine } from '../machine.ts'
import { type Allotment, type Machine, readAllotment } from './allotment.ts'
import { endBoxes, listBoxes, removeEnded } from './boxes/ending.ts'
import { FILES, openFiles } from './boxes/files-service.ts'
import { runTask } from './boxes/tasks.ts'
import { giveBack, removeCgroup } from './cgroup.ts'
import { type CheckpointTool, makeCheckpoint, tellToGoOn } from './checkpoints/make.ts'
import { hasCheckpoint } from './checkpoints/record.ts'
import { discardCheckpoint, restoreCheckpoint } from './checkpoints/restore.ts'
import { findCheckpointTool, trialLock } from './checkpoints/trial.ts'
import { provideFiles } from './downloads.ts'
import { endGame, endSandbox, isGameGone, stopSandbox } from './ending.ts'
import { findOut, nothingFound } from './find-out.ts'
import { growMounted } from './image.ts'
import { type Found, launch, type Launch, tailOf } from './launch.ts'
import { isHeld, withLock } from './lock.ts'
import type { NetworkMeans } from './network/network.ts'
import { openNetworks } from './network/networks.ts'
import { createPolicy, findResolverFault, type NetworkPolicy } from './network/policy.ts'
import { boxPaths, removeEmptyRuntime, type ServerPaths, serverPaths } from './paths.ts'
import { findSandbox, readPlacement, type RecordPaths } from './placement.ts'
import { waitUntil } from './processes.ts'
import { answers } from './sockets.ts'
import { describeFolders, describeMissing, type Wall } from './walls.ts'
import { watchPlacements } from './watch.ts'

const READY_MS = 20_000
const STOP_SECONDS = 120
const TRY_AGAIN_MS = 30 * 60_000

export type ProcessClusterOptions = {
  dataDir: string
  /** Other clusters of this machine; there are none where it is missing. */
  machine?: Machine
  /** The supervisor as it was built. */
  supervisorFile: string
  /** The files service as it was built. */
  filesFile: string
  nodePath: string
  bwrapPath: string
  /** CRIU, with which servers that sleep deeply keep their memory on disk; empty: they do not. */
  criuPath?: string
  /** Run without walls where bubblewrap cannot run. Only for machines whose games are all one's own. */
  allowUnsandboxed: boolean
  /** Walls that may be missing where the machine cannot give them. */
  mayMiss: readonly Wall[]
  /** What servers may reach besides the internet, if that. */
  network: NetworkPolicy
  /** Means of giving servers networks that may be tried; all that are known, if it is missing. */
  networkMeans?: readonly NetworkMeans[]
  /** Volumes stay folders where this is set: to measure what more costs. */
  withoutQuota?: boolean
  /** SPKI PEM of the key that signs tokens for supervisors. */
  publicKey: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

export function createProcessCluster(options: ProcessClusterOptions): Cluster {
  const { logger, mayMiss } = options
  const dataDir = resolve(options.dataDir)
  const policy = createPolicy(options.network)
  const networks = openNetworks({ dataDir, policy, means: options.networkMeans })
  const launching: Launch = {
    ...options,
    dataDir,
    filesDir: join(dataDir, 'cache', 'sandbox'),
    downloads: join(dataDir, 'cache', 'downloads'),
    bundles: { built: options.supervisorFile, home: join(dataDir, 'supervisors'), file: 'supervisor.mjs' },
    filesBundles: { built: options.filesFile, home: join(dataDir, 'files-services'), file: 'files.mjs' },
    networks,
  }
  let found: Promise<Found> | undefined

  const pathsOf = (serverId: string) => serverPaths(dataDir, serverId)
  const runs = (paths: RecordPaths, bundle: string) =>
    readPlacement(paths)?.bundle === bundle && findSandbox(paths) !== undefined
  const isUsed = {
    supervisor: (id: string) => listServers().some((serverId) => runs(pathsOf(serverId), id)),
    files: (id: string) => listServers().some((serverId) => runs(boxPaths(pathsOf(serverId), FILES), id)),
  }

  const know = () =>
    (found ??= findOut({
      ...launching,
      withoutQuota: options.withoutQuota,
      policy,
      isUsed,
      removeEndedBoxes,
      removeUnplaced,
    }).catch((error: Error) => nothingFound(error)))

  let tool: Promise<CheckpointTool> | undefined
  const findTool = async () => (tool ??= tryTool(await needWalls()))

  async function tryTool(all: Found): Promise<CheckpointTool> {
    try {
      const works = await findCheckpointTool(launching, all, options.criuPath ?? '')
      logger.info({ criu: works.version }, 'servers that sleep deeply keep their memory on disk')
      return works
    } catch (error) {
      logger.info({ why: (error as Error).message }, 'servers that sleep deeply are stopped')
      // The machine may have had too much to do.
      setTimeout(() => (tool = undefined), TRY_AGAIN_MS).unref()
      throw error
    }
  }

  async function check() {
    const { sandboxed, problems, missing, images } = await know()
    if (!sandboxed) {
      const advice = options.allowUnsandboxed
        ? 'ALLOW_UNSANDBOXED is set: GAMES RUN WITHOUT A SANDBOX and can read everything this user can'
        : 'no server can be placed; install bubblewrap and allow user namespaces, or set ALLOW_UNSANDBOXED=1 at your own risk'
      logger.error({ problems }, advice)
      return { ok: options.allowUnsandboxed, problems }
    }
    for (const wall of missing) logger.warn(describeMissing(wall))
    const notes = [findResolverFault(policy), images ? describeFolders(listFolders()) : undefined].filter(
      (note) => note !== undefined,
    )
    for (const note of notes) logger.warn(note)
    const refused = missing.filter(({ wall }) => !mayMiss.includes(wall))
    if (refused.length > 0) logger.error(refusal(refused))
    return { ok: refused.length === 0, problems: [...missing.map(describeMissing), ...notes] }
  }

  /** @throws Error where this machine lacks what it must have */
  async function needWalls(): Promise<Found> {
    const all = await know()
    if (!all.sandboxed && !options.allowUnsandboxed) throw new Error(all.problems.join('; '))
    const refused = all.missing.filter(({ wall }) => !mayMiss.includes(wall))
    if (refused.length > 0) throw new Error(refusal(refused))
    return all
  }

  async function place(workload: Workload): Promise<Placement & { state: 'running'; waking?: Waking }> {
    const { serverId } = workload
    const paths = pathsOf(serverId)
    await know() // takes locks of servers itself
    return withLock(paths.lock, async () => {
      // A game that was placed before ports were allotted is saved, and placed anew.
      if (readAllotment(paths) === undefined) await stopSandbox(paths, serverId, STOP_SECONDS)
      const waking = findSandbox(paths) === undefined ? await bringUp(paths, workload) : undefined
      await waitForSocket(paths)
      const isOfCheckpoint = waking?.from === 'checkpoint' || waking?.why !== undefined
      return { ...describe(paths), ...(isOfCheckpoint && { waking }) }
    })
  }

  async function bringUp(paths: ServerPaths, workload: Workload): Promise<Waking> {
    const all = await needWalls()
    const waking = await restoreCheckpoint(launching, all, { tool: findTool, paths, workload })
    if (waking.from === 'start') await launch(launching, all, paths, workload)
    else tellToGoOn(paths)
    if (waking.why !== undefined)
      logger.warn({ serverId: workload.serverId, why: waking.why }, 'server started: it did not come back from disk')
    return waking
  }

  const checkpoints: Checkpoints = {
    findFault: () =>
      findTool().then(
        () => undefined,
        (error: Error) => error.message,
      ),
    make: (serverId) =>
      endOnly(serverId, async (paths) => {
        const { nodePath } = options
        try {
          const made = hasCheckpoint(paths) || (await makeCheckpoint(await findTool(), { serverId, paths, nodePath }))
          if (made === 'busy') tellToGoOn(paths)
          if (made === 'busy') return made
          if (made !== true) logger.info({ serverId, bytes: made }, 'server is on disk')
        } catch (error) {
          tellToGoOn(paths)
          throw error
        }
        await forget(paths, serverId)
        return 'made'
      }),
    has: async (serverId) => hasCheckpoint(pathsOf(serverId)),
    async drop(serverId) {
      if (existsSync(pathsOf(serverId).home)) await endOnly(serverId, (paths) => discardCheckpoint(paths, serverId))
    },
  }

  /** Of one of which nothing lives. */
  async function forget(paths: ServerPaths, serverId: string) {
    rmSync(paths.runtime, { recursive: true, force: true })
    // One that is not placed here may be on another cluster of this machine, and have its cgroup.
    if (existsSync(paths.placement)) await removeCgroup(serverId)
    rmSync(paths.placement, { force: true })
    await networks.remove(serverId)
  }

  async function inspect(serverId: string): Promise<Placement> {
    const paths = pathsOf(serverId)
    const record = readPlacement(paths)
    if (record === undefined) return { state: 'absent' }
    if (findSandbox(paths) && readAllotment(paths)) return describe(paths)
    // A supervisor that ends by itself takes its socket away; one that is killed cannot.
    return { state: 'exited', inOrder: record.ended?.inOrder ?? !existsSync(paths.socket) }
  }

  async function lookAt(serverId: string) {
    const { outer, init } = readPlacement(pathsOf(serverId)) ?? {}
    return `${(await inspect(serverId)).state} ${(outer ?? init)?.startTime ?? ''}`
  }

  async function endOnly<T>(serverId: string, end: (paths: ServerPaths) => Promise<T>): Promise<T> {
    const paths = pathsOf(serverId)
    mkdirSync(paths.host, { recursive: true })
    return withLock(paths.lock, () => end(paths))
  }

  async function remove(serverId: string, { volume }: { volume: 'keep' | 'delete' } = { volume: 'keep' }) {
    const { home } = pathsOf(serverId)
    if (!existsSync(home)) return
    await endOnly(serverId, async (paths) => {
      if (volume === 'delete') await endBoxes(paths, serverId)
      await endSandbox(paths, serverId)
      await discardCheckpoint(paths, serverId)
      await forget(paths, serverId)
      if (volume === 'delete')
        for (const path of [paths.volume, paths.image]) rmSync(path, { recursive: true, force: true })
    })
    if (volume === 'delete') rmSync(home, { recursive: true, force: true })
  }

  async function removeUnplaced(serverId: string) {
    const paths = pathsOf(serverId)
    if (isHeld(trialLock(launching, serverId))) return // somebody tries something out in it
    if (!existsSync(paths.home)) return networks.remove(serverId)
    await withLock(paths.lock, async () => {
      if (findSandbox(paths) === undefined) await networks.remove(serverId)
    })
  }

  /** All that have a folder here. */
  function listServers(): string[] {
    const folder = join(dataDir, 'servers')
    return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'host'))) : []
  }
  const listPlaced = () => listServers().filter((serverId) => existsSync(pathsOf(serverId).placement))
  /** Those whose volume could not be given a quota yet. */
  const listFolders = () => listPlaced().filter((serverId) => !existsSync(pathsOf(serverId).image))
  const listBoxed = () => listServers().filter((serverId) => listBoxes(pathsOf(serverId)).length > 0)

  async function removeEndedBoxes() {
    for (const serverId of listBoxed()) await endOnly(serverId, (paths) => removeEnded(paths, serverId))
  }

  async function closeBoxes(serverId: string) {
    if (existsSync(pathsOf(serverId).home)) await endOnly(serverId, (paths) => endBoxes(paths, serverId))
  }

  async function stopAll({ timeoutSeconds }: { timeoutSeconds: number }) {
    await Promise.all(listBoxed().map(closeBoxes))
    await Promise.all(
      listPlaced().map(async (serverId) => {
        const paths = pathsOf(serverId)
        if (!(await stopSandbox(paths, serverId, timeoutSeconds)))
          logger.warn({ serverId }, 'supervisor did not stop in time and was killed')
        rmSync(paths.runtime, { recursive: true, force: true })
        await removeCgroup(serverId)
        await networks.remove(serverId)
      }),
    )
    removeEmptyRuntime(dataDir)
  }

  return {
    check,
    place,
    checkpoints,
    // What cannot be had is missed by the supervisor too, which tells of it.
    provide: (plan) =>
      provideFiles(plan, { folder: launching.downloads, internet: policy.internet }).catch((error: unknown) =>
        logger.warn({ error }, 'files of packages could not be provided'),
      ),
    inspect,
    gameIsGone: async (serverId) => isGameGone(pathsOf(serverId), serverId),
    endGame: (serverId) =>
      endOnly(serverId, async (paths) => ((await endGame(paths, serverId)) ? 'gone' : 'ended with its supervisor')),
    giveBackMemory: (serverId) => giveBack(serverId),
    growDisk: async (serverId, diskBytes) =>
      existsSync(pathsOf(serverId).placement) && endOnly(serverId, ({ image }) => growMounted(image, diskBytes)),
    runTask: async (serverId, task) =>
      runTask(launching, await needWalls(), { serverId, paths: pathsOf(serverId), task }),
    openFiles: async (serverId, limits) =>
      openFiles(launching, needWalls, { serverId, paths: pathsOf(serverId), limits }),
    closeBoxes,
    remove,
    list: async () => listPlaced(),
    async capacity() {
      const machine = await measureMachine(dataDir)
      return { ...machine, nodes: [{ name: hostname(), answers: true, placed: listPlaced().length }] }
    },
    watch: (signal) => watchPlacements({ list: listPlaced, lookAt, signal }),
    stopAll,
  }
}

function describe(paths: ServerPaths): Placement & { state: 'running' } {
  const { port } = readAllotment(paths) as Allotment
  // One that was placed before servers had networks of their own listens on the machine's.
  const host = readPlacement(paths)?.network?.host ?? '127.0.0.1'
  return { state: 'running', endpoint: { kind: 'unix', path: paths.socket }, game: { host, port } }
}

const refusal = (missing: Parameters<typeof describeMissing>[0][]) =>
  `no server is placed: ${missing.map(describeMissing).join('; ')}. ` +
  `To do without, set ALLOW_MISSING_WALLS=${missing.map(({ wall }) => wall).join(',')}`

/** Waits until the supervisor takes connections. */
async function waitForSocket(paths: ServerPaths) {
  if (!(await waitUntil(() => answers(paths.socket), READY_MS)))
    throw new Error(`supervisor does not listen: ${tailOf(paths.log)}`)
}
