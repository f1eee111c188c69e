/**
 * One PostgreSQL for the whole run: `POST /` answers with the address of a fresh clone of the migrated template,
 * `DELETE /{name}` drops one in the background.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../apps/standalone/src/postgres.ts'

const template = 'template_migrated'
/** What the clones of a run need at most, with their log. */
const bytesNeeded = 2 * 1024 ** 3

/** @param socketPath where it is asked for clones. */
export async function openDatabases(socketPath: string) {
  let cluster: ReturnType<typeof startCluster> | undefined
  const clone = async () => (await (cluster ??= startCluster())).clone()
  const server = createServer(({ method, url: path = '' }, response) => {
    const asked = method === 'DELETE' ? cluster?.then(({ drop }) => drop(path.slice(1))) : clone()
    Promise.resolve(asked).then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return {
    socketPath,
    clone,
    async close() {
      server.close()
      server.closeAllConnections()
      await cluster?.then(
        ({ stop }) => stop(),
        () => {},
      )
    },
  }
}

async function startCluster() {
  // Late: most runs of one test need none.
  const { migrate } = await import('../../apps/server/src/db/migrate.ts')
  const { makeQueues } = await import('./queues.ts')
  const dir = mkdtempSync(join(inMemory() ?? tmpdir(), 'ws-test-pg-'))
  const password = randomBytes(16).toString('hex')
  const postgres = await startPostgres({
    home: join(dir, 'pg'),
    password,
    logFile: join(dir, 'postgres.log'),
    throwaway: true,
  })
  const admin = new pg.Client(postgres.url('postgres'))
  const cleaner = new pg.Client(postgres.url('postgres'))
  const stop = async () => {
    await Promise.all([admin.end(), cleaner.end()])
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await admin.connect()
    await cleaner.connect()
    await admin.query(`CREATE DATABASE ${template}`)
    await migrate(postgres.url(template))
    await makeQueues(postgres.url(template))
  } catch (error) {
    await stop()
    throw error
  }
  let made = 0
  // One after the other: a template that is being copied cannot be copied a second time at once.
  let queue: Promise<unknown> = Promise.resolve()
  let dropping: Promise<unknown> = Promise.resolve()
  return {
    stop,
    async clone() {
      const name = `test_${++made}`
      const done = queue.then(() => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
      queue = done.catch(() => {})
      await done
      return postgres.url(name)
    },
    /** After a second: connections that are still closing would report being cut off. */
    drop(name: string): void {
      const later = setTimeout(() => {
        dropping = dropping.then(() => cleaner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)).catch(() => {})
      }, 1_000)
      later.unref()
    },
  }
}

/** Where files never reach a disk, if there is room: a clone is nine hundred of them, and costs a tenth of it there. */
function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > bytesNeeded ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}
