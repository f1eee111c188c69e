// Brings restic, which makes backups, where the system has none or one that is too old: from the next release of Debian,
// beside the checkout. For the long tests also a rest-server, which this release does not have.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fetchProgram } from './next-release.mjs'
import { cacheDir } from './run.mjs'

const program = join(cacheDir, 'restic/restic')
const restServer = join(cacheDir, 'rest-server/rest-server')

/** Never throws: without restic everything works but backups, and that is told. */
export async function installRestic() {
  if (process.env.RESTIC_PATH || isNewEnough('restic') || isNewEnough(program)) return
  try {
    await fetchProgram(program, { packageName: 'restic', file: 'usr/bin/restic' })
    if (!isNewEnough(program)) throw new Error('the restic of that release is too old')
  } catch (error) {
    console.error(String(error.message))
    console.error('! restic 0.17 or newer is missing and could not be fetched: without it no backups are made.')
    console.error('  Install it, and name it in RESTIC_PATH unless it is on the PATH.')
  }
}

/** Never throws: the test that wants it says that it is missing. */
export async function installRestServer() {
  if (existsSync(restServer)) return
  const wanted = { packageName: 'restic-rest-server', file: 'usr/bin/restic-rest-server' }
  await fetchProgram(restServer, wanted).catch((error) => console.error(String(error.message)))
}

function isNewEnough(path) {
  const { stdout = '' } = spawnSync(path, ['version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = /^restic (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) > 0 || Number(minor) >= 17
}
