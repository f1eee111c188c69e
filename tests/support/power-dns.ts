/** A real PowerDNS on loopback with a database of its own, and `dig` to ask it. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { vi } from 'vitest'

const unpacked = join(import.meta.dirname, '../../.cache/test-services')
const run = promisify(execFile)
const KEY = 'key-of-the-tests'

/** As set-up has unpacked it, or the system's. */
function findPrograms() {
  const isUnpacked = existsSync(join(unpacked, 'usr/sbin/pdns_server'))
  const root = isUnpacked ? unpacked : '/'
  const libraries = join(root, 'usr/lib')
  const multiarch = readdirSync(libraries).find((name) => existsSync(join(libraries, name, 'pdns'))) ?? ''
  const server = join(root, 'usr/sbin/pdns_server')
  if (!existsSync(server)) throw new Error('there is no PowerDNS; `npm test` fetches one where apt can')
  return {
    server,
    dig: join(root, 'usr/bin/dig'),
    modules: join(libraries, multiarch, 'pdns'),
    schema: join(root, 'usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql'),
    env: isUnpacked ? { LD_LIBRARY_PATH: join(libraries, multiarch) } : {},
  }
}

export type TestPowerDns = Awaited<ReturnType<typeof startPowerDns>>

/** @param zones made at once; others can be made by its API */
export async function startPowerDns({ zones = [] }: { zones?: string[] } = {}) {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'ws-pdns-'))
  const database = join(folder, 'pdns.sqlite3')
  const sqlite = new DatabaseSync(database)
  sqlite.exec(readFileSync(programs.schema, 'utf8'))
  sqlite.close()
  const [port, apiPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${apiPort}`
  let child = launch()

  function launch() {
    const options = {
      'config-dir': folder,
      'socket-dir': folder,
      'module-dir': programs.modules,
      launch: 'gsqlite3',
      'gsqlite3-database': database,
      'local-address': '127.0.0.1',
      'local-port': port,
      api: 'yes',
      'api-key': KEY,
      webserver: 'yes',
      'webserver-address': '127.0.0.1',
      'webserver-port': apiPort,
      'webserver-allow-from': '127.0.0.1/32',
      'receiver-threads': 1,
      'distributor-threads': 1,
      'cache-ttl': 0,
      'query-cache-ttl': 0,
      'negquery-cache-ttl': 0,
      'zone-cache-refresh-interval': 0,
      guardian: 'no',
      daemon: 'no',
      'security-poll-suffix': '',
      loglevel: 3,
    }
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    return spawn(programs.server, args, { env: { ...process.env, ...programs.env }, stdio: 'ignore' })
  }

  /** Its database is one file: while a server under test writes there, another change is refused. */
  async function api(method: string, path: string, body?: object, tries = 5): Promise<unknown> {
    const response = await fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 500 && tries > 1) {
      await delay(200)
      return api(method, path, body, tries - 1)
    }
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  const untilUp = () =>
    vi.waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(`PowerDNS ended with ${child.exitCode}`)
        await api('GET', '')
      },
      { timeout: 10_000, interval: 50 },
    )
  const makeZone = (zone: string) =>
    api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers: [`ns1.${zone}.`] })

  await untilUp()
  for (const zone of zones) await makeZone(zone)

  return {
    url,
    port,
    settings: { PDNS_URL: url, PDNS_API_KEY: KEY },
    api,
    makeZone,
    /** Sets all records of a name and a type; none: there are none. */
    set(zone: string, name: string, type: string, contents: string[]) {
      const set = { name: `${name}.`, type, ttl: 60 }
      const records = contents.map((content) => ({ content, disabled: false }))
      const change = contents.length === 0 ? { changetype: 'DELETE' } : { changetype: 'REPLACE', records }
      return api('PATCH', `/zones/${zone}.`, { rrsets: [{ ...set, ...change }] })
    },
    /** What `dig` is told, a line for each record: `TTL TYPE CONTENT`. */
    async dig(name: string, type: string): Promise<string[]> {
      const question = ['@127.0.0.1', '-p', String(port), '+noall', '+answer', '+norecurse', '+tries=1', '+time=2']
      const { stdout } = await run(programs.dig, [...question, name, type], {
        env: { ...process.env, ...programs.env },
      })
      return stdout
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith(';'))
        .map((line) => line.split(/\s+/))
        .map(([, ttl, , kind, ...content]) => `${ttl} ${kind} ${content.join(' ')}`)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async start() {
      child = launch()
      await untilUp()
    },
    async close() {
      await this.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
