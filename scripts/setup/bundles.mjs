// One file each: what runs beside games, so that nothing of the checkout has to be shown in sandboxes, and libraries of
// which the server needs little, so that they have not to be installed where it runs.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { node24, root, run } from './run.mjs'
import { hashSources, isBuiltOf } from './sources.mjs'

const bundles = [
  {
    main: 'apps/supervisor/src/main.ts',
    built: join(root, 'apps/supervisor/build/supervisor.mjs'),
    sources: ['apps/supervisor', 'packages/minecraft', 'packages/packager', 'packages/protocol'],
  },
  {
    main: 'apps/files/src/main.ts',
    built: join(root, 'apps/files/build/files.mjs'),
    sources: ['apps/files', 'packages/minecraft', 'packages/protocol'],
  },
  {
    main: 'apps/map-renderer/src/main.ts',
    built: join(root, 'apps/map-renderer/build/map-renderer.mjs'),
    sources: ['apps/map-renderer', 'packages/minecraft', 'packages/protocol'],
    // With a part that is no JavaScript: it stands beside the bundle, with what it needs itself.
    packages: ['sharp', 'detect-libc', 'semver', '@img'],
  },
  {
    main: 'apps/inspector/src/main.ts',
    built: join(root, 'apps/inspector/build/inspector.mjs'),
    sources: ['apps/inspector', 'packages/protocol'],
    packages: ['sharp', 'detect-libc', 'semver', '@img'],
  },
  ...['kubernetes', 'e-invoice'].map((name) => ({
    main: `apps/server/bundled/${name}.ts`,
    built: join(root, `apps/server/build/${name}/${name}.mjs`),
    sources: [`apps/server/bundled/${name}.ts`],
  })),
]

const stampOf = ({ built }) => join(dirname(built), '.stamp')
const isBuilt = (bundle) => existsSync(bundle.built) && isBuiltOf(stampOf(bundle), bundle.sources)

/** Whether the builds are of these sources. */
export const areBundlesBuilt = () => bundles.every(isBuilt)

/** Takes about a second. */
export async function buildBundles() {
  for (const bundle of bundles) await build(bundle)
}

async function build(bundle) {
  if (isBuilt(bundle)) return
  const { main, built, sources, packages = [] } = bundle
  const bundler = join(root, 'node_modules/rolldown/bin/cli.mjs')
  const format = ['--platform', 'node', '--format', 'esm', '--no-code-splitting', '--log-level', 'warn']
  const draft = `${built}.${process.pid}`
  const external = packages.length > 0 ? ['--external', packages[0]] : []
  await run(node24, [bundler, join(root, main), ...format, ...external, '--file', draft])
  for (const name of packages) copyPackage(name, join(dirname(built), 'node_modules', name))
  await rename(draft, built)
  mkdirSync(dirname(built), { recursive: true })
  writeFileSync(stampOf(bundle), hashSources(sources))
}

function copyPackage(name, target) {
  rmSync(target, { recursive: true, force: true })
  lay(join(root, 'node_modules', name), target)
}

/** The same files under another name, where the file system can do that: copies of sharp are most of a bundle. */
function lay(from, to) {
  const path = realpathSync(from)
  if (statSync(path).isDirectory()) {
    mkdirSync(to, { recursive: true })
    for (const name of readdirSync(path)) lay(join(path, name), join(to, name))
    return
  }
  try {
    linkSync(path, to)
  } catch {
    copyFileSync(path, to)
  }
}
