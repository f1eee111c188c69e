/** Starts the supervisor of one server within its walls. */
import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'
import type { Workload } from '../cluster.ts'
import { allot, usersOf } from './allotment.ts'
import { endBoxes } from './boxes/ending.ts'
import { type BundleSource, withBundle } from './bundles.ts'
import { dropCheckpoint } from './checkpoints/record.ts'
import { type Capability, sharedFiles } from './capability.ts'
import { type CgroupLimits, makeCgroup, MAX_PROCESSES, type SandboxCgroup } from './cgroup.ts'
import type { Networks } from './network/networks.ts'
import { configOf, makeRuntimeRoot, type ServerPaths, stageFolder } from './paths.ts'
import { findSandbox, type Init, readPlacement, type RecordPaths, writePlacement } from './placement.ts'
import type { ProcessClusterOptions } from './process-cluster.ts'
import { type ProcessIdentity, readBootId, waitUntil } from './processes.ts'
import {
  bundleEnvironment,
  fds,
  inside,
  insideUsers,
  sandboxArguments,
  type Shown,
  SUPERVISOR_NODE_FLAGS,
  supervisorCommand,
} from './sandbox.ts'
import { startDetached, startSandbox, type Users } from './start.ts'
import { prepareVolume } from './volume.ts'
import type { FoundWalls } from './walls.ts'

const READY_MS = 20_000
/** For the supervisor, whose memory is not the customer's. */
const SUPERVISOR_BYTES = 96 * 1024 * 1024
/** For MySQL, whose memory is not the customer's either: what it takes at most is twice of what it takes when little is asked. */
const MYSQL_BYTES = 160 * 1024 * 1024

export type Launch = Pick<
  ProcessClusterOptions,
  'nodePath' | 'bwrapPath' | 'publicKey' | 'mayMiss' | 'logger' | 'machine'
> & {
  dataDir: string
  filesDir: string
  /** Folder of files that are fetched for servers. */
  downloads: string
  bundles: BundleSource
  filesBundles: BundleSource
  networks: Networks
}
export type Found = Capability & FoundWalls

export type Prepared = Awaited<ReturnType<typeof prepare>>

/** What a server's sandbox needs on this machine. To be called while nothing of the server lives. */
export async function prepare(
  { dataDir, networks, mayMiss, logger, machine }: Launch,
  { twoUsers, network: driver, images, limits: hasLimits }: Found,
  paths: ServerPaths,
  { serverId, limits }: Workload,
) {
  await networks.remove(serverId) // or what passes its packets on would still have its port
  const allotment = await allot(paths, serverId, machine)
  const users = twoUsers ? usersOf(allotment) : undefined
  prepareFolders(dataDir, paths, users)
  const endOthers = async () => void (await endBoxes(paths, serverId))
  const isImage = await prepareVolume(paths, { images, users, bytes: limits.diskBytes, endOthers })
  if (images && !isImage)
    logger.warn({ serverId }, 'the disk has no room to give this volume a quota; it is tried again')
  const cgroup = limit({ hasLimits, mayMiss, logger }, serverId, {
    memoryBytes: limits.memoryBytes + SUPERVISOR_BYTES + (limits.mysqlBytes ? MYSQL_BYTES : 0),
    gameBytes: limits.memoryBytes,
    ...(limits.mysqlBytes && { mysqlBytes: MYSQL_BYTES }),
    cpu: limits.cpu,
  })
  const network = await driver?.prepare(serverId, allotment.port)
  return { allotment, users, isImage, cgroup, network }
}

/** What the sandbox around a supervisor is shown, by paths of this machine. */
export function shownOf(
  { filesDir, downloads, nodePath }: Pick<Launch, 'filesDir' | 'downloads' | 'nodePath'>,
  paths: ServerPaths,
  { isImage, network, bundleFolder }: Pick<Prepared, 'isImage' | 'network'> & { bundleFolder: string },
): Shown {
  const { passwd, resolver } = sharedFiles(filesDir)
  return {
    passwd,
    node: nodePath,
    bundle: bundleFolder,
    volume: isImage ? paths.image : paths.volume,
    runtime: paths.runtime,
    config: configOf(paths),
    ...(network && { resolver, downloads }),
  }
}

