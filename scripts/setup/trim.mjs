// Of installed packages, what no running program reads: source maps, declarations of types, headers and libraries for C
// compilers, tests, notes for readers, and what is there in several forms of which one is used.
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, step } from './run.mjs'

const unread = /\.(map|d\.[cm]?ts|[cm]?ts|tsx|flow|md|markdown|a)$/i
/** Folders only a package's developers need; and Node's headers for C, half the size of Node itself. */
const forMakers = /^(tests?|__tests__|coverage|benchmarks?|examples?|\.yarn)$/i
/**
 * Files that production never loads. Where a module picks one of two files, both may have to stay: Node reads the names of
 * react-dom's exports from the development one.
 */
const otherForms = [
  /\/react-dom\/cjs\/react-dom-(client|profiling|server\.(browser|bun|edge)|server-legacy\.browser)\./,
  /\/react-dom\/cjs\/react-dom-server(-legacy)?\.node\.development\.js$/,
  /\/satori\/dist\/(standalone|experimental)\.c?js$/,
  /\/satori\/dist\/index\.cjs$/,
  /\/pdfkit\/js\/pdfkit\.standalone\.js$/,
  /\/luxon\/build\/(amd|cjs-browser|global)\//,
  /\/fontkit\/dist\/browser/,
  /\/@fontsource\/inter\/files\/.*(\.woff2|-italic\.woff)$/,
  /\/geo-whois-asn-country-mmdb\/.*-ipv[46]\.mmdb$/,
]
const headers = /\/node\/node_modules\/node-[^/]+\/include$/
/** Terms under which they are given on are kept, whatever they are written in. */
const terms = /^(licen[cs]e|copying|notice|copyright|third.?party)/i

/** Once after each installation: npm takes the note of it away with everything else. */
export async function trimPackages() {
  const note = join(root, 'node_modules/.trimmed')
  if (existsSync(note)) return
  await step('removing what only readers of packages need', async () => {
    const bytes = packageFolders().reduce((sum, folder) => sum + trim(folder), 0)
    writeFileSync(note, `${bytes}\n`)
  })
}

/** @returns the folders of packages that there are: the project's own and those of its parts. */
function packageFolders() {
  const parts = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((part) => join(root, group, part)),
  )
  return [root, ...parts].map((part) => join(part, 'node_modules')).filter((folder) => existsSync(folder))
}

/** @returns how many bytes are gone. Links lead to our own sources and stay as they are. */
function trim(folder) {
  let bytes = 0
  const isPackage = existsSync(join(folder, 'package.json'))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      bytes += trim(path)
      if ((isPackage && forMakers.test(entry.name)) || headers.test(path)) {
        bytes += sizeOf(path)
        rmSync(path, { recursive: true })
      }
    } else if (entry.isFile() && !terms.test(entry.name) && isUnread(path)) {
      bytes += statSync(path).size
      rmSync(path)
    }
  }
  return bytes
}

const isUnread = (path) => unread.test(path) || otherForms.some((form) => form.test(path))

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
