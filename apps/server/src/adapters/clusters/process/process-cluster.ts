/**
 * Cluster driver of one machine: each supervisor is a process in a bubblewrap sandbox. It outlives whoever placed it.
 *
 * A placement is known by a random marker, which is made anew for each and stands on the command line of the sandbox's
 * init. So a process is recognised without trusting a pid, and even when its placing was cut short.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { lstat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '@wakestone/kit/logger'
import type { SupervisorConfig, SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import type { Cluster, Placement, Workload } from '../cluster.ts'
import { ensureCgroup, removeCgroup, type SandboxCgroup } from './cgroup.ts'
import { withLock } from './lock.ts'
import { measureVolume } from './measure.ts'
import { runtimeRoot, type ServerPaths, serverPaths } from './paths.ts'
import { findByArgument, findFirstChild, isNamespaceInit, readCommandLine, waitUntil } from './processes.ts'
import { inside, sandboxArguments, SUPERVISOR_NODE_FLAGS, supervisorEnvironment } from './sandbox.ts'

const run = promisify(execFile)
const READY_MS = 20_000
const DEATH_MS = 10_000
const MAX_LOG_BYTES = 1024 * 1024

export type ProcessClusterOptions = {
  dataDir: string
  repoRoot: string
  nodePath: string
  bwrapPath: string
  /** Run without walls where bubblewrap cannot run. Only for machines whose games are all one's own. */
  allowUnsandboxed: boolean
  /** SPKI PEM of the key that signs tokens for supervisors. */
  publicKey: string
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

type Start = { configFile: string; marker: string; cgroup: SandboxCgroup | undefined }
type Capability = { sandboxed: boolean; canDisableUserns: boolean; problems: string[] }