/** To be called while nothing of the server lives. */
export async function launch(host: Launch, found: Found, paths: ServerPaths, workload: Workload): Promise<void> {
  const { dataDir, filesDir, bundles, nodePath, bwrapPath, publicKey, logger } = host
  const { sandboxed, twoUsers } = found
  const { serverId, limits } = workload
  dropCheckpoint(paths) // it would write its memory over what is done from here on
  const { allotment, users, isImage, cgroup, network } = await prepare(host, found, paths, workload)
  const configFile = configOf(paths)
  const config: SupervisorConfig = {
    serverId,
    listen: { socket: sandboxed ? inside.socket : paths.socket },
    publicKey,
    volume: sandboxed ? inside.volume : paths.volume,
    limits,
    cgroup: cgroup ? (sandboxed ? inside.cgroup : (cgroup.folders['.'] ?? null)) : null,
    ...(cgroup?.gameProcsFile !== undefined && { gameCgroup: fds.gameCgroup }),
    ...(cgroup?.mysqlProcsFile !== undefined && { mysqlCgroup: fds.mysqlCgroup }),
    ownNetwork: sandboxed && network !== undefined,
    gamePort: allotment.port,
    sandbox: sandboxed ? { gameUser: users ? { uid: insideUsers.game, gid: insideUsers.game } : null } : null,
    ...(network && { downloads: inside.downloads }),
    diskQuota: isImage,
  }
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o644 })
  chmodSync(configFile, 0o644)
  const { seccomp } = sharedFiles(filesDir)
  // The kernel counts processes of an ordinary user by user namespace, and this network has one of its own.
  const processes = !cgroup && network !== undefined && network.means !== 'veth' ? MAX_PROCESSES : undefined
  const atMost = {
    ...(processes !== undefined && { processes }),
    ...(!isImage && { fileBytes: limits.diskBytes }),
  }
  const common = { log: paths.log, info: paths.info, cgroup, network }
  const child = await withBundle(bundles, (bundle) => {
    const record = (outer: ProcessIdentity) =>
      writePlacement(paths, {
        bootId: readBootId(),
        sandboxed,
        bundle: bundle.id,
        outer,
        ...(users && { supervisorUser: users.supervisor }),
        ...(network && { network: { means: network.means, host: network.host } }),
      })
    const started = { ...common, record, env: bundleEnvironment(bundle.folder) }
    if (!sandboxed) {
      const program = [nodePath, ...SUPERVISOR_NODE_FLAGS, join(bundle.folder, 'supervisor.mjs')]
      return startDetached({ ...started, command: [...program, configFile] })
    }
    return startSandbox({
      ...started,
      atMost,
      seccomp,
      shown: shownOf(host, paths, { isImage, network, bundleFolder: bundle.folder }),
      separate: users && { users, stage: stageFolder(dataDir), inside: 'supervisor and game' },
      command: (shown) => [
        bwrapPath,
        ...sandboxArguments({
          shown,
          bundleId: bundle.id,
          twoUsers: users !== undefined,
          cgroupFolders: cgroup?.folders ?? {},
          command: [...supervisorCommand(bundle.id), inside.config],
        }),
      ],
    })
  })
  child.unref()
  if (sandboxed && !(await recordInit(paths, child))) throw new Error(`supervisor did not start: ${tailOf(paths.log)}`)
  const means = network?.means ?? 'shared'
  logger.info({ serverId, sandboxed, twoUsers, limited: cgroup !== undefined, network: means }, 'supervisor placed')
}

/**
 * The cgroup of a sandbox; undefined where this machine has none to give.
 * @throws Error where it has, this one could not be made, and nothing may run without
 */
export function limit(
  { hasLimits, mayMiss, logger }: { hasLimits: boolean } & Pick<Launch, 'mayMiss' | 'logger'>,
  name: string,
  limits: CgroupLimits,
): SandboxCgroup | undefined {
  if (!hasLimits) return undefined
  try {
    return makeCgroup(name, limits)
  } catch (error) {
    const why = `no limits can be set for ${name}: ${(error as Error).message}`
    if (!mayMiss.includes('memory')) throw new Error(why, { cause: error })
    logger.warn(why)
    return undefined
  }
}

function prepareFolders(dataDir: string, paths: ServerPaths, users: Users | undefined) {
  makeRuntimeRoot(dataDir)
  rmSync(paths.runtime, { recursive: true, force: true })
  mkdirSync(paths.volume, { recursive: true, mode: 0o700 })
  mkdirSync(paths.runtime, { recursive: true, mode: 0o700 })
  if (!users) return
  chownSync(paths.runtime, users.supervisor, users.supervisor)
}

/**
 * Notes who the sandbox's init is: a number alone may come to mean another process.
 * @returns false where there is none in time
 */
export async function recordInit(paths: RecordPaths, child: ChildProcess): Promise<boolean> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  // Kept as it was seen: one look later it may have done its work and be gone.
  let init: Init | undefined
  await waitUntil(() => (init = findSandbox(paths)?.init) !== undefined || hasEnded(), READY_MS)
  if (init === undefined) return false
  writePlacement(paths, { ...readPlacement(paths), init })
  return true
}

export function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-500)
  } catch {
    return 'no log'
  }
}
