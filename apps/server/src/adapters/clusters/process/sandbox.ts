/** The walls around one game server: the command line of bubblewrap. */
import { realpathSync, existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where things are inside. */
export const inside = {
  volume: '/data',
  runtime: '/run/wakestone',
  config: '/run/wakestone/config.json',
  socket: '/run/wakestone/supervisor.sock',
  cgroup: '/run/cgroup',
  downloads: '/run/downloads',
  /** Holds the supervisor in a folder that its bundle names, as compiled code is known by its path. */
  bundles: '/opt/wakestone',
  node: '/opt/wakestone/bin/node',
}
/** The game's user inside, and the supervisor's where it has one of its own. */
export const insideUsers = { supervisor: 0, game: 1000 }
/**
 * Descriptors of what is started: where bubblewrap tells about the sandbox, our word to go on, refused calls, settings,
 * and the cgroups of the game and of its MySQL.
 */
export const fds = { info: 3, users: 4, seccomp: 5, settings: 6, gameCgroup: 7, mysqlCgroup: 8 }

const SYSTEM_FILES = ['/etc/ssl/certs', '/etc/ld.so.cache', '/etc/alternatives', '/etc/hosts', '/etc/nsswitch.conf']
const RESOLVER = '/etc/resolv.conf'
/** On the way to what is shown; bubblewrap would make them for the supervisor alone. */
const FOLDERS = ['/etc', '/etc/ssl', '/opt', inside.bundles, join(inside.bundles, 'bin'), '/run']
/**
 * A shell is the init: it reaps orphans, and when the program ends, so does everything else in the sandbox. Bubblewrap's
 * own would wait for the rest, which nobody would look after any more.
 */
export const asInit = (command: string[], before: string[] = []) =>
  ['--as-pid-1', '--', ...before, '/bin/sh', '-c', '"$@" & wait $!', 'init'].concat(command)
const TMP_BYTES = 256 * 1024 * 1024
/** What lets the supervisor do all with the server's files, start the game as another user, and end it. */
const SUPERVISOR_CAPABILITIES = ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER']
/** Nor may anything inside ever get another one; bubblewrap sees to that only where it makes the user namespace. */
const BOUNDED = [
  'setpriv',
  `--bounding-set=-all,${SUPERVISOR_CAPABILITIES.map((name) => `+${name.toLowerCase()}`).join(',')}`,
  '--',
]

/** Folders and files of the host, by what they are for; names are those by which they are staged. */
export type Shown = {
  /** Small file made by the driver. */
  passwd: string
  node: string
  bundle?: string
  volume?: string
  runtime?: string
  config?: string
  /** Who resolves names; the machine's own where there is none. */
  resolver?: string
  /** Files that were fetched for servers. */
  downloads?: string
  /** What one box alone is shown. */
  [extra: `extra-${number}`]: string
}

export type SandboxOptions = {
  /** Paths as bubblewrap can read them. */
  shown: Shown
  bundleId: string
  /** Only while nothing foreign runs, to fill the folder of compiled code. */
  bundleWritable?: boolean
  cgroupFolders?: Record<string, string>
  /** Whether the supervisor is another user than the game; who starts the sandbox then tells the kernel which. */
  twoUsers: boolean
  command: string[]
}

/** The game's user alone. */
export const oneUser = ['--unshare-user', '--uid', String(insideUsers.game), '--gid', String(insideUsers.game)]

/**
 * What all sandboxes have: namespaces and a system to read. The network is that of whoever starts it, as is the user
 * namespace where there are two users.
 *
 * The kernel lets root's uid write settings below `/proc/sys` without any capability, and a process's memory be written
 * through `/proc`: hence `/proc` is read-only. That no namespaces are made inside is seen to by the list of system calls,
 * since forbidding it by bubblewrap costs a second user namespace.
 */
export function systemArguments(shown: Shown, users: string[]): string[][] {
  return [
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ['--new-session', '--clearenv', '--hostname', 'server', '--cap-drop', 'ALL'],
    users,
    ['--seccomp', String(fds.seccomp), '--info-fd', String(fds.info)],
    ...FOLDERS.map((path) => ['--perms', '755', '--dir', path]),
    ['--ro-bind', '/usr', '/usr'],
    ...systemLinks(),
    ...SYSTEM_FILES.map(readOnly),
    resolverOf(shown),
    ['--ro-bind', shown.passwd, '/etc/passwd'],
    ['--proc', '/proc', '--remount-ro', '/proc'],
    ['--dev', '/dev', ...temporaryFolder('/dev/shm'), '--remount-ro', '/dev'],
    temporaryFolder('/tmp'),
    ['--ro-bind', shown.node, inside.node],
  ]
}

/** Arguments for bubblewrap around a supervisor and its game. */
export function sandboxArguments({ shown, bundleId, twoUsers, ...options }: SandboxOptions): string[] {
  const args: string[][] = [
    ...systemArguments(
      shown,
      twoUsers ? SUPERVISOR_CAPABILITIES.flatMap((name) => ['--cap-add', `CAP_${name}`]) : oneUser,
    ),
  ]
  for (const [name, folder] of Object.entries(options.cgroupFolders ?? {})) {
    args.push(['--ro-bind', folder, join(inside.cgroup, name)])
  }
  const asItMay = options.bundleWritable ? '--bind' : '--ro-bind'
  if (shown.bundle) args.push([asItMay, shown.bundle, join(inside.bundles, bundleId)])
  if (shown.runtime) args.push(['--bind', shown.runtime, inside.runtime])
  if (shown.downloads) args.push(['--ro-bind', shown.downloads, inside.downloads])
  if (shown.config) args.push(['--ro-bind', shown.config, inside.config])
  if (shown.volume) args.push(['--bind', shown.volume, inside.volume])
  args.push(['--remount-ro', '/'])
  args.push(environmentArguments(bundleEnvironment(join(inside.bundles, bundleId))))
  args.push(['--chdir', shown.volume ? inside.volume : '/'])
  return [...args.flat(), ...asInit(options.command, twoUsers ? BOUNDED : [])]
}

export const environmentArguments = (environment: Record<string, string>) =>
  Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value])

