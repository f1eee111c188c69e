/** The few text files of a game that the control plane reads and writes. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type KnownFile, knownFileBytes, knownFiles } from '@wakestone/protocol/values'
import { type GameUser, giveToGame } from './game-user.ts'
import { type VolumePaths, writeFileAtomically } from './volume.ts'

export const isKnownFile = (name: string | null): name is KnownFile => (knownFiles as readonly unknown[]).includes(name)

/** Undefined where there is no such file, or something else in its place. */
export function readKnownFile(paths: VolumePaths, name: KnownFile): string | undefined {
  let file: number | undefined
  try {
    // A link would lead elsewhere, and a pipe would never be opened.
    file = openSync(join(paths.volume, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { size } = fstatSync(file)
    if (!fstatSync(file).isFile() || size > knownFileBytes) return undefined
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** @throws Error where a folder lies in its place */
export function writeKnownFile(
  { paths, gameUser }: { paths: VolumePaths; gameUser: GameUser | null },
  name: KnownFile,
  content: string,
): void {
  // Drafted where the game cannot lay a link in the way; taking its place follows none.
  const draft = join(paths.drafts, name)
  mkdirSync(paths.drafts, { recursive: true, mode: 0o700 })
  writeFileAtomically(draft, content)
  giveToGame(draft, gameUser)
  renameSync(draft, join(paths.volume, name))
}
