// Which files of tests do more in `npm run test:long`.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { root } from '../setup/run.mjs'

const folders = ['apps', 'packages', 'engines', 'tests']
const leftOut = new Set(['node_modules', 'build', '.react-router'])

/** Files named `*.long.test.ts`, and those that import `tests/support/long.ts`, themselves or by what they import from `tests/support`. */
export function findLongTests() {
  const files = folders.flatMap((folder) => listFiles(join(root, folder)))
  const deciding = new Set(['long.ts'])
  for (let known = 0; known < deciding.size;) {
    known = deciding.size
    for (const { path, imports } of files)
      if (path.startsWith('tests/support/') && imports.some((name) => deciding.has(name))) deciding.add(basename(path))
  }
  return files
    .filter(({ path, imports }) => {
      const isTest = /\.test\.tsx?$/.test(path)
      return isTest && (path.endsWith('.long.test.ts') || imports.some((name) => deciding.has(name)))
    })
    .map(({ path }) => path)
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return listFiles(path)
      return /\.tsx?$/.test(entry.name) ? [{ path: relative(root, path), imports: importsOf(path) }] : []
    })
}

/** Names of the files of `tests/support` that a file imports. */
function importsOf(path) {
  const own = relative(root, path).startsWith('tests/support/')
  const pattern = own
    ? /from '\.{1,2}\/(?:[\w-]+\/)*([\w-]+\.ts)'/g
    : /from '[./]*(?:tests\/)?support\/(?:[\w-]+\/)*([\w-]+\.ts)'/g
  return [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name)
}