export function createProcessCluster(options: ProcessClusterOptions): Cluster {
  const { repoRoot, nodePath, bwrapPath, publicKey, logger } = options
  const dataDir = resolve(options.dataDir)
  const cacheDir = join(dataDir, 'cache', 'supervisor')
  const filesDir = join(dataDir, 'cache', 'sandbox')
  const mainFile = join('apps', 'supervisor', 'src', 'main.ts')
  let capability: Promise<Capability> | undefined
  let toldAboutLimits = false

  /** Tries the sandbox once, with nothing of anybody's in it, and compiles the supervisor's code on the way. */
  async function probeSandbox(): Promise<Capability> {
    mkdirSync(cacheDir, { recursive: true })
    mkdirSync(filesDir, { recursive: true })
    writeFileSync(join(filesDir, 'passwd'), 'root:x:0:0::/:/bin/false\nserver:x:1000:1000::/data:/bin/sh\n')
    try {
      const { stdout } = await run(bwrapPath, ['--help'])
      const canDisableUserns = stdout.includes('--disable-userns')
      const command = [inside.node, ...SUPERVISOR_NODE_FLAGS, join(inside.repo, mainFile)]
      const common = { repoRoot, nodePath, filesDir, cacheDir, canDisableUserns, marker: 'probe' }
      await run(bwrapPath, sandboxArguments({ ...common, cacheWritable: true, command }), { timeout: 60_000 })
      return { sandboxed: true, canDisableUserns, problems: [] }
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string }
      const why = (stderr || message).trim().split('\n').at(-1) ?? ''
      return { sandboxed: false, canDisableUserns: false, problems: [`bubblewrap cannot run: ${why}`] }
    }
  }

  async function check() {
    const { sandboxed, problems } = await (capability ??= probeSandbox())
    if (!sandboxed) {
      const advice = options.allowUnsandboxed
        ? 'ALLOW_UNSANDBOXED is set: GAMES RUN WITHOUT A SANDBOX and can read everything this user can'
        : 'no server can be placed; install bubblewrap and allow user namespaces, or set ALLOW_UNSANDBOXED=1 at your own risk'
      logger.error({ problems }, advice)
    }
    return { ok: sandboxed || options.allowUnsandboxed, problems }
  }

  async function place({ serverId, limits }: Workload): Promise<Placement & { state: 'running' }> {
    const paths = serverPaths(dataDir, serverId)
    return withLock(paths.lock, async () => {
      if (findPlacement(paths) === undefined) await launch(paths, serverId, limits)
      await waitForSocket(paths)
      return { state: 'running', endpoint: endpointOf(paths) }
    })
  }

  async function launch(paths: ServerPaths, serverId: string, limits: Workload['limits']) {
    const { sandboxed, canDisableUserns, problems } = await (capability ??= probeSandbox())
    if (!sandboxed && !options.allowUnsandboxed) throw new Error(problems.join('; '))
    cleanUp(paths)
    mkdirSync(paths.volume, { recursive: true, mode: 0o700 })
    mkdirSync(runtimeRoot(dataDir), { recursive: true, mode: 0o700 })
    refuseForeignFolder(runtimeRoot(dataDir))
    mkdirSync(paths.runtime, { recursive: true, mode: 0o700 })

    const cgroup = ensureCgroup(serverId, limits)
    if (!cgroup && !toldAboutLimits) {
      toldAboutLimits = true
      logger.warn('no writable cgroups: limits of memory and CPU are not enforced by the kernel')
    }
    const marker = `wakestone-${randomBytes(8).toString('hex')}`
    const configFile = join(paths.host, `config-${marker}.json`)
    const config: SupervisorConfig = {
      serverId,
      listen: { socket: sandboxed ? inside.socket : paths.socket },
      publicKey,
      volume: sandboxed ? inside.volume : paths.volume,
      limits,
      cgroup: cgroup ? (sandboxed ? inside.cgroup : (cgroup.folders['.'] ?? null)) : null,
    }
    writeFileSync(configFile, JSON.stringify(config), { mode: 0o644 })
    chmodSync(configFile, 0o644)
    writeFileSync(paths.placement, JSON.stringify({ marker }))

    const child = sandboxed
      ? startSandboxed(paths, { configFile, marker, cgroup, canDisableUserns })
      : startBare(paths, { configFile, marker, cgroup })
    let ended = false
    child.on('error', () => (ended = true))
    child.on('exit', () => (ended = true))
    child.unref()
    const up = await waitUntil(() => ended || findPlacement(paths) !== undefined, READY_MS)
    if (!up || ended) throw new Error(`supervisor did not start: ${tailOf(paths.log)}`)
    logger.info({ serverId, sandboxed, limited: cgroup !== undefined }, 'supervisor placed')
  }

  function startSandboxed(paths: ServerPaths, { cgroup, ...start }: Start & { canDisableUserns: boolean }) {
    const args = sandboxArguments({
      ...start,
      repoRoot,
      nodePath,
      filesDir,
      cacheDir,
      volume: paths.volume,
      runtime: paths.runtime,
      cgroupFolders: cgroup?.folders ?? {},
      infoFd: 3,
      command: [inside.node, ...SUPERVISOR_NODE_FLAGS, join(inside.repo, mainFile), inside.config],
    })
    return startDetached(paths, cgroup, [bwrapPath, ...args])
  }

  function startBare(paths: ServerPaths, { configFile, marker, cgroup }: Start) {
    const program = [nodePath, ...SUPERVISOR_NODE_FLAGS, join(repoRoot, mainFile)]
    return startDetached(paths, cgroup, [...program, configFile, marker])
  }

  function startDetached(paths: ServerPaths, cgroup: SandboxCgroup | undefined, command: string[]): ChildProcess {
    if (existsSync(paths.log) && statSync(paths.log).size > MAX_LOG_BYTES) renameSync(paths.log, `${paths.log}.1`)
    const log = openSync(paths.log, 'a', 0o600)
    const info = openSync(paths.info, 'w', 0o600)
    try {
      // The shell puts itself into the cgroup before it becomes the sandbox, so that nothing runs outside of it.
      const enter = 'while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; exec "$@"'
      return spawn('/bin/sh', ['-c', enter, 'sh', ...(cgroup?.procsFiles ?? []), '--', ...command], {
        cwd: '/',
        detached: true,
        stdio: ['ignore', log, log, info],
        env: supervisorEnvironment(cacheDir),
      })
    } finally {
      closeSync(log)
      closeSync(info)
    }
  }

  /** The supervisor's placement: its pid, or that of the init of its sandbox; undefined when it is dead. */
  function findPlacement(paths: ServerPaths): { pid: number; sandboxed: boolean } | undefined {
    const marker = readMarker(paths)
    if (marker === undefined) return undefined
    const told = readInfo(paths)
    if (told !== undefined && readCommandLine(told).includes(marker)) return { pid: told, sandboxed: true }
    for (const pid of findByArgument(marker)) {
      if (isNamespaceInit(pid)) return { pid, sandboxed: true }
      if (readCommandLine(pid).includes(join(repoRoot, mainFile))) return { pid, sandboxed: false }
    }
    return undefined
  }

  async function inspect(serverId: string): Promise<Placement> {
    const paths = serverPaths(dataDir, serverId)
    if (!existsSync(paths.placement)) return { state: 'absent' }
    if (findPlacement(paths)) return { state: 'running', endpoint: endpointOf(paths) }
    // A supervisor that ends by itself takes its socket away; one that is killed cannot.
    return { state: 'exited', inOrder: !existsSync(paths.socket) }
  }

  async function end(paths: ServerPaths) {
    const placement = findPlacement(paths)
    if (!placement) return
    const { pid, sandboxed } = placement
    // The kernel ends a pid namespace with its init; without one the games are in groups of their own.
    if (!sandboxed) for (const child of findGroups(pid)) kill(-child, 'SIGKILL')
    kill(pid, 'SIGKILL')
    if (!(await waitUntil(() => findPlacement(paths) === undefined, DEATH_MS)))
      throw new Error('supervisor does not end')
  }

  async function remove(serverId: string, { volume }: { volume: 'keep' | 'delete' } = { volume: 'keep' }) {
    const paths = serverPaths(dataDir, serverId)
    if (!existsSync(paths.home)) return
    await withLock(paths.lock, async () => {
      await end(paths)
      cleanUp(paths)
      rmSync(paths.placement, { force: true })
      await removeCgroup(serverId)
      removeEmpty(runtimeRoot(dataDir))
      if (volume === 'delete') rmSync(paths.volume, { recursive: true, force: true })
    })
    if (volume === 'delete') rmSync(paths.home, { recursive: true, force: true })
  }

  async function list(): Promise<string[]> {
    const folder = join(dataDir, 'servers')
    if (!existsSync(folder)) return []
    return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'host', 'placement.json')))
  }

  async function stopAll({ timeoutSeconds }: { timeoutSeconds: number }) {
    await Promise.all(
      (await list()).map(async (serverId) => {
        const paths = serverPaths(dataDir, serverId)
        const placement = findPlacement(paths)
        if (!placement) return
        const supervisor = placement.sandboxed ? findFirstChild(placement.pid) : placement.pid
        if (supervisor !== undefined) kill(supervisor, 'SIGTERM')
        const ended = await waitUntil(() => findPlacement(paths) === undefined, timeoutSeconds * 1000)
        if (!ended) {
          logger.warn({ serverId }, 'supervisor did not stop in time and is killed')
          await end(paths)
        }
        await removeCgroup(serverId)
      }),
    )
  }

  const usedDisk = async (serverId: string) => measureVolume(serverPaths(dataDir, serverId).volume)

  return { check, place, inspect, remove, usedDisk, list, stopAll }
}

