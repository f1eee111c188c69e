/**
 * Cluster driver of one machine: each supervisor is a process in a bubblewrap sandbox. It outlives whoever placed it.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { lstat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { Cluster, Placement, Workload } from '../cluster.ts'
import { allot, type Allotment, readAllotment, usersOf } from './allotment.ts'
import { type Bundle, removeUnusedBundles, withBundle } from './bundles.ts'
import { type Capability, findCapability, sharedFiles } from './capability.ts'
import { ensureCgroup, removeCgroup } from './cgroup.ts'
import { endGame, endSandbox, isGameGone, stopSandbox } from './ending.ts'
import { withLock } from './lock.ts'
import { removeEmptyRuntime, runtimeRoot, type ServerPaths, serverPaths, stageFolder } from './paths.ts'
import { findSandbox, readPlacement, writePlacement } from './placement.ts'
import { type ProcessIdentity, readBootId, waitUntil } from './processes.ts'
import { inside, insideUsers, SUPERVISOR_NODE_FLAGS, supervisorCommand, supervisorEnvironment } from './sandbox.ts'
import { startDetached, startSandbox, type Users } from './start.ts'
import { giveVolume } from './volume.ts'

const READY_MS = 20_000
const STOP_SECONDS = 120

export type ProcessClusterOptions = {
  dataDir: string
  /** The supervisor as it was built. */
  supervisorFile: string
  nodePath: string
  bwrapPath: string
  /** Run without walls where bubblewrap cannot run. Only for machines whose games are all one's own. */
  allowUnsandboxed: boolean
  /** SPKI PEM of the key that signs tokens for supervisors. */
  publicKey: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

export function createProcessCluster(options: ProcessClusterOptions): Cluster {
  const { nodePath, bwrapPath, publicKey, logger } = options
  const dataDir = resolve(options.dataDir)
  const filesDir = join(dataDir, 'cache', 'sandbox')
  const stage = stageFolder(dataDir)
  const bundles = { built: options.supervisorFile, home: join(dataDir, 'supervisors') }
  let capability: Promise<Capability> | undefined
  let toldAboutLimits = false

  const pathsOf = (serverId: string) => serverPaths(dataDir, serverId)
  const isBundleUsed = (id: string) =>
    listPlaced().some((serverId) => {
      const paths = pathsOf(serverId)
      return readPlacement(paths)?.bundle === id && findSandbox(paths) !== undefined
    })

  async function probe(): Promise<Capability> {
    makeRuntimeRoot()
    await removeUnusedBundles(bundles, isBundleUsed)
    const trial = { filesDir, stage, nodePath, bwrapPath }
    const found = await withBundle(bundles, (bundle) => findCapability({ ...trial, bundle }))
    if (found.sandboxed && !found.twoUsers)
      logger.info('supervisors run as the same user as their games: this user may have no others')
    return found
  }

  const findOut = () =>
    (capability ??= probe().catch((error: Error) => ({
      sandboxed: false,
      twoUsers: false,
      problems: [error.message],
    })))

  async function check() {
    const { sandboxed, problems } = await findOut()
    if (!sandboxed) {
      const advice = options.allowUnsandboxed
        ? 'ALLOW_UNSANDBOXED is set: GAMES RUN WITHOUT A SANDBOX and can read everything this user can'
        : 'no server can be placed; install bubblewrap and allow user namespaces, or set ALLOW_UNSANDBOXED=1 at your own risk'
      logger.error({ problems }, advice)
    }
    return { ok: sandboxed || options.allowUnsandboxed, problems }
  }

  async function place({ serverId, limits }: Workload): Promise<Placement & { state: 'running' }> {
    const paths = pathsOf(serverId)
    return withLock(paths.lock, async () => {
      // A game that was placed before ports were allotted is saved, and placed anew.
      if (readAllotment(paths) === undefined) await stopSandbox(paths, serverId, STOP_SECONDS)
      if (findSandbox(paths) === undefined) await launch(paths, serverId, limits)
      await waitForSocket(paths)
      return describe(paths)
    })
  }

  async function launch(paths: ServerPaths, serverId: string, limits: Workload['limits']) {
    const { sandboxed, twoUsers, problems } = await findOut()
    if (!sandboxed && !options.allowUnsandboxed) throw new Error(problems.join('; '))
    cleanUp(paths)
    const allotment = await allot(paths, serverId)
    const users = twoUsers ? usersOf(allotment) : undefined
    prepareFolders(paths, users)
    const cgroup = ensureCgroup(serverId, limits)
    if (!cgroup && !toldAboutLimits) {
      toldAboutLimits = true
      logger.warn('no writable cgroups: limits of memory and CPU are not enforced by the kernel')
    }
    const configFile = join(paths.host, 'config.json')
    const config: SupervisorConfig = {
      serverId,
      listen: { socket: sandboxed ? inside.socket : paths.socket },
      publicKey,
      volume: sandboxed ? inside.volume : paths.volume,
      limits,
      cgroup: cgroup ? (sandboxed ? inside.cgroup : (cgroup.folders['.'] ?? null)) : null,
      gamePort: allotment.port,
      sandbox: sandboxed ? { gameUser: users ? { uid: insideUsers.game, gid: insideUsers.game } : null } : null,
    }
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o644 })
    chmodSync(configFile, 0o644)
    const common = { log: paths.log, info: paths.info, cgroup }
    const child = await withBundle(bundles, (bundle) => {
      const record = (outer: ProcessIdentity) =>
        writePlacement(paths, {
          bootId: readBootId(),
          sandboxed,
          bundle: bundle.id,
          outer,
          ...(users && { supervisorUser: users.supervisor }),
        })
      const started = { ...common, record, env: supervisorEnvironment(bundle.folder) }
      if (!sandboxed) {
        const program = [nodePath, ...SUPERVISOR_NODE_FLAGS, join(bundle.folder, 'supervisor.mjs')]
        return startDetached({ ...started, command: [...program, configFile] })
      }
      return startSandbox({
        ...started,
        bwrapPath,
        seccomp: sharedFiles(filesDir).seccomp,
        shown: shownTo(paths, bundle, configFile),
        bundleId: bundle.id,
        separate: users && { users, stage },
        command: [...supervisorCommand(bundle.id), inside.config],
      })
    })
    child.unref()
    if (sandboxed) await recordInit(paths, () => child.exitCode !== null || child.signalCode !== null)
    logger.info({ serverId, sandboxed, twoUsers, limited: cgroup !== undefined }, 'supervisor placed')
  }

  const shownTo = (paths: ServerPaths, bundle: Bundle, config: string) => ({
    passwd: sharedFiles(filesDir).passwd,
    node: nodePath,
    bundle: bundle.folder,
    volume: paths.volume,
    runtime: paths.runtime,
    config,
  })

  function makeRuntimeRoot() {
    const root = runtimeRoot(dataDir)
    mkdirSync(root, { recursive: true, mode: 0o700 })
    refuseForeignFolder(root)
    // Passed through by users of sandboxes on their way to the stage; what else is in it is for its owners.
    if (process.getuid?.() === 0) chmodSync(root, 0o711)
  }

  function prepareFolders(paths: ServerPaths, users: Users | undefined) {
    makeRuntimeRoot()
    mkdirSync(paths.volume, { recursive: true, mode: 0o700 })
    mkdirSync(paths.runtime, { recursive: true, mode: 0o700 })
    if (!users) return
    chownSync(paths.runtime, users.supervisor, users.supervisor)
    giveVolume(paths.volume, users)
  }

  async function inspect(serverId: string): Promise<Placement> {
    const paths = pathsOf(serverId)
    const record = readPlacement(paths)
    if (record === undefined) return { state: 'absent' }
    if (findSandbox(paths) && readAllotment(paths)) return describe(paths)
    // A supervisor that ends by itself takes its socket away; one that is killed cannot.
    return { state: 'exited', inOrder: record.ended?.inOrder ?? !existsSync(paths.socket) }
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
      await endSandbox(paths, serverId)
      cleanUp(paths)
      rmSync(paths.placement, { force: true })
      await removeCgroup(serverId)
      removeEmptyRuntime(dataDir)
      if (volume === 'delete') rmSync(paths.volume, { recursive: true, force: true })
    })
    if (volume === 'delete') rmSync(home, { recursive: true, force: true })
  }

  function listPlaced(): string[] {
    const folder = join(dataDir, 'servers')
    if (!existsSync(folder)) return []
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'host', 'placement.json')))
  }

  async function stopAll({ timeoutSeconds }: { timeoutSeconds: number }) {
    await Promise.all(
      listPlaced().map(async (serverId) => {
        const paths = pathsOf(serverId)
        if (!(await stopSandbox(paths, serverId, timeoutSeconds)))
          logger.warn({ serverId }, 'supervisor did not stop in time and was killed')
        rmSync(paths.runtime, { recursive: true, force: true })
        await removeCgroup(serverId)
      }),
    )
    removeEmptyRuntime(dataDir)
  }

  return {
    check,
    place,
    inspect,
    gameIsGone: async (serverId) => isGameGone(pathsOf(serverId), serverId),
    endGame: (serverId) =>
      endOnly(serverId, async (paths) => ((await endGame(paths, serverId)) ? 'gone' : 'ended with its supervisor')),
    remove,
    list: async () => listPlaced(),
    stopAll,
  }
}

