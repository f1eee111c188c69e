/** Brings a server back as its checkpoint has it. To be called under the server's lock, while nothing of it lives. */
import type { ChildProcess } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Waking, Workload } from '../../cluster.ts'
import { withBundle } from '../bundles.ts'
import { readCgroupMembers } from '../cgroup.ts'
import { type Found, type Launch, prepare, type Prepared, shownOf } from '../launch.ts'
import { type ServerPaths, stageFolder } from '../paths.ts'
import { describeInit, findSandbox, writePlacement } from '../placement.ts'
import { findMembers, isUser, kill, readBootId, waitUntil } from '../processes.ts'
import { inside, rootOfSandbox, type Shown, sourceOf } from '../sandbox.ts'
import { LAY_STAGE } from '../stage.ts'
import { BEGIN, type Users } from '../start.ts'
import { bound, restoreArguments, runCriu } from './criu.ts'
import { type CheckpointTool, givenMounts, isVolume, knownOutside } from './make.ts'
import { nodeIdentity } from './node-identity.ts'
import { type About, checkpointPaths, dropCheckpoint, hasCheckpoint, useCheckpoint } from './record.ts'
import { findDifference, lookAtSandbox } from './seen.ts'

const DEATH_MS = 10_000
/** Descriptors below are taken by how anything is started. */
const FIRST_INHERITED = 5

/** The root of a sandbox, in the stage: it is bound from there. Folders, files and links in it come by threes. */
const LAY_ROOT = `mkdir "$stage/root" &&
mount -t tmpfs -o "mode=755,size=1m,nosuid,nodev,uid=$owner,gid=$owner" tmpfs "$stage/root" && cd "$stage/root" || exit 1
while [ "$1" != -- ]; do
  case $1 in
    folder) mkdir -p ".$2" ;;
    file) mkdir -p ".$(dirname "$2")" && : > ".$2" ;;
    link) ln -s "$3" ".$2" ;;
  esac || exit 1
  shift 3
done
shift
chown -hR "$owner:$owner" . && chmod -R u=rwX,go=rX . && cd / || exit 1
exec 4<&-
exec "$@"`

/**
 * @returns how it went; a server that did not come back is to be started, and nothing of it lives
 * @throws Error where what is left of it does not end
 */
export async function restoreCheckpoint(
  host: Launch,
  found: Found,
  { tool, paths, workload }: { tool: () => Promise<CheckpointTool>; paths: ServerPaths; workload: Workload },
): Promise<Waking> {
  if (!hasCheckpoint(paths)) {
    await discardCheckpoint(paths, workload.serverId)
    return { from: 'start' }
  }
  try {
    const { version, criuPath, restoreMs } = await tool()
    const about = await useCheckpoint(paths)
    if (about === undefined) throw new Error('it cannot be read')
    await withBundle(host.bundles, async (bundle) => {
      const prepared = await prepare(host, found, paths, workload)
      const key = keyNow({ host, version, bundle: bundle.id, workload, prepared })
      const other = Object.entries(key).find(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(about[name as keyof About]),
      )
      if (other !== undefined) throw new Error(`${other[0]} is another one`)
      const shown = shownOf(host, paths, { ...prepared, bundleFolder: bundle.folder })
      await restore({ host, criuPath, restoreMs, paths, about, prepared, shown })
    })
    dropCheckpoint(paths)
    return { from: 'checkpoint' }
  } catch (error) {
    await endLeftovers(workload.serverId)
    rmSync(paths.placement, { force: true })
    dropCheckpoint(paths)
    return { from: 'start', why: (error as Error).message }
  }
}

type KeyParts = { host: Launch; version: string; bundle: string; workload: Workload; prepared: Prepared }

const keyNow = ({ host, version, bundle, workload, prepared }: KeyParts) => ({
  bootId: readBootId(),
  criu: version,
  bundle,
  node: nodeIdentity(host.nodePath),
  limits: workload.limits,
  port: prepared.allotment.port,
  slot: prepared.allotment.slot,
  isImage: prepared.isImage,
})

type Parts = {
  host: Launch
  criuPath: string
  restoreMs: number
  paths: ServerPaths
  about: About
  prepared: Prepared
  shown: Shown
}

