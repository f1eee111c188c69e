/** The walls around one game server: the command line of bubblewrap. */
import { realpathSync, existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where things are inside. */
export const inside = {
  volume: '/data',
  config: '/run/wakestone/config.json',
  socket: '/run/wakestone/supervisor.sock',
  cgroup: '/run/cgroup',
  repo: '/opt/wakestone',
  node: '/opt/wakestone/bin/node',
  cache: '/opt/wakestone/cache',
}

/** What of the repository a supervisor needs; nothing else of it can be seen. */
const REPO_FOLDERS = ['apps/supervisor', 'packages/protocol', 'packages/packager', 'packages/minecraft', 'node_modules']
const SYSTEM_FILES = ['/etc/ssl/certs', '/etc/ld.so.cache', '/etc/alternatives', '/etc/hosts', '/etc/nsswitch.conf']
/** Its own name, `$0`, is the marker by which the placement is found again. */
const INIT_SCRIPT = '"$@" & wait $!'
const TMP_BYTES = 256 * 1024 * 1024

export type SandboxOptions = {
  repoRoot: string
  nodePath: string
  /** Folder of small files made by the driver: `passwd`. */
  filesDir: string
  /** Compiled code of the supervisor, shared by all; writable only while nothing foreign runs. */
  cacheDir: string
  cacheWritable?: boolean
  volume?: string
  runtime?: string
  configFile?: string
  cgroupFolders?: Record<string, string>
  /** A file descriptor to which bubblewrap writes the pid of the sandbox's init. */
  infoFd?: number
  /** Whether this bubblewrap can forbid namespaces inside. */
  canDisableUserns: boolean
  /** Stands on the command line of the sandbox's init. */
  marker: string
  command: string[]
}

/**
 * Arguments for bubblewrap.
 *
 * The system is read-only; the network is the host's, as games listen on its loopback address. Started by root the
 * sandbox's user is root's uid without any capability, to whom the kernel still lets settings below `/proc/sys` be
 * written: hence `/proc` is read-only.
 */
export function sandboxArguments(options: SandboxOptions): string[] {
  const { repoRoot, volume, runtime, configFile } = options
  const args: string[][] = [
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    options.canDisableUserns ? ['--disable-userns'] : [],
    ['--new-session', '--clearenv', '--cap-drop', 'ALL'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'server'],
    ['--ro-bind', '/usr', '/usr'],
    ...systemLinks(),
    ...SYSTEM_FILES.map(readOnly),
    // Often a link into a folder that the sandbox does not have.
    existsSync('/etc/resolv.conf') ? ['--ro-bind', realpathSync('/etc/resolv.conf'), '/etc/resolv.conf'] : [],
    ['--ro-bind', join(options.filesDir, 'passwd'), '/etc/passwd'],
    ['--proc', '/proc', '--remount-ro', '/proc'],
    ['--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ['--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...REPO_FOLDERS.map((path) => ['--ro-bind', join(repoRoot, path), join(inside.repo, path)]),
    ['--ro-bind', options.nodePath, inside.node],
    [options.cacheWritable ? '--bind' : '--ro-bind', options.cacheDir, inside.cache],
  ]
  for (const [name, folder] of Object.entries(options.cgroupFolders ?? {})) {
    args.push(['--ro-bind', folder, join(inside.cgroup, name)])
  }
  if (runtime) args.push(['--bind', runtime, '/run/wakestone'])
  if (configFile) args.push(['--ro-bind', configFile, inside.config])
  if (volume) args.push(['--bind', volume, inside.volume])
  args.push(['--remount-ro', '/'])
  for (const [name, value] of Object.entries(supervisorEnvironment(inside.cache))) args.push(['--setenv', name, value])
  args.push(['--chdir', volume ? inside.volume : '/'])
  if (options.infoFd !== undefined) args.push(['--info-fd', String(options.infoFd)])
  // A shell is the init: it reaps orphans, and when the supervisor ends, so does everything else in the sandbox.
  // Bubblewrap's own would wait for the game, which nobody would look after any more.
  return [...args.flat(), '--as-pid-1', '--', '/bin/sh', '-c', INIT_SCRIPT, options.marker, ...options.command]
}

/** All that a supervisor finds in its environment. */
export function supervisorEnvironment(cacheDir: string): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', NODE_COMPILE_CACHE: cacheDir }
}

/** Keeps ten supervisors beside each other small; the game's own flags are in its plan. */
export const SUPERVISOR_NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']

function readOnly(path: string): string[] {
  return ['--ro-bind-try', path, path]
}

function systemLinks(): string[][] {
  return ['bin', 'sbin', 'lib', 'lib32', 'lib64'].map((name) => {
    if (!existsSync(`/${name}`)) return []
    return realpathSync(`/${name}`).startsWith('/usr/')
      ? ['--symlink', `usr/${name}`, `/${name}`]
      : readOnly(`/${name}`)
  })
}
