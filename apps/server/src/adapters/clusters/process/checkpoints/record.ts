/**
 * A checkpoint on the host's disk, where nothing inside a sandbox can read it. It is good for one waking, of exactly what
 * was there when it was made: `complete` is written last, and taken away before it is used.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workload } from '../../cluster.ts'
import type { ServerPaths } from '../paths.ts'
import type { Outside, Seen } from './seen.ts'

export type CheckpointPaths = ReturnType<typeof checkpointPaths>

export const checkpointPaths = ({ host }: Pick<ServerPaths, 'host'>) => {
  const folder = join(host, 'checkpoint')
  return {
    folder,
    /** What CRIU writes. */
    images: join(folder, 'images'),
    about: join(folder, 'about.json'),
    complete: join(folder, 'complete'),
    pid: join(folder, 'images', 'pid'),
  }
}

/** All that has to be as it was; anything else and the server is started instead. */
export type CheckpointKey = {
  /** Of the machine's run: clocks, devices and programs are those of that time. */
  bootId: string
  criu: string
  /** Code of the supervisor. */
  bundle: string
  node: string
  limits: Workload['limits']
  port: number
  slot: number
  isImage: boolean
}
export type About = CheckpointKey & { seen: Seen; outside: Outside[] }

export const hasCheckpoint = (paths: Pick<ServerPaths, 'host'>) => existsSync(checkpointPaths(paths).complete)

/** Also what a kill has left of one. */
export function dropCheckpoint(paths: Pick<ServerPaths, 'host'>): void {
  const { folder, complete } = checkpointPaths(paths)
  if (!existsSync(folder)) return
  rmSync(complete, { force: true }) // first: half of it is none
  rmSync(folder, { recursive: true, force: true })
}

export function beginCheckpoint(paths: Pick<ServerPaths, 'host'>, about: About): CheckpointPaths {
  dropCheckpoint(paths)
  const own = checkpointPaths(paths)
  mkdirSync(own.folder, { mode: 0o700 })
  // What comes back reads the rest of it as its own users, by a way that only root can open: this one is no wall.
  mkdirSync(own.images)
  chmodSync(own.images, 0o711)
  writeFileSync(own.about, JSON.stringify(about), { mode: 0o600 })
  return own
}

/** Says that it is whole, once all of it is on the disk. @returns its size in bytes */
export async function completeCheckpoint({ folder, images, complete, about }: CheckpointPaths): Promise<number> {
  const sizes = sizesOf(images)
  const files = Object.keys(sizes).map((name) => join(images, name))
  for (const path of [...files, about, images, folder]) await sync(path)
  const draft = `${complete}.new`
  writeFileSync(draft, JSON.stringify(sizes), { mode: 0o600 })
  await sync(draft)
  renameSync(draft, complete)
  await sync(folder)
  return Object.values(sizes).reduce((sum, size) => sum + size, 0)
}

const sizesOf = (folder: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, statSync(join(folder, name)).size]),
  )

/** Reads it and takes it for used. Undefined where there is none, or it is not as it was written. */
export async function useCheckpoint(paths: Pick<ServerPaths, 'host'>): Promise<About | undefined> {
  const { folder, images, complete, about } = checkpointPaths(paths)
  if (!existsSync(complete)) return undefined
  const sizes = readFileSync(complete, 'utf8')
  rmSync(complete)
  await sync(folder)
  try {
    // One that was cut short keeps CRIU waiting.
    return sizes !== JSON.stringify(sizesOf(images)) ? undefined : (JSON.parse(readFileSync(about, 'utf8')) as About)
  } catch {
    return undefined
  }
}

async function sync(path: string) {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
