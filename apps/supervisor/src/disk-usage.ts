/** Bytes that the volume's files take on the disk. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Walking costs disk time, so an answer holds this long. */
const HOLDS_MS = 60_000

export function createDiskReader(folder: string): () => number {
  let bytes = 0
  let readAt = -Infinity
  let reading = false

  async function read() {
    reading = true
    try {
      bytes = await measureFolder(folder)
    } finally {
      readAt = performance.now()
      reading = false
    }
  }
  return () => {
    if (!reading && performance.now() - readAt > HOLDS_MS) void read()
    return bytes
  }
}

/** Sums up allocated blocks; files that vanish meanwhile do not count. */
export async function measureFolder(folder: string): Promise<number> {
  let blocks = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name)
        if (entry.isDirectory()) waiting.push(path)
        else blocks += (await lstat(path).catch(() => undefined))?.blocks ?? 0
      }
    } catch {
      // Gone, or not ours to read.
    }
  }
  return blocks * 512 // the unit of `blocks`, whatever the file system's own is
}
