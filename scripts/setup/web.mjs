// The web part: built when what goes into it has changed since the last build.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node24, root, run, step, withTools } from './run.mjs'
import { hashSources, isBuiltOf } from './sources.mjs'

const web = join(root, 'apps/web')
const stampFile = join(web, 'build/.stamp')
const sources = [
  'apps/web',
  'packages/contract',
  'packages/kit',
  'packages/packager',
  'packages/websites',
  'docs',
  'CONTRIBUTING.md',
]

/** Whether the build is of these sources. */
export const isWebBuilt = () => isBuiltOf(stampFile, sources)

export async function buildWeb() {
  if (isWebBuilt()) return
  await step('building the web part', async () => {
    rmSync(stampFile, { force: true }) // an interrupted build must not pass for a whole one
    const program = join(root, 'node_modules/@react-router/dev/bin.cjs')
    await run(node24, [program, 'build'], { cwd: web, env: withTools({ NODE_ENV: 'production' }) })
    mkdirSync(join(web, 'build'), { recursive: true })
    writeFileSync(stampFile, hashSources(sources))
  })
}
