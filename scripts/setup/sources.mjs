// Whether a build is of the sources that are there now.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './run.mjs'

const leftOut = new Set(['build', 'node_modules', '.react-router'])

/**
 * A hash of these files, of all in these folders but tests, and of the versions of all packages: the same wherever the
 * checkout is.
 */
export function hashSources(folders) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const folder of folders) {
    for (const file of listFiles(join(root, folder)))
      hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether the stamp that a build left is that of the sources. */
export const isBuiltOf = (stampFile, folders) =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSources(folders)

function listFiles(folder) {
  if (!statSync(folder).isDirectory()) return [folder]
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name) && !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}
