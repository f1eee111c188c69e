/** Makes a server's volume that of its two users. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Users } from './start.ts'

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
