// npm packages: installed from the lockfile, and only when they are not there already.
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { addPackages, readPackages } from './lockfile.mjs'
import { cacheDir, node24, root, run, step, withTools } from './run.mjs'

/**
 * Three sets, each part of the next: `run` is what built programs need; `build` adds what building them and the demo's
 * engines takes; `all` adds what only the repository's checks, tests and benches need.
 */
const commands = {
  run: ['ci', '--omit=dev'],
  build: ['ci', '--include=dev', '--workspaces', '--include-workspace-root=false'],
  all: ['ci', '--include=dev'],
}

/**
 * Does nothing if that set, or a larger one, is installed.
 * @param {{ wanted: 'run' | 'build' | 'all' }} options
 */
export async function installPackages({ wanted }) {
  if (isInstalled(wanted)) return
  await step('installing packages (npm ci)', () => npm(...commands[wanted], '--prefer-offline'))
  if (!existsSync(node24)) throw new Error('npm installed no Node 24: were install scripts forbidden?')
}

/** Whether this checkout is used for tests or benches. */
export function hasTestTools() {
  return readPackages('node_modules/.package-lock.json')?.['node_modules/vitest'] !== undefined
}

/**
 * Removes what only building, testing and the demo need, as `npm prune` would, which takes ten times as long. The lockfile
 * stays as it is: builds are known by it, and another one would have everything installed and built anew at the next start.
 */
export async function prunePackages() {
  const isThere = ([path, entry]) => entry.dev === true && existsSync(join(root, path))
  const needless = Object.entries(readPackages('package-lock.json')).filter(isThere)
  if (needless.length === 0) return
  await step('removing packages that only the build needed', async () => {
    const paths = needless.map(([path]) => path)
    // First the list, so that an interrupted removal does not pass for an installation.
    forget(paths)
    await Promise.all(paths.map((path) => rm(join(root, path), { recursive: true, force: true })))
    removeDeadLinks(join(root, 'node_modules/.bin'))
  })
}

/** Of npm's own list of what is installed. */
function forget(paths) {
  const file = join(root, 'node_modules/.package-lock.json')
  const list = JSON.parse(readFileSync(file, 'utf8'))
  for (const path of paths) delete list.packages[path]
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
}

function removeDeadLinks(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isSymbolicLink() && !existsSync(path)) rmSync(path)
  }
}

function npm(...args) {
  // Under `npm start` this may run on the very Node that is about to be replaced: npm's own is the safe one.
  const { npm_execpath: npmCli, npm_node_execpath: npmNode } = process.env
  const all = [...args, '--no-audit', '--no-fund']
  // The tests' RakNet comes built, under the name of an older kernel; without this it would be built anew for minutes.
  const env = withTools({ SKIP_BUILD: '1', ...npmCache() })
  if (npmCli?.endsWith('.js') && npmNode) return run(npmNode, [npmCli, ...all], { env })
  return run('npm', all, { env })
}

/**
 * npm writes what it installed into node_modules as its last act, so an interrupted installation does not look whole.
 * Packages for other kinds of machine are missing rightly.
 */
function isInstalled(set) {
  const [packages, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages)
  if (!present || !existsSync(node24)) return false
  const needed = set === 'build' ? neededByParts(packages) : undefined
  return Object.entries(packages).every(([path, entry]) => {
    if (path === '' || entry.link || !path.includes('node_modules/')) return true
    const found = present[path]
    if (found) return found.version === entry.version && found.integrity === entry.integrity
    if (entry.optional === true) return true
    return (set === 'run' && entry.dev === true) || needed?.has(path) === false
  })
}

/** @returns the paths of all packages that building the project's parts needs. */
function neededByParts(packages) {
  const needed = new Set()
  for (const [folder, { dependencies, devDependencies }] of Object.entries(packages))
    if (folder !== '' && !folder.includes('node_modules/'))
      addPackages(packages, needed, folder, Object.keys({ ...dependencies, ...devDependencies }), { peers: true })
  return needed
}

/** Where npm's cache cannot be written (an account without a home), it goes into the checkout. */
function npmCache() {
  let folder = process.env.npm_config_cache || join(homedir(), '.npm')
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return {}
  } catch {
    return { npm_config_cache: join(cacheDir, 'npm') }
  }
}
