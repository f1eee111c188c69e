// Brings everything that is missing: Node 24 and the packages, system tools, the built web part, the demo's engine. In
// production what only building, testing and the demo need is left out, or removed once the web part is built.
// Runs on whatever Node the machine has (20 or newer), with nothing but that.
import { spawn } from 'node:child_process'
import { existsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { withSetupLock } from './setup/lock.mjs'
import { installCriu } from './setup/criu.mjs'
import { installCompose } from './setup/compose.mjs'
import { installHelm } from './setup/helm.mjs'
import { installPackages, prunePackages } from './setup/packages.mjs'
import { installTestServices } from './setup/test-services.mjs'
import { installRestic, installRestServer } from './setup/restic.mjs'
import { cacheDir, node24, root, run, step, withTools } from './setup/run.mjs'
import { areBundlesBuilt, buildBundles } from './setup/bundles.mjs'
import { installSystemTools } from './setup/system-tools.mjs'
import { trimPackages } from './setup/trim.mjs'
import { buildWeb, isWebBuilt } from './setup/web.mjs'

/**
 * @param {{ system?: string[], web?: boolean, artifacts?: string, storages?: boolean,
 *   nameServer?: boolean, helm?: boolean, containers?: boolean, checkpoints?: boolean }} wanted system tools by name, whether the web part
 *   is needed, the folder in which engines are to be laid out, whether backups are to be kept in storages of others,
 *   whether names are to be served by a PowerDNS, whether the chart is to be tried, whether the image is, and whether servers are to sleep on disk
 */
export async function setUp({
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
      const lean = isProduction && (!web || isWebBuilt()) && areBundlesBuilt()
      // apt waits for the network and npm for the disk: both at once.
      await Promise.all([
        installSystemTools(system)
          .then(installRestic)
          .then(() => storages && installRestServer())
          .then(() => nameServer && installTestServices())
          .then(() => helm && installHelm())
          .then(() => containers && installCompose())
          .then(() => checkpoints && installCriu()),
        installPackages({ lean }),
      ])
      // The engines that need no internet are the demo's.
      await Promise.all([buildBundles(), web && buildWeb(), artifacts && !isProduction && buildEngines(artifacts)])
      if (!isProduction) return
      await prunePackages()
      await trimPackages()
    })
  } catch (error) {
    console.error(`\nSet-up failed: ${error.message}`)
    process.exit(1)
  }
}

async function buildEngines(artifacts) {
  // One after the other: they write one index.
  const build = async () => {
    for (const engine of ['flying-squid', 'serenity'])
      await run(node24, [`engines/${engine}/src/build.ts`, '--out', artifacts])
  }
  await (existsSync(join(artifacts, 'index.json')) ? build() : step('packing the engines of the demo', build))
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
