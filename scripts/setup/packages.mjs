// npm packages: installed from the lockfile, and only when they are not there already.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { cacheDir, node24, root, run, step, withTools } from './run.mjs'

/** @param {{ lean?: boolean }} options `lean` leaves out what only building, testing and the demo need */
export async function installPackages({ lean = false } = {}) {
  if (isInstalled({ lean })) return
  await step('installing packages (npm ci)', () => npm('ci', lean ? '--omit=dev' : '--include=dev', '--prefer-offline'))
  if (!existsSync(node24)) throw new Error('npm installed no Node 24: were install scripts forbidden?')
}

/**
 * Removes what only building, testing and the demo need. The lockfile stays as it is: builds are known by it, and another
 * one would have everything installed and built anew at the next start.
 */
export async function prunePackages() {
  const isThere = ([path, entry]) => entry.dev === true && existsSync(join(root, path))
  if (!Object.entries(readPackages('package-lock.json')).some(isThere)) return
  await step('removing packages that only the build needed (npm prune)', () => npm('prune', '--omit=dev', '--no-save'))
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
function isInstalled({ lean }) {
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages)
  if (!present || !existsSync(node24)) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || !path.includes('node_modules/')) return true
    const found = present[path]
    if (!found) return entry.optional === true || (lean && entry.dev === true)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function readPackages(file) {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
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
