/** Makes a server's volume ready for its sandboxes, and that of its two users. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureImage } from './image.ts'
import type { ServerPaths } from './paths.ts'
import type { Users } from './start.ts'

/**
 * To be called while no supervisor lives, and its folder is there.
 * @returns whether it is an image; what has become one stays one
 */
export async function prepareVolume(
  paths: ServerPaths,
  options: {
    /** Whether volumes can be images. */
    images: boolean
    users: Users | undefined
    bytes: number
    /** Ends what uses the volume; called only where that must not go on. */
    endOthers: () => Promise<void>
  },
): Promise<boolean> {
  if (!options.images && existsSync(paths.image))
    throw new Error('the volume is an image, which cannot be mounted here')
  if (options.images && (await ensureImage(paths, options.bytes, options.endOthers))) return true
  if (options.users) giveVolume(paths.volume, options.users)
  return false
}

/**
 * The game may write into the volume's folder, and take away only what is its own: that bit makes the supervisor's
 * part safe. A volume from before is given over whole, while nothing runs on it; no link in it is followed.
 */
export function giveVolume(volume: string, users: Users): void {
  const own = join(volume, '.wakestone')
  if (lstatSync(volume).uid === users.supervisor) return
  const give = (path: string, user: number) => execFileSync('chown', ['-hR', `${user}:${user}`, '--', path])
  give(volume, users.game)
  if (existsSync(own)) give(own, users.supervisor)
  chmodSync(volume, 0o1770)
  chownSync(volume, users.supervisor, users.game) // last: it says that all of this is done
}

/** A folder of the host for boxes of one server, made where it is missing. */
export function giveFolder(folder: string, user: number | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (user === undefined || lstatSync(folder).uid === user) return
  execFileSync('chown', ['-hR', `${user}:${user}`, '--', folder])
}
