// Installs and builds what is missing: Node 24 and the packages, system tools, the web part, the demo's engines. What only
// the build needs is removed afterwards, except in a checkout that is used for tests.
// Runs on whatever Node the machine has (20 or newer), with nothing but that.
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { areEnginesBuilt, buildEngines } from './setup/engines.mjs'
import { withSetupLock } from './setup/lock.mjs'
import { installCriu } from './setup/criu.mjs'
import { installCompose } from './setup/compose.mjs'
import { installHelm } from './setup/helm.mjs'
import { hasTestTools, installPackages, prunePackages } from './setup/packages.mjs'
import { installTestServices } from './setup/test-services.mjs'
import { installRestic, installRestServer } from './setup/restic.mjs'
import { cacheDir, node24, root, withTools } from './setup/run.mjs'
import { areBundlesBuilt, buildBundles } from './setup/bundles.mjs'
import { installSystemTools } from './setup/system-tools.mjs'
import { trimPackages } from './setup/trim.mjs'
import { buildWeb, isWebBuilt } from './setup/web.mjs'

/**
 * @param {object} wanted
 * @param {boolean} [wanted.everything] packages that only checks, tests and benches need are to be there too
 * @param {string[]} [wanted.system] system tools by name
 * @param {boolean} [wanted.web] the web part is to be built
 * @param {string} [wanted.artifacts] the folder in which the demo's engines are to be laid out
 * @param {boolean} [wanted.storages] backups are to be kept in storages of others
 * @param {boolean} [wanted.nameServer] names are to be served by a PowerDNS
 * @param {boolean} [wanted.helm] the chart is to be tried
 * @param {boolean} [wanted.containers] the image is to be tried
 * @param {boolean} [wanted.checkpoints] servers are to sleep on disk
 */
export async function setUp({
  everything = false,
  system = [],
  web = false,
  artifacts,
  storages = false,
  nameServer = false,
  helm = false,
  containers = false,
  checkpoints = false,
} = {}) {
  process.chdir(root)
  const isProduction = process.env.NODE_ENV === 'production'
  try {
    await withSetupLock(async () => {
      const engines = isProduction ? undefined : artifacts
      const isBuilt = (!web || isWebBuilt()) && areBundlesBuilt() && (!engines || areEnginesBuilt(engines))
      const keepsAll = everything || (!isProduction && hasTestTools())
      // apt waits for the network and npm for the disk: both at once.
      await Promise.all([
        installSystemTools(system)
          .then(installRestic)
          .then(() => storages && installRestServer())
          .then(() => nameServer && installTestServices())
          .then(() => helm && installHelm())
          .then(() => containers && installCompose())
          .then(() => checkpoints && installCriu()),
        installPackages({ wanted: keepsAll ? 'all' : isBuilt ? 'run' : 'build' }),
      ])
      await Promise.all([buildBundles(), web && buildWeb(), engines && buildEngines(engines)])
      if (keepsAll) return
      await prunePackages()
      if (isProduction) await trimPackages()
    })
  } catch (error) {
    console.error(`\nSet-up failed: ${error.message}`)
    process.exit(1)
  }
}

/** Goes on as Node 24 running `args`, in place of this process where the running Node can do that. */
export async function become(args, extraEnv = {}) {
  const env = withTools({ NODE_COMPILE_CACHE: join(cacheDir, 'compile'), ...extraEnv })
  if (process.execve) process.execve(node24, [node24, ...args], env)
  const child = spawn(node24, args, { cwd: root, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const status = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : code)))
  process.exit(status)
}

const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  writeSync(2, `Wakestone needs Node 20 or newer to set itself up; this is ${process.versions.node}.\n`)
  process.exit(1)
}
