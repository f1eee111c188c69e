// Within the image's build: what runs beside games, the web part, the list of what is in the image; then the packages that
// only building needed go.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildBundles } from '../../scripts/setup/bundles.mjs'
import { prunePackages } from '../../scripts/setup/packages.mjs'
import { root, run } from '../../scripts/setup/run.mjs'
import { buildWeb } from '../../scripts/setup/web.mjs'

await buildBundles()
await buildWeb()
await prunePackages()
// CycloneDX, of what stays. Of peers npm would find fault with versions that the lockfile has settled.
const options = ['--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--legacy-peer-deps']
const bom = await run('npm', ['sbom', ...options])
mkdirSync(join(root, 'sbom'), { recursive: true })
writeFileSync(join(root, 'sbom/wakestone.cdx.json'), bom)