/** How a supervisor is run inside. */
export const supervisorCommand = (bundleId: string) => [
  inside.node,
  ...SUPERVISOR_NODE_FLAGS,
  join(inside.bundles, bundleId, 'supervisor.mjs'),
]

/** What everything finds in its environment. */
export const baseEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC' }

/** All that a supervisor, or a files service, finds there. */
export const bundleEnvironment = (bundleFolder: string): Record<string, string> => ({
  ...baseEnvironment,
  NODE_COMPILE_CACHE: join(bundleFolder, 'cache'),
})

/** Keeps ten supervisors beside each other small; the game's own flags are in its plan. */
export const SUPERVISOR_NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']

/** One that every user inside can write to. */
function temporaryFolder(path: string): string[] {
  return ['--perms', '1777', '--size', String(TMP_BYTES), '--tmpfs', path]
}

function resolverOf({ resolver }: Shown): string[] {
  if (resolver) return ['--ro-bind', resolver, RESOLVER]
  // Often a link into a folder that the sandbox does not have.
  return existsSync(RESOLVER) ? ['--ro-bind', realpathSync(RESOLVER), RESOLVER] : []
}

function readOnly(path: string): string[] {
  return ['--ro-bind-try', path, path]
}

function systemLinks(): string[][] {
  return SYSTEM_NAMES.map((name) => {
    if (!existsSync(`/${name}`)) return []
    return isSystemLink(name) ? ['--symlink', `usr/${name}`, `/${name}`] : readOnly(`/${name}`)
  })
}

const SYSTEM_NAMES = ['bin', 'sbin', 'lib', 'lib32', 'lib64']
const isSystemLink = (name: string) => existsSync(`/${name}`) && realpathSync(`/${name}`).startsWith('/usr/')

/** What the root of a sandbox around a supervisor holds besides what is mounted in it: folders, and links by where they lead. */
export const rootOfSandbox = () => ({
  folders: FOLDERS,
  links: Object.fromEntries(SYSTEM_NAMES.filter(isSystemLink).map((name) => [`/${name}`, `usr/${name}`])),
})

/** What is mounted at a place inside a sandbox around a supervisor: a path of the host. */
export function sourceOf(
  at: string,
  { shown, bundleId, cgroupFolders = {} }: Pick<SandboxOptions, 'shown' | 'bundleId' | 'cgroupFolders'>,
): string | undefined {
  const ours: Record<string, string | undefined> = {
    [inside.node]: shown.node,
    [join(inside.bundles, bundleId)]: shown.bundle,
    [inside.volume]: shown.volume,
    [inside.runtime]: shown.runtime,
    [inside.downloads]: shown.downloads,
    [inside.config]: shown.config,
    '/etc/passwd': shown.passwd,
    [RESOLVER]: shown.resolver,
    ...Object.fromEntries(Object.entries(cgroupFolders).map(([name, path]) => [join(inside.cgroup, name), path])),
  }
  const isOurs = at in ours || [inside.bundles, inside.cgroup, inside.runtime].some((own) => at.startsWith(own))
  return isOurs ? ours[at] : at
}
