// Programs of Debian's next release, for systems that do not have them: fetched and checked by apt with a configuration of
// its own, and laid beside the checkout. Nothing is installed.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, step } from './run.mjs'

const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
const release = 'trixie'

export async function fetchProgram(target, wanted) {
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
