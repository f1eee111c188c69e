// The demo's engines, which need no internet. They are packed from npm packages that nothing else needs; a release brings
// them packed.
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node24, root, run, step } from './run.mjs'
import { hashSources, isBuiltOf } from './sources.mjs'

const sources = ['engines', 'packages/packager']
/** Where a release has them. */
export const packedEngines = join(root, 'engines/build')
const stampIn = (artifacts) => join(artifacts, '.stamp')
const isBuilt = (artifacts) => existsSync(join(artifacts, 'index.json')) && isBuiltOf(stampIn(artifacts), sources)

/** Whether those of these sources are laid out in this folder, or packed. */
export const areEnginesBuilt = (artifacts) => isBuilt(artifacts) || isBuilt(packedEngines)

/** @param {string} artifacts the folder in which they are laid out */
export async function buildEngines(artifacts) {
  if (isBuilt(artifacts)) return
  if (isBuilt(packedEngines)) return cpSync(packedEngines, artifacts, { recursive: true })
  await step('packing the engines of the demo', async () => {
    // One after the other: they write one index.
    for (const engine of ['flying-squid', 'serenity'])
      await run(node24, [`engines/${engine}/src/build.ts`, '--out', artifacts])
  })
  writeFileSync(stampIn(artifacts), hashSources(sources))
}
