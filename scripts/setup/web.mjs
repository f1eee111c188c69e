// The web part: built when what goes into it has changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node24, root, run, step, withTools } from './run.mjs'

const web = join(root, 'apps/web')
const stampFile = join(web, 'build/.stamp')
const leftOut = new Set(['build', 'node_modules', '.react-router'])

/** Whether the build is of these sources. */
export const isWebBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSources()

export async function buildWeb() {
  if (isWebBuilt()) return
  await step('building the web part', async () => {
    rmSync(stampFile, { force: true }) // an interrupted build must not pass for a whole one
    const program = join(root, 'node_modules/@react-router/dev/bin.cjs')
    await run(node24, [program, 'build'], { cwd: web, env: withTools({ NODE_ENV: 'production' }) })
    mkdirSync(join(web, 'build'), { recursive: true })
    writeFileSync(stampFile, hashSources())
  })
}

function hashSources() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const folder of ['apps/web', 'packages/contract', 'packages/kit']) {
    for (const file of listFiles(join(root, folder))) hash.update(`\0${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name) && !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}
