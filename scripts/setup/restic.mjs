// Brings restic, which makes backups, where the system has none or one that is too old: from the next release of Debian,
// fetched and checked by apt with a configuration of its own, and unpacked beside the checkout. Nothing is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, run, step } from './run.mjs'

const folder = join(cacheDir, 'restic')
const program = join(folder, 'restic')
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
const release = 'trixie'

/** Never throws: without restic everything works but backups, and that is told. */
export async function installRestic() {
  if (process.env.RESTIC_PATH || isNewEnough('restic') || isNewEnough(program)) return
  try {
    if (!existsSync(keys)) throw new Error('this system does not know the keys of Debian')
    await step(`fetching restic (apt, Debian ${release})`, fetchRestic)
  } catch (error) {
    console.error(String(error.message))
    console.error('! restic 0.17 or newer is missing and could not be fetched: without it no backups are made.')
    console.error('  Install it, and name it in RESTIC_PATH unless it is on the PATH.')
  }
}

function isNewEnough(path) {
  const { stdout = '' } = spawnSync(path, ['version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = /^restic (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) > 0 || Number(minor) >= 17
}

async function fetchRestic() {
  const apt = join(folder, 'apt')
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
    await run('apt-get', ['download', '-q', 'restic'], options)
    await run('/bin/sh', ['-c', 'dpkg -x restic_*.deb unpacked'], options)
    if (!isNewEnough(join(apt, 'unpacked/usr/bin/restic'))) throw new Error('the restic of that release is too old')
    renameSync(join(apt, 'unpacked/usr/bin/restic'), program)
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}
