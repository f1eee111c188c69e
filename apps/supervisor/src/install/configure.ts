/** Lays the small configuration files of a plan onto the volume. */
import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { type GameUser, giveToGame, makeGameFolder } from '../game-user.ts'
import { type VolumePaths, writeFileAtomically } from '../volume.ts'

export type PlanFile = InstallPlan['files'][number]

/** A relative path that stays inside the folder it is read from. The sandbox is the boundary; this is for tidiness. */
export function isInnerPath(path: string): boolean {
  return path !== '' && !posix.isAbsolute(path) && !path.includes('\0') && !path.split('/').includes('..')
}

export type PlanFilesOptions = {
  paths: Pick<VolumePaths, 'volume' | 'own'>
  files: readonly PlanFile[]
  gameUser: GameUser | null
}

/** @throws Error when a link that the game has made leads to where it may not write itself. */
export function writePlanFiles({ paths, files, gameUser }: PlanFilesOptions): void {
  for (const file of files) {
    const path = join(paths.volume, file.path)
    const present = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    if (file.mode === 'create' && present) continue
    prepareGameFile(paths, path, gameUser)
    const isMerged = file.mode === 'merge-properties'
    if (isMerged && present) requireGamePath(paths, path)
    const current = isMerged && present ? readFileSync(path, 'utf8') : ''
    rmSync(`${path}.new`, { force: true }) // where the text is drafted: no link of the game's may lie there
    writeFileAtomically(path, isMerged ? mergeProperties(current, file.content) : file.content)
    giveToGame(path, gameUser)
  }
}

/** Makes sure of the folder of a file that is written for the game. */
export function prepareGameFile(paths: PlanFilesOptions['paths'], path: string, gameUser: GameUser | null): void {
  let present = dirname(path)
  while (lstatSync(present, { throwIfNoEntry: false }) === undefined) present = dirname(present)
  requireGamePath(paths, present)
  makeGameFolder(dirname(path), gameUser)
}

/** The supervisor may write more than the game: what it does for the game must not lead it there. */
function requireGamePath({ volume, own }: PlanFilesOptions['paths'], path: string) {
  const real = `${realpathSync(path)}${sep}`
  const root = realpathSync(volume)
  const isOurs = real.startsWith(`${root}${own.slice(volume.length)}${sep}`)
  if (!real.startsWith(`${root}${sep}`) || isOurs) throw new Error(`${path} leads out of the server's files`)
}

/** Sets keys in the text of a properties file; every other line stays as it is. */
export function setProperties(current: string, wanted: Readonly<Record<string, string>>): string {
  const kept = current.split(/\r?\n/).filter((line) => !((keyOf(line) ?? '') in wanted))
  if (kept.at(-1) === '') kept.pop()
  return [...kept, ...Object.entries(wanted).map(([key, value]) => `${key}=${value}`), ''].join('\n')
}

/** The folder of the world that is played, as `server.properties` names it; what is no plain name counts as none. */
export function readLevelName({ volume }: Pick<VolumePaths, 'volume'>): string {
  const path = join(volume, 'server.properties')
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'world'
  const line = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .findLast((text) => keyOf(text) === 'level-name')
  const name = line?.slice(line.search(/[=:]/) + 1).trim() ?? ''
  return /^[A-Za-z0-9_][A-Za-z0-9 ._-]{0,79}$/.test(name) ? name : 'world'
}

/** Takes settings away that still stand as they were set for the owner. */
export function dropSettings(
  paths: PlanFilesOptions['paths'],
  stale: Readonly<Record<string, string>>,
  gameUser: GameUser | null,
): void {
  const path = join(paths.volume, 'server.properties')
  if (Object.keys(stale).length === 0 || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return
  requireGamePath(paths, path)
  const current = readFileSync(path, 'utf8')
  const lines = current.split('\n')
  const kept = lines.filter((line) => {
    const key = keyOf(line)
    return key === undefined || !(key in stale) || line.trim() !== `${key}=${stale[key]}`
  })
  if (kept.length === lines.length) return
  rmSync(`${path}.new`, { force: true })
  writeFileAtomically(path, kept.join('\n'))
  giveToGame(path, gameUser)
}

const keyOf = (line: string) => /^\s*([^#!=:\s][^=:\s]*)\s*[=:]/.exec(line)?.[1]

/** Adds the keys of `wanted` that `current` does not have; lines of the owner stay as they are. */
export function mergeProperties(current: string, wanted: string): string {
  const present = new Set(current.split(/\r?\n/).map(keyOf))
  const added = wanted.split(/\r?\n/).filter((line) => {
    const key = keyOf(line)
    return key !== undefined && !present.has(key)
  })
  if (current === '') return wanted.endsWith('\n') ? wanted : `${wanted}\n`
  if (added.length === 0) return current
  return `${current.endsWith('\n') ? current : `${current}\n`}${added.join('\n')}\n`
}
