// In the checkout that becomes a release: all that is built, the list of what is in it, and no package that nothing runs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeShipped } from '../docker/shipped.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { packedEngines } from '../../scripts/setup/engines.mjs'
import { readPackages } from '../../scripts/setup/lockfile.mjs'
import { root } from '../../scripts/setup/run.mjs'
import { trimPackages } from '../../scripts/setup/trim.mjs'

await setUp({ web: true, artifacts: packedEngines })
mkdirSync(join(root, 'sbom'), { recursive: true })
writeFileSync(join(root, 'sbom/wakestone.cdx.json'), JSON.stringify(describeShipped(readPackages())))
await trimPackages()
