/**
 * Sees to it that games do not take the last space from the database: below a floor of free space they are stopped, and
 * held until there is half as much again. For when even that space is gone there is a reserve, a file that is given up.
 */
import { existsSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const mebibyte = 1024 * 1024

export type DiskWatch = { close(): Promise<void> }

type DiskOptions = {
  /** The disk on which games and database lie. */
  folder: string
  /** Bytes that stay free; a quarter of it is the reserve. */
  floor: number
  /** Free bytes of the disk. */
  findFree?: (folder: string) => Promise<number>
}

type DiskWatchOptions = DiskOptions & {
  everyMilliseconds?: number
  /** Stops all games, worlds saved, and keeps them from being started. Tried again when it fails. */
  hold: () => Promise<void>
  /** Has those started again that should run. */
  release: () => Promise<void>
}

export function watchDisk(options: DiskWatchOptions): DiskWatch {
  const { folder, floor, findFree = freeBytes, everyMilliseconds = 2_000 } = options
  const closing = new AbortController()
  const reserve = reserveOf(folder)
  let held = false

  async function act(): Promise<void> {
    const free = await findFree(folder)
    if (!held && free < floor) {
      console.error(`Only ${inMebibytes(free)} MiB are free below ${folder}: games are stopped until there is more`)
      await options.hold()
      held = true
      return
    }
    if (held && free >= floor * 1.5) {
      console.error(`${inMebibytes(free)} MiB are free below ${folder} again: games are started`)
      await options.release()
      held = false
    }
    if (!held && free >= floor * 1.5 && !existsSync(reserve)) await layAside(reserve, floor / 4)
  }

  const tell = (error: Error) => console.error(`Watching the disk of ${folder}: ${error.message}`)

  async function run(): Promise<void> {
    let acting: Promise<void> | undefined
    while (!closing.signal.aborted) {
      // Stopping games takes its time, in which they may take all that is left.
      await useReserve(options).catch(tell)
      acting ??= act()
        .catch(tell)
        .finally(() => (acting = undefined))
      await delay(everyMilliseconds, undefined, { signal: closing.signal }).catch(() => {})
    }
    await acting
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

const reserveOf = (folder: string) => join(folder, 'reserve')

/** Leaves the reserve to the database where hardly anything is free; it is laid aside anew once there is room. */
export async function useReserve({ folder, floor, findFree = freeBytes }: DiskOptions): Promise<void> {
  if ((await findFree(folder)) < floor / 4) await rm(reserveOf(folder), { force: true })
}

/** What we may still write; root's own share does not count. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Written for real: a file with holes keeps nothing. */
async function layAside(path: string, bytes: number): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    const piece = Buffer.alloc(mebibyte)
    for (let left = bytes; left > 0; left -= piece.length) {
      await file.write(piece, 0, Math.min(left, piece.length))
    }
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

const inMebibytes = (bytes: number) => Math.floor(bytes / mebibyte)
