// In the checkout that becomes a release: all that is built, the list of what is in it, and no package that nothing runs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeShipped } from '../../deploy/docker/shipped.mjs'
import { setUp } from '../setup.mjs'
import { packedEngines } from './engines.mjs'
import { readPackages } from './lockfile.mjs'
import { root } from './run.mjs'
import { trimPackages } from './trim.mjs'

await setUp({ web: true, artifacts: packedEngines })
mkdirSync(join(root, 'sbom'), { recursive: true })
writeFileSync(join(root, 'sbom/wakestone.cdx.json'), JSON.stringify(describeShipped(readPackages())))
await trimPackages()
