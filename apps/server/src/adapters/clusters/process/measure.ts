/** How much disk a server's files take. What lies in a volume is its customer's: no link in it is followed. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of allocated blocks below a folder; 0 where there is none. What vanishes meanwhile does not count. */
export async function measureVolume(folder: string): Promise<number> {
  const root = await lstat(folder).catch(() => undefined)
  if (root === undefined || !root.isDirectory()) return 0
  let blocks = 0
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name)
        if (entry.isDirectory()) waiting.push(path)
        else blocks += (await lstat(path).catch(() => undefined))?.blocks ?? 0
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return blocks * 512 // the unit of `blocks`, whatever the file system's own is
}
