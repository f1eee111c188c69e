/** The game's user, where the sandbox has one apart from the supervisor's. */
import { lchownSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SupervisorConfig } from '@wakestone/protocol/supervisor'

export type GameUser = NonNullable<NonNullable<SupervisorConfig['sandbox']>['gameUser']>

/** The command that runs another one as the game's user, who can never become more than that. */
export function runAsGame(command: string[], user: GameUser | null): string[] {
  if (user === null) return command
  const drop = ['--clear-groups', '--bounding-set=-all', '--inh-caps=-all']
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, ...drop, '--', ...command]
}

/** Gives the game a file that was made for it. */
export function giveToGame(path: string, user: GameUser | null): void {
  if (user !== null) lchownSync(path, user.uid, user.gid)
}

/** Makes a folder and those above it, the game's as far as they are new. */
export function makeGameFolder(path: string, user: GameUser | null): void {
  const first = mkdirSync(path, { recursive: true })
  if (first === undefined || user === null) return
  for (let next = path; next.length >= first.length; next = dirname(next)) {
    if (lstatSync(next).isDirectory()) giveToGame(next, user)
  }
}
