import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Postgres, startPostgres } from './postgres.ts'
import { isLong } from '../../../tests/support/long.ts'

let dir: string
let running: Postgres | undefined

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ws-pg-'))
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  rmSync(dir, { recursive: true, force: true })
})

const start = async () =>
  (running = await startPostgres({ home: join(dir, 'pg'), password: 'not-much', logFile: join(dir, 'log') }))

async function query(postgres: Postgres, sql: string) {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('keeps what was written over a stop and a start', async () => {
  const first = await start()
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.stop()
  const second = await start()
  expect(second.adopted).toBe(false)
  expect(await query(second, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  expect(await query(second, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
})

test.runIf(isLong)('takes over the server that already runs', async () => {
  const first = await start()
  const second = await start()
  expect(second.adopted).toBe(true)
  expect(second.pid).toBe(first.pid)
})

test('tells of a kill, and starts again with every acknowledged row', async () => {
  const first = await start()
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS n')
  process.kill(first.pid, 'SIGKILL')
  await first.lost
  const second = await start()
  expect(second.pid).not.toBe(first.pid)
  expect(await query(second, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
})

test.runIf(isLong)('asks for the password', async () => {
  const postgres = await start()
  const client = new pg.Client(postgres.url('postgres').replace('not-much', 'wrong'))
  await expect(client.connect()).rejects.toThrow('password authentication failed')
})
