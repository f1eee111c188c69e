/** Jobs that change things where they are. */
import { FileError } from './errors.ts'
import type { Planned } from './jobs.ts'
import { lookAt } from './placing.ts'
import { modeFor, setMode } from './permissions.ts'
import { doomAll, removeDoomed } from './remove.ts'
import type { Volume } from './volume.ts'
import { walk } from './walk.ts'

/** Begun anew after a kill: it does no harm twice. */
export function planPermissions(volume: Volume, { paths, mode }: { paths: string[]; mode: number }): Planned {
  requireAll(volume, paths)
  return {
    paths,
    resumes: true,
    async work({ progress, turn }) {
      for (const path of paths) {
        await walk(volume, path, {
          turn,
          visit({ folder, name, stats, path: at }) {
            progress.item = at
            if (stats.isFile() || stats.isDirectory()) {
              if ((stats.mode & 0o7777) !== modeFor(stats.isDirectory(), mode)) setMode(folder.at(name), mode)
            }
            progress.done++
          },
        })
      }
    },
  }
}

/**
 * For good. All is out of sight at once, before anything is removed; what a kill leaves goes with the next service, so
 * there is nothing to resume.
 */
export function planDelete(volume: Volume, paths: string[]): Planned {
  requireAll(volume, paths)
  return {
    paths,
    async work({ progress, signal }) {
      progress.total = paths.length
      signal.throwIfAborted()
      return async () => {
        const doomed = await doomAll(volume, paths)
        for (const [index, id] of doomed.entries()) {
          progress.item = paths[index]!
          await removeDoomed(volume, id)
          progress.done++
        }
      }
    },
  }
}

function requireAll(volume: Volume, paths: string[]): void {
  for (const path of paths) {
    using place = volume.find(path, 'write')
    if (place.name === '.') throw new FileError('invalid_request', { paths: 'invalid' })
    if (!lookAt(place.folder, place.name)) throw new FileError('file_does_not_exist', { path })
  }
}
