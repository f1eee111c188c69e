/** Starts a box beside a server's supervisor. To be called under the server's lock. */
import type { ChildProcess } from 'node:child_process'
import { chownSync, existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '../../cluster.ts'
import { usersOf, allot, readAllotment } from '../allotment.ts'
import { sharedFiles } from '../capability.ts'
import type { CgroupLimits } from '../cgroup.ts'
import { discardCheckpoint } from '../checkpoints/restore.ts'
import { killSandbox } from '../ending.ts'
import { finishResize } from '../image.ts'
import { type Found, type Launch, limit, recordInit } from '../launch.ts'
import { makeRuntimeRoot, type ServerPaths, boxPaths, stageFolder } from '../paths.ts'
import { findSandbox, readInfo, writePlacement } from '../placement.ts'
import { type ProcessIdentity, readBootId, tellWhere, waitUntil } from '../processes.ts'
import { baseEnvironment, environmentArguments, type Shown } from '../sandbox.ts'
import { startDetached, startSandbox, type Users } from '../start.ts'
import { giveFolder, giveVolume, prepareVolume } from '../volume.ts'
import { boxArguments, type Extra, shownExtras } from './arguments.ts'
import { cgroupOf, isUp, listBoxes } from './ending.ts'

/** Threads too. */
const MAX_PROCESSES = 256
/** Games come first. */
const WEIGHT = 0.25
const MOUNTED_MS = 20_000

export type BoxHost = Pick<Launch, 'dataDir' | 'filesDir' | 'nodePath' | 'bwrapPath' | 'mayMiss' | 'logger' | 'machine'>
export type Server = { serverId: string; paths: ServerPaths; users: Users | undefined }

export type Box = Pick<CgroupLimits, 'memoryBytes' | 'cpu'> & {
  /** Its name among the server's. */
  name: string
  volume: Task['volume']
  network: Task['network']
  /** The volume on this machine; see `volumeOf`. */
  volumePath: string | undefined
  /** Most bytes in one file, for a volume without a quota. */
  fileBytes?: number
  extras: Extra[]
  shown: Partial<Pick<Shown, 'bundle' | 'runtime' | 'config'>>
  bundleId?: string
  env: Record<string, string>
  staysUp: boolean
  /** Told of it before it does anything. */
  begun?: (child: ChildProcess) => void
  /** The command inside, and where there is no sandbox. */
  command: { inside: string[]; bare: string[] }
}

/** Whose boxes they are; to be called before anything of one is prepared. */
export async function prepareServer(
  { machine }: Pick<BoxHost, 'machine'>,
  found: Found,
  paths: ServerPaths,
  serverId: string,
): Promise<Server> {
  mkdirSync(paths.host, { recursive: true })
  // One that is being started may not have mounted its volume yet: at once, both would give the image a loop device.
  await waitUntil(() => findSandbox(paths)?.init !== undefined || !isBeingStarted(paths), MOUNTED_MS)
  const known = readAllotment(paths)
  if (known === undefined && findSandbox(paths)) throw new Error('the server has to be placed anew first')
  const allotment = known ?? (await allot(paths, serverId, machine))
  return { serverId, paths, users: found.twoUsers ? usersOf(allotment) : undefined }
}

function isBeingStarted(paths: ServerPaths): boolean {
  const sandbox = findSandbox(paths)
  return sandbox !== undefined && sandbox.sandboxed && sandbox.init === undefined
}

/**
 * Where the volume is on this machine, fit to be shown. Nothing is done to one that is in use.
 * @param bytes how large it shall be; left as it is where they are missing
 * @throws Error where there is none and no size is said
 */
export async function volumeOf(found: Found, { paths, users }: Server, bytes?: number): Promise<string> {
  const isUsed = findSandbox(paths) !== undefined || listBoxes(paths).some((box) => isUp(paths, box))
  const isImage = existsSync(paths.image)
  if (isImage && !found.images) throw new Error('the volume is an image, which cannot be mounted here')
  if (isUsed) return isImage ? paths.image : paths.volume
  if (bytes !== undefined) {
    mkdirSync(paths.volume, { recursive: true, mode: 0o700 })
    const hasImage = await prepareVolume(paths, { images: found.images, users, bytes, endOthers: async () => {} })
    return hasImage ? paths.image : paths.volume
  }
  if (isImage) await finishResize(paths.image)
  else if (!existsSync(paths.volume)) throw new Error('the server has no volume yet')
  else if (users) giveVolume(paths.volume, users)
  return isImage ? paths.image : paths.volume
}

/**
 * @throws Error where it does not come up; nothing of it is left then, apart from its folder. With `mayBeTriedAgain`
 * where it was held up before anything of its command had run.
 */
export async function startBox(host: BoxHost, found: Found, server: Server, box: Box): Promise<ChildProcess> {
  const { paths, users } = server
  const own = boxPaths(paths, box.name)
  // A game that came back as it was would write over what is changed here.
  if (box.volume === 'write') await discardCheckpoint(paths, server.serverId)
  makeRuntimeRoot(host.dataDir)
  mkdirSync(own.folder, { recursive: true, mode: 0o700 })
  // What another machine has written into it came back as nobody's: it could not even be read.
  for (const { host: folder, write, isOwn } of box.extras)
    if (write || (isOwn === true && existsSync(folder))) giveFolder(folder, users?.game)
  if (box.shown.runtime) makeRuntime(box.shown.runtime, users)
  const { memoryBytes, cpu } = box
  const limits = { memoryBytes, processes: MAX_PROCESSES, weight: WEIGHT, ...(cpu !== undefined && { cpu }) }
  const cgroup = limit({ ...host, hasLimits: found.limits }, cgroupOf(server.serverId, box.name), limits)
  const common = {
    ...(box.staysUp && { log: own.log }),
    info: own.info,
    cgroup,
    record,
  }
  const environment = { ...baseEnvironment, HOME: '/tmp', ...box.env }
  if (!found.sandboxed) {
    const bound = box.staysUp ? [] : ['setpriv', '--pdeathsig', 'KILL', '--']
    return startDetached({ ...common, env: environment, command: [...bound, ...box.command.bare] })
  }
  const { passwd, seccompOfBoxes: seccomp } = sharedFiles(host.filesDir)
  const hasVolume = box.volumePath !== undefined
  const child = await startSandbox({
    ...common,
    env: baseEnvironment,
    seccomp,
    atMost: {
      ...(!cgroup && process.getuid?.() !== 0 && { processes: MAX_PROCESSES, countsApart: true }),
      ...(box.fileBytes !== undefined && { fileBytes: box.fileBytes }),
    },
    shown: {
      passwd,
      node: host.nodePath,
      ...box.shown,
      ...(box.volumePath !== undefined && { volume: box.volumePath }),
      ...shownExtras(box.extras),
    },
    separate: users && { users, stage: stageFolder(host.dataDir), inside: 'box' },
    secretArguments: environmentArguments(environment),
    command: (shown) => [
      host.bwrapPath,
      ...boxArguments(shown, {
        ...box,
        command: box.command.inside,
        hidesSupervisors: hasVolume && users === undefined && makeSureOfOwn(box.volumePath as string),
      }),
    ],
  })
  // Until it is mounted nobody else may mount the volume.
  if (await recordInit(own, child)) return child
  const hasBegun = readInfo(own) !== undefined && (child.exitCode !== null || child.signalCode !== null)
  if (hasBegun) return child // and has ended already
  const how = child.signalCode ?? child.exitCode
  const where = how === null && child.pid !== undefined ? tellWhere(child.pid) : ''
  await killSandbox(own, cgroupOf(server.serverId, box.name))
  if (how !== null) throw new Error(`the box did not start: it ended with ${how}`)
  throw Object.assign(new Error(`the box has not started in time: ${where}`), {
    mayBeTriedAgain: readInfo(own) === undefined,
  })

  function record(outer: ProcessIdentity, started: ChildProcess) {
    writePlacement(own, {
      bootId: readBootId(),
      sandboxed: found.sandboxed,
      bundle: box.bundleId ?? '',
      outer,
      writes: box.volume === 'write',
    })
    box.begun?.(started)
  }
}

function makeRuntime(folder: string, users: Users | undefined) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  if (users) chownSync(folder, users.game, users.game)
}

/**
 * The folder of the supervisor's in a volume, where the game is the same user.
 * @returns false where the game has put something else in its place, which hides nothing
 */
function makeSureOfOwn(volume: string): boolean {
  const own = join(volume, '.wakestone')
  try {
    mkdirSync(own, { mode: 0o700 })
    return true
  } catch {
    return lstatSync(own, { throwIfNoEntry: false })?.isDirectory() === true
  }
}
