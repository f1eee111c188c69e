/**
 * One PostgreSQL for the whole run, started when the first test asks for a database. Tests run in other processes, so
 * they ask over a unix socket: `POST /` answers with the address of a fresh clone of the migrated template.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../apps/standalone/src/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databases: string
  }
}

const template = 'template_migrated'

/** Called by vitest before the first test; what it returns is called after the last one. */
export default function setup(project: TestProject) {
  const dir = mkdtempSync(join(tmpdir(), 'ws-test-'))
  let cluster: ReturnType<typeof startCluster> | undefined
  const server = createServer((_request, response) => {
    cluster ??= startCluster(dir)
    cluster
      .then(({ clone }) => clone())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  const socket = join(dir, 'databases.sock')
  server.listen(socket)
  project.provide('databases', socket)
  return async () => {
    server.close()
    server.closeAllConnections()
    await cluster?.then(
      ({ stop }) => stop(),
      () => {},
    )
    rmSync(dir, { recursive: true, force: true })
  }
}

async function startCluster(dir: string) {
  const { migrate } = await import('../../apps/server/src/db/migrate.ts') // late: most runs of one test need none
  const password = randomBytes(16).toString('hex')
  const logFile = join(dir, 'postgres.log')
  const postgres = await startPostgres({ home: join(dir, 'pg'), password, logFile, throwaway: true })
  const admin = new pg.Client(postgres.url('postgres'))
  const stop = () => admin.end().then(postgres.stop)
  try {
    await admin.connect()
    await admin.query(`CREATE DATABASE ${template}`)
    await migrate(postgres.url(template))
  } catch (error) {
    await stop()
    throw error
  }
  let made = 0
  // One after the other: a template that is being copied cannot be copied a second time at once.
  let queue: Promise<unknown> = Promise.resolve()
  const clone = () => {
    const name = `test_${++made}`
    const done = queue.then(() => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
    queue = done.catch(() => {})
    return done.then(() => postgres.url(name))
  }
  return { clone, stop }
}
