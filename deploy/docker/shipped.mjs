// Which packages are in a production installation: those that are installed there, and those that went into builds.
import { addPackages } from '../../scripts/setup/lockfile.mjs'

/** Packages whose code the build only runs. What it bundles besides stands among `devDependencies` too. */
const tools = /^(?:@types\/|@react-router\/dev$|@wakestone\/|vite$|ws$|postcss)/

/** A bill of materials in CycloneDX 1.5. @param packages of package-lock.json */
export function describeShipped(packages) {
  const { name, version } = packages['']
  const byRef = new Map()
  for (const path of listShipped(packages)) {
    const component = describe(path, packages[path])
    byRef.set(component['bom-ref'], component)
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: [...byRef.values()].sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
  }
}

function describe(path, { name: real, version, integrity, license }) {
  const name = real ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [algorithm, hash = ''] = integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    ...(license !== undefined && { licenses: [{ license: { name: license } }] }),
  }
}

/** @returns their paths there */
export function listShipped(packages) {
  const shipped = new Set(Object.keys(packages).filter((path) => isInstalled(packages[path], path)))
  for (const workspace of ['apps/web', 'apps/server']) {
    const bundled = Object.keys(packages[workspace]?.devDependencies ?? {}).filter((name) => !tools.test(name))
    addPackages(packages, shipped, workspace, bundled)
  }
  return shipped
}

const isInstalled = (entry, path) => path.includes('node_modules/') && !entry.dev && !entry.link
