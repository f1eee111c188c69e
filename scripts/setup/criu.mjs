// Brings a CRIU that works on today's kernels, for the tests of checkpoints: unpacked beside the checkout from Debian's
// development release with the libraries that it needs, its C library among them, and run with those alone. Nothing of the
// system is changed.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, run, step } from './run.mjs'

const folder = join(cacheDir, 'criu')
/** Found on PATH where nothing of this is there, or the system has one. */
export const criuProgram = join(folder, 'criu')
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Never throws: the tests that want it say that it is missing. */
export async function installCriu() {
  if (existsSync(criuProgram) || process.getuid?.() !== 0 || !existsSync(keys)) return
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return
  try {
    await step('fetching CRIU (apt, Debian sid)', unpack)
  } catch (error) {
    console.error(String(error.message))
    console.error('! CRIU could not be fetched: the tests of checkpoints are skipped.')
  }
}

async function unpack() {
  const draft = `${folder}.new`
  const archives = join(draft, 'archives')
  rmSync(draft, { recursive: true, force: true })
  for (const name of ['archives/partial', 'state/lists/partial', 'unpacked'])
    mkdirSync(join(draft, name), { recursive: true })
  writeFileSync(join(draft, 'status'), '') // as if nothing were installed: all that it needs comes along
  writeFileSync(join(draft, 'sources.list'), `deb [signed-by=${keys}] http://deb.debian.org/debian sid main\n`)
  const config = join(draft, 'apt.conf')
  writeFileSync(
    config,
    [
      `Dir::State "${join(draft, 'state')}";`,
      `Dir::State::status "${join(draft, 'status')}";`,
      `Dir::Cache::archives "${archives}";`,
      `Dir::Etc::sourcelist "${join(draft, 'sources.list')}";`,
      'Dir::Etc::sourceparts "/dev/null";',
      'Dir::Etc::preferences "/dev/null";',
      'Dir::Etc::preferencesparts "/dev/null";',
      'Debug::NoLocking "1";',
      'APT::Sandbox::User "root";',
      'Acquire::Languages "none";',
      'Acquire::Retries "3";',
    ].join('\n'),
  )
  const options = { cwd: draft, env: { ...process.env, APT_CONFIG: config } }
  await run('apt-get', ['update', '-q'], options)
  await run('apt-get', ['install', '-q', '-y', '--download-only', '--no-install-recommends', 'criu'], options)
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    await run('dpkg', ['-x', join(archives, name), join(draft, 'unpacked')], options)
  writeFileSync(join(draft, 'unpacked/criu'), starter)
  chmodSync(join(draft, 'unpacked/criu'), 0o755)
  rmSync(folder, { recursive: true, force: true })
  renameSync(join(draft, 'unpacked'), folder)
  rmSync(draft, { recursive: true, force: true })
}

/** With the libraries that came along, by the loader that came along. */
const starter = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
set -- "$here/usr/sbin/criu" "$@"
for loader in "$here"/usr/lib/*-linux-gnu/ld-linux-*.so.*; do
  exec "$loader" --library-path "$(dirname "$loader")" "$@"
done
`