async function restore({ host, criuPath, restoreMs, paths, about, prepared, shown }: Parts): Promise<void> {
  const { users, cgroup, network } = prepared
  if (users === undefined || cgroup === undefined || network === undefined) throw new Error('a wall is missing')
  const own = checkpointPaths(paths)
  const stage = stageFolder(host.dataDir)
  mkdirSync(stage, { recursive: true })
  const mounts = givenMounts(about.seen.mounts)
  const given = mounts.map((mount) => {
    const source = sourceOf(mount.at, { shown, bundleId: about.bundle, cgroupFolders: cgroup.folders })
    if (source === undefined) throw new Error(`nothing is known of ${mount.at}`)
    return { ...mount, source, staged: isVolume(mount) ? 'volume' : mount.name }
  })
  makeMountPoint(paths, users)
  const known = knownOutside(paths, cgroup) as Record<string, string>
  const outside = about.outside.map(({ key, what }) => ({ key, path: known[what] }))
  const lost = outside.find(({ path }) => path === undefined)
  if (lost !== undefined) throw new Error(`nothing is known of ${lost.key}`)
  const open = outside.map(({ path }) => openSync(path as string, 'a'))
  // They are opened anew by what is brought back, as the supervisor's user.
  const lent = outside.flatMap(({ path }) => (path === '/dev/null' ? [] : [path as string]))
  for (const path of lent) chownSync(path, users.supervisor, users.supervisor)
  const inOwnView = [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    '/bin/sh',
    '-c',
    BEGIN + LAY_STAGE + LAY_ROOT,
    'sh',
  ]
  const staging = [stage, users.supervisor, users.game, users.supervisor, 'show'].map(String)
  const pairs = given.flatMap(({ source, staged }) => [source, staged])
  const criu = ['unshare', '--cgroup', '--', criuPath]
  const command = [
    ...(network.enter ?? []),
    ...inOwnView,
    ...cgroup.procsFiles,
    '--',
    ...staging,
    ...pairs,
    '--',
    ...skeleton(mounts),
    '--',
    ...criu,
    ...restoreArguments(own.images, {
      root: join(stage, 'root'),
      pidFile: own.pid,
      external: given.map(({ name, staged }) => `mnt[${name}]:${join(stage, staged)}`),
      inherited: outside.map(({ key }, index) => `fd[${FIRST_INHERITED + index}]:${key}`),
    }),
  ]
  try {
    await runCriu([...bound, ...command], {
      folder: own.images,
      log: 'restore.log',
      ms: restoreMs,
      more: ['ignore', 'pipe', ...open],
      begun: letGo,
    })
  } finally {
    for (const file of open) closeSync(file)
    for (const path of lent) chownSync(path, 0, 0)
  }
  const init = describeInit(Number(readFileSync(own.pid, 'utf8')))
  if (init === undefined) throw new Error('it has ended at once')
  const pids = findMembers(init.namespace)
  const difference = findDifference(about.seen, lookAtSandbox(init.pid, pids))
  if (difference !== undefined) throw new Error(`its walls are other ones: ${difference}`)
  if (cgroup.gameProcsFile !== undefined) moveGame(cgroup.gameProcsFile, pids, users)
  writePlacement(paths, {
    bootId: about.bootId,
    sandboxed: true,
    bundle: about.bundle,
    init,
    supervisorUser: users.supervisor,
    network: { means: network.means, host: network.host },
  })
}

/** What is mounted within the folder of sockets has its place there. */
function makeMountPoint(paths: ServerPaths, { supervisor }: Users) {
  const file = join(paths.runtime, basename(inside.config))
  writeFileSync(file, '', { mode: 0o444 })
  chownSync(file, supervisor, supervisor)
}

function skeleton(mounts: { at: string; isFolder: boolean }[]): string[] {
  const { folders, links } = rootOfSandbox()
  const own = ['/proc', '/dev', '/tmp']
  const parents = mounts.map(({ at }) => at)
  const isInRoot = (at: string) => ![...own, ...parents].some((other) => at.startsWith(`${other}/`))
  return [
    ...[...folders, ...own].flatMap((at) => ['folder', at, '-']),
    ...mounts.filter(({ at }) => isInRoot(at)).flatMap(({ at, isFolder }) => [isFolder ? 'folder' : 'file', at, '-']),
    ...Object.entries(links).flatMap(([at, to]) => ['link', at, to]),
  ]
}

function letGo(child: ChildProcess) {
  const word = child.stdio[4] as Writable | null
  word?.on('error', () => {}) // it has ended, which is noticed by other means
  word?.end('go\n')
}

/** What was the game's comes back in the cgroup of its supervisor, and has its own from here on. */
function moveGame(procsFile: string, pids: number[], { game }: Users) {
  for (const pid of pids) {
    if (!isUser(pid, game)) continue
    try {
      writeFileSync(procsFile, String(pid))
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Drops a checkpoint, and ends what one that was cut off while it was used may have left, of which nobody knows. */
export async function discardCheckpoint(paths: ServerPaths, serverId: string): Promise<void> {
  if (!existsSync(checkpointPaths(paths).folder)) return
  if (findSandbox(paths) === undefined) await endLeftovers(serverId)
  dropCheckpoint(paths)
}

/** Whatever the server's cgroup holds; nothing of it is placed. @throws Error when the kernel does not end it */
async function endLeftovers(serverId: string): Promise<void> {
  const gone = await waitUntil(() => {
    const rest = readCgroupMembers(serverId)
    for (const pid of rest) kill(pid, 'SIGKILL')
    return rest.length === 0
  }, DEATH_MS)
  if (!gone) throw new Error('what is left of it does not end')
}
