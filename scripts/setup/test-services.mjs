// Brings a PowerDNS with SQLite, `dig`, and Pebble, a certificate authority, for the tests of names and of TLS: unpacked
// beside the checkout from this system's own packages, since an installed name server would start, and listen for all the
// world.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, run, step } from './run.mjs'

const folder = join(cacheDir, 'test-services')
const packages = ['pdns-server', 'pdns-backend-sqlite3', 'bind9-dnsutils', 'pebble']

/** Never throws: the tests that want it say that it is missing. */
export async function installTestServices() {
  if (['usr/sbin/pdns_server', 'usr/bin/pebble'].every((path) => existsSync(join(folder, path)))) return
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return
  try {
    await step('fetching PowerDNS and Pebble (apt)', unpack)
  } catch (error) {
    console.error(String(error.message))
    console.error('! PowerDNS and Pebble could not be fetched: the tests of names of servers, and of TLS, fail.')
  }
}

async function unpack() {
  const draft = `${folder}.new`
  const archives = join(draft, 'archives')
  rmSync(draft, { recursive: true, force: true })
  for (const name of ['archives/partial', 'lists/partial', 'unpacked'])
    mkdirSync(join(draft, name), { recursive: true })
  // What the system has already is not fetched again; nothing of the system is written.
  const config = join(draft, 'apt.conf')
  writeFileSync(
    config,
    [
      `Dir::Cache::archives "${archives}";`,
      `Dir::State::lists "${join(draft, 'lists')}";`,
      'Debug::NoLocking "1";',
      'APT::Sandbox::User "root";',
      'Acquire::Languages "none";',
      'Acquire::Retries "3";',
    ].join('\n'),
  )
  const options = { cwd: draft, env: { ...process.env, APT_CONFIG: config } }
  await run('apt-get', ['update', '-q'], options)
  await run('apt-get', ['install', '-q', '-y', '--download-only', '--no-install-recommends', ...packages], options)
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
    await run('dpkg', ['-x', join(archives, name), join(draft, 'unpacked')], options)
  rmSync(folder, { recursive: true, force: true })
  renameSync(join(draft, 'unpacked'), folder)
  rmSync(draft, { recursive: true, force: true })
}
