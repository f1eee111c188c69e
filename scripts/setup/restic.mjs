// Brings restic, which makes backups, where the system has none or one that is too old: from the next release of Debian,
// fetched and checked by apt with a configuration of its own, and unpacked beside the checkout. Nothing is installed. For
// the long tests also a rest-server, which this release does not have.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, run, step } from './run.mjs'

const program = join(cacheDir, 'restic/restic')
const restServer = join(cacheDir, 'rest-server/rest-server')
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
const release = 'trixie'

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

async function fetchProgram(target, wanted) {
  if (!existsSync(keys)) throw new Error('this system does not know the keys of Debian')
  await step(`fetching ${wanted.packageName} (apt, Debian ${release})`, () => fetchFrom(target, wanted))
}

async function fetchFrom(target, { packageName, file }) {
  const apt = join(target, '../apt')
  rmSync(apt, { recursive: true, force: true })
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(apt, name), { recursive: true })
  writeFileSync(join(apt, 'status'), '')
  writeFileSync(join(apt, 'sources.list'), `deb [signed-by=${keys}] http://deb.debian.org/debian ${release} main\n`)
  const config = join(apt, 'apt.conf')
  writeFileSync(
    config,
    [
      `Dir::State "${apt}/state";`,
      `Dir::State::status "${apt}/status";`,
      `Dir::Cache "${apt}/cache";`,
      `Dir::Etc::sourcelist "${apt}/sources.list";`,
      'Dir::Etc::sourceparts "/dev/null";',
      'Dir::Etc::preferences "/dev/null";',
      'Dir::Etc::preferencesparts "/dev/null";',
      'APT::Sandbox::User "root";',
      'Acquire::Languages "none";',
      'Acquire::Retries "3";',
    ].join('\n'),
  )
  const options = { cwd: apt, env: { ...process.env, APT_CONFIG: config } }
  try {
    await run('apt-get', ['update', '-q'], options)
    await run('apt-get', ['download', '-q', packageName], options)
    await run('/bin/sh', ['-c', 'dpkg -x *.deb unpacked'], options)
    renameSync(join(apt, 'unpacked', file), target)
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}
