/** Where the process driver keeps what belongs to one server. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type ServerPaths = ReturnType<typeof serverPaths>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STAGE = 'stage'

/** @throws Error for an id that is no UUID: it becomes part of paths. */
export function serverPaths(dataDir: string, serverId: string) {
  if (!UUID.test(serverId)) throw new Error('server id is not a UUID')
  const home = join(resolve(dataDir), 'servers', serverId)
  const host = join(home, 'host')
  const runtime = join(runtimeRoot(dataDir), serverId.slice(0, 13).replace('-', ''))
  return {
    home,
    volume: join(home, 'volume'),
    /** The volume as a file system of its own, where it is one; the folder is empty then. */
    image: join(home, 'volume.img'),
    /** Never seen by the sandbox. */
    host,
    lock: join(host, 'lock'),
    placement: join(host, 'placement.json'),
    allotment: join(host, 'allotment.json'),
    info: join(host, 'info.json'),
    log: join(host, 'supervisor.log'),
    /** Bound into the sandbox for its socket. Short, since paths of sockets may have 107 bytes. */
    runtime,
    socket: join(runtime, 'supervisor.sock'),
  }
}

/** @param box its name among the server's: `files`, or a task's */
export function boxPaths({ host, runtime }: Pick<ServerPaths, 'host' | 'runtime'>, box: string) {
  const folder = join(boxesFolder({ host }), box)
  const own = `${runtime}-${box}`
  return {
    /** Gone with the box. */
    folder,
    placement: join(folder, 'placement.json'),
    info: join(folder, 'info.json'),
    log: join(folder, 'log'),
    config: join(folder, 'config.json'),
    runtime: own,
    socket: join(own, 'files.sock'),
  }
}

/** Shown to the supervisor. */
export const configOf = ({ host }: Pick<ServerPaths, 'host'>) => join(host, 'config.json')

export const boxesFolder = ({ host }: Pick<ServerPaths, 'host'>) => join(host, 'boxes')

export function runtimeRoot(dataDir: string): string {
  const hash = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 10)
  return join(tmpdir(), `wakestone-${hash}`)
}

export function makeRuntimeRoot(dataDir: string): void {
  const root = runtimeRoot(dataDir)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  refuseForeignFolder(root)
  // Passed through by users of sandboxes on their way to the stage; what else is in it is for its owners.
  if (process.getuid?.() === 0) chmodSync(root, 0o711)
}

/** Other users of the machine can write to the folder for temporary files. */
function refuseForeignFolder(folder: string) {
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else`)
}

/** Where a sandbox that is started finds what it shall show inside; empty, except in that sandbox's own view. */
export const stageFolder = (dataDir: string) => join(runtimeRoot(dataDir), STAGE)

/**
 * Removes the folders of sockets, once everything has ended. A sandbox that is starting has the stage mounted in its own
 * namespace, and removing the folder would detach that mount.
 */
export function removeEmptyRuntime(dataDir: string): void {
  try {
    const names = readdirSync(runtimeRoot(dataDir))
    if (names.some((name) => name !== STAGE)) return
    if (names.length > 0) rmdirSync(stageFolder(dataDir))
    rmdirSync(runtimeRoot(dataDir))
  } catch {
    // It is gone, or somebody has just put something into it.
  }
}