function describe(paths: ServerPaths): Placement & { state: 'running' } {
  const { port } = readAllotment(paths) as Allotment
  return { state: 'running', endpoint: { kind: 'unix', path: paths.socket }, game: { host: '127.0.0.1', port } }
}

/** Notes who the sandbox's init is: a number alone may come to mean another process. */
async function recordInit(paths: ServerPaths, hasEnded: () => boolean) {
  const found = await waitUntil(() => hasEnded() || findSandbox(paths)?.init !== undefined, READY_MS)
  const init = findSandbox(paths)?.init
  if (!found || init === undefined) throw new Error(`supervisor did not start: ${tailOf(paths.log)}`)
  writePlacement(paths, { ...readPlacement(paths), init })
}

/** Waits until the supervisor takes connections. */
async function waitForSocket(paths: ServerPaths) {
  const ready = await waitUntil(async () => {
    // Where the game is the same user it can write to this folder: a link there must lead us nowhere.
    const found = await lstat(paths.socket).catch(() => undefined)
    if (!found?.isSocket()) return false
    return new Promise<boolean>((answer) => {
      const socket = connect(paths.socket)
      socket.on('connect', () => answer(socket.destroy() !== undefined))
      socket.on('error', () => answer(false))
    })
  }, READY_MS)
  if (!ready) throw new Error(`supervisor does not listen: ${tailOf(paths.log)}`)
}

function cleanUp(paths: ServerPaths) {
  rmSync(paths.runtime, { recursive: true, force: true })
}

/** Other users of the machine can write to the folder for temporary files. */
function refuseForeignFolder(folder: string) {
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else`)
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-500)
  } catch {
    return 'no log'
  }
}
