/** A panel of fifty servers is brought over while the import is killed again and again, and taken back in the same way. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { startTestApi, type TestApi } from '../support/api.ts'
import { addSchedule, addServer, dumpOf, knownHash, makePanel } from '../support/imports/panel-dump.ts'
import { countEverything, openImports } from '../support/imports/run-import.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { startTestWorker } from '../support/servers.ts'

const random = createRandom(seedOf('IMPORT_SEED'))
const servers = 50
const users = 30
/** The program is up after about two seconds, and brings some hundred things in a second. */
const killMoment = () => 1500 + random.below(2500)
const mostKills = 40

let upstreams: Upstreams
let api: TestApi
let imports: ReturnType<typeof openImports>
let dump: string
beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  imports = openImports(api, upstreams.settings)
  const panel = makePanel({ users, password: knownHash })
  for (let number = 1; number <= servers; number++) {
    addServer(panel, {
      owner: 1 + random.below(users),
      egg: random.pick(['Paper', 'Vanilla Minecraft', 'Purpur', 'Velocity'] as const),
      memory: random.pick([512, 2048, 4096, 8192]),
      disk: random.pick([1024, 10_240, 50_000]),
      cpu: random.pick([0, 100, 400]),
      suspended: random.chance(0.1),
    })
    if (random.chance(0.5)) addSchedule(panel, number, [['command', 'say hello', 0]])
    const guest = 1 + random.below(users)
    panel.tables.subusers.push({ id: number, user_id: guest, server_id: number, permissions: '["websocket.connect"]' })
  }
  dump = imports.save('panel.sql', dumpOf(panel))
}, 120_000)
afterAll(async () => {
  imports?.close()
  await api?.close()
  await upstreams?.close()
})

/** Runs until it has come to its end, killed at any moment before. @returns how often it was killed, and the last run */
async function runKilled(args: string[]) {
  for (let kills = 0; ; kills++) {
    const run = await imports.run(args, kills < mostKills ? { killAfter: killMoment() } : {})
    if (run.code !== null) return { kills, run }
  }
}

test('however often it is killed, each thing comes once', { timeout: 600_000 }, async () => {
  const { kills, run } = await runKilled(['pterodactyl', '--dump', dump])
  expect([run.code, kills > 0], run.errors).toEqual([0, true])
  const { db } = api.context
  const made = await db.selectFrom('servers').select(['id', 'name', 'want_running']).execute()
  expect(made.length).toBe(servers)
  expect(new Set(made.map(({ name }) => name)).size).toBe(servers)
  expect(made.every(({ want_running }) => !want_running)).toBe(true)
  const people = await db.selectFrom('users').select('id').where('email', 'like', 'player%').execute()
  expect(people.length).toBe(users)
  expect((await db.selectFrom('imports').select(['state']).execute()).map(({ state }) => state)).toEqual(['done'])
  expect(await findLedgerFaults(api.context.database.pool)).toEqual({})

  const before = await countEverything(api)
  const again = await imports.run(['pterodactyl', '--dump', dump])
  expect([again.code, again.report?.totals.server]).toEqual([0, { unchanged: servers }])
  expect(await countEverything(api)).toEqual(before)
})

test('taken back in the same way, nothing of it is left', { timeout: 600_000 }, async () => {
  const { db } = api.context
  const { id } = await db.selectFrom('imports').select('id').executeTakeFirstOrThrow()
  const worker = await startTestWorker(api, { operations: false })
  try {
    const { run } = await runKilled(['--undo', id])
    expect(run.code, run.errors).toBe(0)
    // Servers that the worker had prepared by then were never started, so all of them are gone.
    expect(run.out).not.toContain('stays')
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
  expect(await db.selectFrom('servers').select('id').where('deleted_at', 'is', null).execute()).toEqual([])
  expect(await db.selectFrom('services').select('id').where('ended_at', 'is', null).execute()).toEqual([])
  const left = await db.selectFrom('users').select('id').where('email', 'like', 'player%').execute()
  expect(left).toEqual([])
  const states = await db.selectFrom('import_items').select('state').distinct().execute()
  expect(states).toEqual([{ state: 'undone' }])
})
