/** Starts a sandbox, or a bare program, so that it is known before it does anything. */
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { SandboxCgroup } from './cgroup.ts'
import type { PreparedNetwork } from './network/network.ts'
import { identify, type ProcessIdentity, waitUntil } from './processes.ts'
import { fds, insideUsers, type Shown } from './sandbox.ts'
import { STAGE } from './stage.ts'

const MAX_LOG_BYTES = 1024 * 1024
const MAPPED_MS = 15_000

/** Users of the host for the supervisor and for the game. */
export type Users = { supervisor: number; game: number }

/** What both kinds of start need. */
type Start = {
  /** File for what it writes; the pipes of the child where there is none. */
  log?: string
  info: string
  cgroup?: SandboxCgroup | undefined
  /** The machine's own where there is none. */
  network?: PreparedNetwork | undefined
  env: Record<string, string>
  command: string[]
  /** Told who was started before it goes on; whoever wants its output has to listen to it from here on. */
  record?: (outer: ProcessIdentity, child: ChildProcess) => void
}
export type SandboxStart = Omit<Start, 'command'> & {
  /** File of refused system calls. */
  seccomp: string
  /** Paths of this machine. */
  shown: Shown
  /** Bubblewrap's command line, for paths as it can read them. */
  command: (shown: Shown) => string[]
  /** Arguments of bubblewrap that nobody else on this machine may see; it reads them from a descriptor. */
  secretArguments?: string[]
  /** Most processes, and bytes in one file, where there is no cgroup and no quota. */
  atMost?: Limits | undefined
  /** Set where programs of servers have users of the host of their own. */
  separate?: Separate | undefined
}
export type Limits = {
  processes?: number
  /** Whether this starter's other processes do not count, which takes a user namespace more. */
  countsApart?: boolean
  fileBytes?: number
}
export type Separate = {
  users: Users
  /** A folder that is ours. */
  stage: string
  /** `box`: only the game's user is inside, and does not see what is the supervisor's. */
  inside: 'supervisor and game' | 'box'
}

// The shell waits for our word, puts itself into the cgroup, and becomes what it is to start: nothing runs unknown to
// us or outside of the limits. If we die before, it reads the end of the pipe, and ends.
// When the machine itself has no memory left, sandboxes go before what looks after them.
export const BEGIN =
  'read -r go <&4 || exit 1; while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; ' +
  '{ echo 500 > /proc/self/oom_score_adj; } 2> /dev/null; '
const GO_ON = 'exec "$@" 4<&-'

/** Starts a sandbox; it has its users when this resolves. */
export async function startSandbox(start: SandboxStart): Promise<ChildProcess> {
  const { shown, separate } = start
  const command = limited(start.atMost, start.command(separate ? staged(separate.stage, shown) : shown))
  if (!separate) return startDetached({ ...start, command })
  const { stage, users, inside } = separate
  mkdirSync(stage, { recursive: true })
  const pairs = Object.entries(shown).flatMap(([name, path]) => [path, name])
  const isBox = inside === 'box'
  const words = [users.supervisor, users.game, isBox ? users.game : users.supervisor, isBox ? 'hide' : 'show']
  const staging = [stage, ...words.map(String), ...pairs, '--']
  const child = await startDetached({ ...start, command: [...staging, ...command], isStaged: true })
  if (isBox) (child.stdio[fds.users] as Writable).end()
  else await mapUsers(child, users)
  return child
}

type DetachedStart = Start & { seccomp?: string; secretArguments?: string[]; isStaged?: boolean }

export async function startDetached(start: DetachedStart): Promise<ChildProcess> {
  const { info, network, isStaged = false } = start
  const log = start.log === undefined ? undefined : openLog(start.log)
  const files = [openSync(info, 'w', 0o600), ...(start.seccomp === undefined ? [] : [openSync(start.seccomp, 'r')])]
  const unshared = isStaged ? ['unshare', '--mount', '--propagation', 'private'] : []
  const begin = BEGIN + (network?.guard ? `{ ${network.guard}; } || exit 1; ` : '')
  const shell = [...(network?.enter ?? []), ...unshared, '/bin/sh', '-c', begin + (isStaged ? STAGE : GO_ON), 'sh']
  const [program, ...args] = [...shell, ...(start.cgroup?.procsFiles ?? []), '--', ...start.command]
  const standard: StdioOptions = log === undefined ? ['pipe', 'pipe', 'pipe'] : ['ignore', log, log]
  const settings = start.secretArguments === undefined ? 'ignore' : 'pipe'
  const { gameProcsFile, mysqlProcsFile } = start.cgroup ?? {}
  const ways = [gameProcsFile, mysqlProcsFile].flatMap((file) => (file === undefined ? [] : [openSync(file, 'w')]))
  files.push(...ways)
  const more = [settings as 'pipe', ...ways]
  const seccomp = start.seccomp === undefined ? 'ignore' : files[1]
  let child: ChildProcess
  try {
    child = spawn(program as string, args, {
      cwd: '/',
      detached: true,
      stdio: [...standard, files[0], 'pipe', seccomp, ...more],
      env: start.env,
    })
  } finally {
    for (const file of [log, ...files]) if (file !== undefined) closeSync(file)
  }
  const word = child.stdio[fds.users] as Writable
  word.on('error', () => {}) // it has ended, which is noticed by other means
  child.on('error', () => {})
  const outer = child.pid === undefined ? undefined : identify(child.pid)
  if (outer === undefined) throw new Error(`${program} could not be started`)
  start.record?.(outer, child)
  tellSettings(child, start.secretArguments)
  try {
    await network?.connect?.(outer.pid)
  } catch (error) {
    word.destroy() // which ends it
    throw error
  }
  if (isStaged) word.write('go\n')
  else word.end('go\n')
  return child
}

function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

function tellSettings(child: ChildProcess, args: string[] | undefined) {
  if (args === undefined) return
  const settings = child.stdio[fds.settings as keyof typeof child.stdio] as unknown as Writable
  settings.on('error', () => {})
  settings.end(args.map((argument) => `${argument}\0`).join(''))
}

function limited({ processes, countsApart, fileBytes }: Limits = {}, command: string[]): string[] {
  const limits = [
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
  ]
  if (limits.length === 0) return command
  const apart = countsApart ? ['unshare', '--user', '--map-current-user', '--'] : []
  return [...apart, 'prlimit', ...limits, '--', ...command]
}

/** Tells the kernel which users of the host those inside are, once there is an inside; the sandbox waits for that. */
async function mapUsers(child: ChildProcess, users: Users) {
  const word = child.stdio[fds.users] as Writable
  const pid = child.pid as number
  const ours = readUserNamespace('self')
  const isApart = () => ![ours, undefined].includes(readUserNamespace(pid))
  if (!(await waitUntil(() => isApart() || hasEnded(child), MAPPED_MS)) || hasEnded(child)) return void word.destroy()
  const map = `${insideUsers.supervisor} ${users.supervisor} 1\n${insideUsers.game} ${users.game} 1\n`
  for (const file of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${file}`, map)
  word.end('mapped\n')
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function readUserNamespace(pid: number | 'self'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/user`)
  } catch {
    return undefined
  }
}

/** Paths of the same things in the stage. */
function staged(stage: string, shown: Shown): Shown {
  const names = Object.keys(shown) as (keyof Shown)[]
  return Object.fromEntries(names.map((name) => [name, join(stage, name)])) as Shown
}
