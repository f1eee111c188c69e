// The demo's engines, which need no internet. They are packed from npm packages that nothing else needs.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node24, run, step } from './run.mjs'
import { hashSources, isBuiltOf } from './sources.mjs'

const sources = ['engines', 'packages/packager']
const stampIn = (artifacts) => join(artifacts, '.stamp')

/** Whether those laid out in this folder are of these sources. */
export const areEnginesBuilt = (artifacts) =>
  existsSync(join(artifacts, 'index.json')) && isBuiltOf(stampIn(artifacts), sources)

/** @param {string} artifacts the folder in which they are laid out */
export async function buildEngines(artifacts) {
  if (areEnginesBuilt(artifacts)) return
  await step('packing the engines of the demo', async () => {
    // One after the other: they write one index.
    for (const engine of ['flying-squid', 'serenity'])
      await run(node24, [`engines/${engine}/src/build.ts`, '--out', artifacts])
  })
  writeFileSync(stampIn(artifacts), hashSources(sources))
}
