/** Where the supervisor keeps its own things on the volume, apart from what the owner of the server sees as theirs. */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export type VolumePaths = ReturnType<typeof volumePaths>

export function volumePaths(volume: string) {
  const own = join(volume, '.wakestone')
  return {
    volume,
    own,
    /** Name of that folder. */
    ownName: basename(own),
    packages: join(own, 'packages'),
    staging: join(own, 'staging'),
    installed: join(own, 'installed.json'),
    runState: join(own, 'run-state.json'),
    console: join(own, 'console'),
    events: join(own, 'events'),
    snapshots: join(own, 'snapshots'),
    /** Where texts are drafted that go to the game. */
    drafts: join(own, 'drafts'),
  }
}

/** Writes a file so that after a crash at any moment it holds either the old text or the new one. */
export function writeFileAtomically(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.new`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** What a JSON file of ours holds; undefined when it is missing or damaged, since the game can write here too. */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
