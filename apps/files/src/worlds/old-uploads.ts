/** Archives whose world nobody has taken out, because a dialog was left or the world was refused. */
import { uploadDays, worldUploadsFolder } from '@wakestone/protocol/file-values'
import { FileError } from '../errors.ts'
import { readNames } from '../list.ts'
import { lookAt } from '../placing.ts'
import type { Trash } from '../trash.ts'
import type { Volume } from '../volume.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** As they were called before they had a folder. */
const LOOSE = /^\.world-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w.]+$/

/** They go into the trash, where their owner still finds them. */
export async function trashOldWorldUploads(volume: Volume, trash: Trash, now = Date.now()): Promise<void> {
  const places: [string, (name: string) => boolean][] = [
    ['', (name) => LOOSE.test(name)],
    [worldUploadsFolder, () => true],
  ]
  for (const [path, isOne] of places) {
    const old: string[] = []
    try {
      using folder = volume.openFolder(path, 'read')
      for await (const names of readNames(folder))
        for (const name of names) {
          if (typeof name !== 'string' || !isOne(name)) continue
          const stats = lookAt(folder, name)
          // When it came, not what its own date says.
          if (stats?.isFile() && now - stats.ctimeMs > uploadDays * DAY_MS)
            old.push(path === '' ? name : `${path}/${name}`)
        }
    } catch (error) {
      if (error instanceof FileError || (error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    if (old.length > 0) await trash.put(old)
  }
}
