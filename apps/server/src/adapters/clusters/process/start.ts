/** Starts a sandbox, or a bare supervisor, so that it is known before it does anything. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { SandboxCgroup } from './cgroup.ts'
import type { PreparedNetwork } from './network/network.ts'
import { identify, type ProcessIdentity, waitUntil } from './processes.ts'
import { readInfo } from './placement.ts'
import { insideUsers, sandboxArguments, type Shown, type ShownName } from './sandbox.ts'

/** Descriptors of what is started: where bubblewrap tells about the sandbox, our word to go on, refused calls. */
const fds = { info: 3, users: 4, seccomp: 5 }
const MAX_LOG_BYTES = 1024 * 1024
const MAPPED_MS = 15_000

/** Users of the host for the supervisor and for the game. */
export type Users = { supervisor: number; game: number }

/** What both kinds of start need. */
type Start = {
  log: string
  info: string
  cgroup?: SandboxCgroup | undefined
  /** The machine's own where there is none. */
  network?: PreparedNetwork | undefined
  env: Record<string, string>
  command: string[]
  /** Told who was started before it goes on. */
  record?: (outer: ProcessIdentity) => void
}
export type SandboxStart = Start & {
  bwrapPath: string
  /** File of refused system calls. */
  seccomp: string
  shown: Shown
  bundleId: string
  bundleWritable?: boolean
  /** Most processes, and bytes in one file, where there is no cgroup and no quota. */
  atMost?: { processes?: number; fileBytes?: number } | undefined
  /** Set where supervisor and game are different users; `stage` is a folder that is ours. */
  separate?: { users: Users; stage: string } | undefined
}

/** Of a volume that is an image. */
export const MOUNT_OPTIONS = 'loop,discard,noatime,nosuid,nodev'
/** Only the kernel's note that it was not unmounted is mended; the volume is given to its users as by `giveVolume`. */
const mountImage = `{ mount -o ${MOUNT_OPTIONS} "$1" "$stage/$2" && { [ "$(stat -c %u "$stage/$2")" = "$user" ] || {
    chown -hR "$game:$game" -- "$stage/$2" &&
    { [ ! -e "$stage/$2/.wakestone" ] || chown -hR "$user:$user" -- "$stage/$2/.wakestone"; } &&
    chmod 1770 "$stage/$2" && chown "$user:$game" "$stage/$2"; }; }; }`

// The shell waits for our word, puts itself into the cgroup, and becomes what it is to start: nothing runs unknown to
// us or outside of the limits. If we die before, it reads the end of the pipe, and ends.
const BEGIN = 'read -r go <&4 || exit 1; while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; '
const GO_ON = 'exec "$@" 4<&-'
/**
 * Bubblewrap runs as the supervisor's user, who can read nothing of the host's own. So what it shall show is bound
 * into a folder of a mount namespace that only it sees.
 */
const STAGE = `stage=$1 user=$2 game=$3; shift 3
mount -t tmpfs -o mode=755,size=1m stage "$stage" || exit 1
while [ "$1" != -- ]; do
  if [ -d "$1" ] || [ "$2" = volume ]; then mkdir "$stage/$2"; else : > "$stage/$2"; fi
  if [ -d "$1" ] || [ "$2" != volume ]; then mount --bind "$1" "$stage/$2" || exit 1
  else ${mountImage} || exit 1; fi
  shift 2
done
shift
exec setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"`

/** Starts a sandbox; it has its users when this resolves. */
export async function startSandbox(start: SandboxStart): Promise<ChildProcess> {
  const { shown, separate, bundleId, bundleWritable = false } = start
  const args = sandboxArguments({
    shown: separate ? staged(separate.stage, shown) : shown,
    bundleId,
    bundleWritable,
    cgroupFolders: start.cgroup?.folders ?? {},
    twoUsers: separate !== undefined,
    fds,
    command: start.command,
  })
  const command = limited(start.atMost, [start.bwrapPath, ...args])
  if (!separate) return startDetached({ ...start, command })
  mkdirSync(separate.stage, { recursive: true })
  const pairs = Object.entries(shown).flatMap(([name, path]) => [path, name])
  const stage = [separate.stage, String(separate.users.supervisor), String(separate.users.game), ...pairs, '--']
  const child = await startDetached({ ...start, command: [...stage, ...command], isStaged: true })
  await mapUsers(child, start.info, separate.users)
  return child
}

export async function startDetached(start: Start & { seccomp?: string; isStaged?: boolean }): Promise<ChildProcess> {
  const { log, info, cgroup, network, isStaged = false } = start
  if (existsSync(log) && statSync(log).size > MAX_LOG_BYTES) renameSync(log, `${log}.1`)
  const files = [openSync(log, 'a', 0o600), openSync(info, 'w', 0o600)] as const
  const seccomp = start.seccomp === undefined ? undefined : openSync(start.seccomp, 'r')
  const unshared = isStaged ? ['unshare', '--mount', '--propagation', 'private'] : []
  const begin = BEGIN + (network?.guard ? `{ ${network.guard}; } || exit 1; ` : '')
  const shell = [...(network?.enter ?? []), ...unshared, '/bin/sh', '-c', begin + (isStaged ? STAGE : GO_ON), 'sh']
  const [program, ...args] = [...shell, ...(cgroup?.procsFiles ?? []), '--', ...start.command]
  let child: ChildProcess
  try {
    child = spawn(program as string, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', files[0], files[0], files[1], 'pipe', seccomp ?? 'ignore'],
      env: start.env,
    })
  } finally {
    for (const file of [...files, seccomp]) if (file !== undefined) closeSync(file)
  }
  const word = child.stdio[fds.users] as Writable
  word.on('error', () => {}) // it has ended, which is noticed by other means
  child.on('error', () => {})
  const outer = child.pid === undefined ? undefined : identify(child.pid)
  if (outer === undefined) throw new Error(`${program} could not be started`)
  start.record?.(outer)
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

function limited(atMost: SandboxStart['atMost'], command: string[]): string[] {
  const limits = [
    ...(atMost?.processes === undefined ? [] : [`--nproc=${atMost.processes}`]),
    ...(atMost?.fileBytes === undefined ? [] : [`--fsize=${atMost.fileBytes}`]),
  ]
  return limits.length === 0 ? command : ['prlimit', ...limits, '--', ...command]
}

/** Tells the kernel which users of the host those inside are; the sandbox waits for that. */
async function mapUsers(child: ChildProcess, infoFile: string, users: Users) {
  const word = child.stdio[fds.users] as Writable
  let init: number | undefined
  await waitUntil(() => (init = readInfo({ info: infoFile })?.pid) !== undefined || child.exitCode !== null, MAPPED_MS)
  if (init === undefined) return void word.destroy()
  const map = `${insideUsers.supervisor} ${users.supervisor} 1\n${insideUsers.game} ${users.game} 1\n`
  for (const file of ['uid_map', 'gid_map']) writeFileSync(`/proc/${init}/${file}`, map)
  word.end('x')
}

/** Paths of the same things in the stage. */
function staged(stage: string, shown: Shown): Shown {
  const names = Object.keys(shown) as ShownName[]
  return Object.fromEntries(names.map((name) => [name, join(stage, name)])) as Shown
}