function endpointOf(paths: ServerPaths): SupervisorEndpoint {
  return { kind: 'unix', path: paths.socket }
}

/** Waits until the supervisor takes connections. */
async function waitForSocket(paths: ServerPaths) {
  const ready = await waitUntil(async () => {
    // The game can write to this folder: a link there must lead us nowhere.
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
  for (const name of readdirSync(paths.host)) {
    if (name.startsWith('config-')) rmSync(join(paths.host, name))
  }
}

function removeEmpty(folder: string) {
  try {
    rmdirSync(folder)
  } catch {
    // Others' sockets are in it.
  }
}

function readMarker(paths: ServerPaths): string | undefined {
  try {
    return (JSON.parse(readFileSync(paths.placement, 'utf8')) as { marker?: string }).marker
  } catch {
    return undefined
  }
}

function readInfo(paths: ServerPaths): number | undefined {
  try {
    return (JSON.parse(readFileSync(paths.info, 'utf8')) as { 'child-pid': number })['child-pid']
  } catch {
    return undefined
  }
}

/** Other users of the machine can write to the folder for temporary files. */
function refuseForeignFolder(folder: string) {
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else`)
}

/** Process groups that the children of `pid` lead. */
function findGroups(pid: number): number[] {
  const children = (parent: number): number[] => {
    try {
      const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
      return text === '' ? [] : text.split(' ').map(Number)
    } catch {
      return []
    }
  }
  return children(pid)
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone already.
  }
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join(' | ').slice(-500)
  } catch {
    return 'no log'
  }
}
