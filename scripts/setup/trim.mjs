// Of installed packages, what no running program reads: source maps, declarations of types, notes for readers.
import { existsSync, globSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, step } from './run.mjs'

const unread = /\.(map|d\.[cm]?ts|[cm]?ts|tsx|flow|md|markdown)$/i
/** Terms under which they are given on are kept, whatever they are written in. */
const terms = /^(licen[cs]e|copying|notice|copyright|third.?party)/i

/** Once after each installation: npm takes the note of it away with everything else. */
export async function trimPackages() {
  const note = join(root, 'node_modules/.trimmed')
  if (existsSync(note)) return
  await step('removing what only readers of packages need', async () => {
    const folders = ['node_modules', ...globSync(['apps/*/node_modules', 'packages/*/node_modules'], { cwd: root })]
    const bytes = folders.reduce((sum, folder) => sum + trim(join(root, folder)), 0)
    writeFileSync(note, `${bytes}\n`)
  })
}

/** @returns how many bytes are gone. Links lead to our own sources and stay as they are. */
function trim(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += trim(path)
    else if (entry.isFile() && unread.test(entry.name) && !terms.test(entry.name)) {
      bytes += statSync(path).size
      rmSync(path)
    }
  }
  return bytes
}
