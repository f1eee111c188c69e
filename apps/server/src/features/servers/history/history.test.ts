import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HistorySpan } from '@wakestone/contract/servers/history'
import * as routes from '@wakestone/contract/servers/history-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import type { ServerStats } from '@wakestone/protocol/supervisor'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, prepareArtifacts, topUp } from '../../../../../../tests/support/servers.ts'
import { clearHistory, createRecorder } from './service.ts'

let api: TestApi
let owner: Caller
let id: string
const now = Date.now()
const minute = 60_000
const hour = 60 * minute

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  const { engineVersion } = await prepareArtifacts(api)
  const body = order(await topUp(api.context, owner, 5000), engineVersion)
  id = (await owner.call(createServer, { body })).id
}, 60_000)
beforeEach(async () => {
  await sql`truncate server_minutes, server_hours, server_levels`.execute(api.context.db)
})
afterAll(() => api?.close())

const stats = (time: number, more: Partial<ServerStats> = {}): ServerStats => ({
  time,
  cpu: 1,
  cpuLimit: 2,
  memory: 1e9,
  memoryLimit: 2e9,
  disk: 0,
  diskLimit: 1e10,
  networkIn: 10,
  networkOut: 20,
  players: 1,
  playersMax: 20,
  tickMs: null,
  tps: null,
  ...more,
})
/** Has a worker of its own note these, each at its time. */
async function record(samples: { at: number; stats: ServerStats | null; phase?: 'running' | 'frozen' | 'stopped' }[]) {
  let time = 0
  const recorder = createRecorder(api.context, { clock: () => time })
  for (const { at, stats: told, phase = 'running' } of samples) {
    time = at
    recorder.note(id, { phase, stats: told, diskBytes: 5e8 })
  }
  await recorder.close()
}
const history = (span: HistorySpan) => owner.call(routes.getStatsHistory, { params: { id }, query: { span } })
const rows = async (table: 'server_minutes' | 'server_hours') =>
  api.context.db.selectFrom(table).selectAll().orderBy('at').execute()
/** The beginning of a minute, so many minutes ago. */
const minutesAgo = (minutes: number) => Math.floor(now / minute) * minute - minutes * minute

test('a minute is told by its mean and its most, an hour by all of its minutes', async () => {
  const at = minutesAgo(10)
  await record([
    { at, stats: stats(1, { cpu: 1, tps: 20 }) },
    { at: at + 5_000, stats: stats(1, { cpu: 1 }) }, // the same one, told again
    { at: at + 10_000, stats: stats(2, { cpu: 3, tps: 10 }) },
    { at: at + minute, stats: stats(3, { cpu: 8 }) },
  ])
  const { points, step_seconds } = await history('hour')
  expect(step_seconds).toBe(60)
  expect(points).toMatchObject([
    { at: new Date(at).toISOString(), cpu: 2, cpu_most: 3, tps: 15, tps_least: 10, disk: 5e8, heap: null },
    { at: new Date(at + minute).toISOString(), cpu: 8, cpu_most: 8, tps: null },
  ])
  // Both minutes may lie in one hour, or in two.
  const hours = await rows('server_hours')
  const sum = hours.reduce((total, row) => total + row.samples * row.cpu!, 0)
  expect(sum).toBeCloseTo(1 + 3 + 8, 4)
  expect(Math.max(...hours.map((row) => row.cpu_most!))).toBe(8)
})

test('what two workers have seen of one minute is one minute, each as heavy as it has measured', async () => {
  const at = minutesAgo(5)
  await record([1, 2, 3].map((time) => ({ at: at + time, stats: stats(time, { cpu: 2, heapUsed: 7 }) })))
  await record([{ at: at + 4, stats: stats(4, { cpu: 6, players: 9, tps: 5 }) }])
  expect(await rows('server_minutes')).toMatchObject([
    { samples: 4, cpu: 3, cpu_most: 6, players: 3, players_most: 9, heap: 7, tps: 5, tps_least: 5 },
  ])
  expect((await history('month')).points).toMatchObject([{ cpu: 3, cpu_most: 6, heap: 7 }])
})

test('nothing is written of one that is frozen or down, or whose supervisor does not measure', async () => {
  await record([
    { at: minutesAgo(3), stats: stats(1), phase: 'frozen' },
    { at: minutesAgo(2), stats: stats(2), phase: 'stopped' },
    { at: minutesAgo(1), stats: null },
  ])
  expect(await rows('server_minutes')).toEqual([])
  expect((await history('day')).points).toEqual([])
})

test('the largest and the smallest that a supervisor may say can be written', async () => {
  await record([{ at: minutesAgo(1), stats: stats(1, { memory: 1e15, networkIn: 1e-300 }) }])
  const { points } = await history('hour')
  expect(points).toMatchObject([{ network_in: 0 }])
  expect(points[0]!.memory_most! / 1e15).toBeCloseTo(1, 5)
})

test('tells when it slept, however deep, from the beginning of the span until now', async () => {
  const level = (name: string, at: number) =>
    api.context.db
      .insertInto('server_levels')
      .values({ server_id: id, level: name, since: new Date(at) })
      .execute()
  await level('LIGHT_SLEEP', now - 30 * hour)
  await level('IDLE', now - 20 * hour)
  await level('LIGHT_SLEEP', now - 10 * hour)
  await level('DEEP_SLEEP', now - 9 * hour)
  await level('HIBERNATED', now - 8 * hour)
  await level('RUNNING', now - 7 * hour)
  await level('LIGHT_SLEEP', now - 6 * hour)
  await level('RUNNING', now - 6 * hour + 10_000)
  await level('LIGHT_SLEEP', now - hour)
  const day = await history('day')
  const iso = (time: number) => new Date(time).toISOString()
  expect(day.sleeps).toEqual([
    { from: day.from, to: iso(now - 20 * hour) },
    { from: iso(now - 10 * hour), to: iso(now - 7 * hour) },
    { from: iso(now - hour), to: day.to },
  ])
  // Ten seconds are too short to be drawn, and are counted.
  const drawn = day.sleeps.reduce((sum, { from, to }) => sum + (Date.parse(to) - Date.parse(from)) / 1000, 0)
  expect(day.slept_seconds).toBeCloseTo(drawn + 10, -1)
  expect((await history('year')).sleeps).toMatchObject([{ from: iso(now - 30 * hour), to: iso(now - 20 * hour) }, {}])
})

test('marks when the game came up and ended, and who came and went within a day', async () => {
  const tell = (action: 'GAME_STARTED' | 'GAME_CRASHED') =>
    inTransaction(api.context.db, (trx) => recordServerEvent(trx, id, { action, data: {} }))
  await tell('GAME_STARTED')
  await tell('GAME_CRASHED')
  await api.context.db
    .insertInto('player_sessions')
    .values({
      server_id: id,
      name: 'Steve',
      joined_at: new Date(now - 3 * hour),
      left_at: new Date(now - 2 * hour),
    })
    .execute()
  const told = async (span: HistorySpan) => (await history(span)).marks.map(({ kind, player }) => player ?? kind)
  expect(await told('day')).toEqual(['Steve', 'Steve', 'start', 'crash'])
  expect(await told('hour')).toEqual(['start', 'crash'])
  expect(await told('week')).toEqual(['start', 'crash'])
})

test('minutes are kept for a day, hours for a year', async () => {
  const times = [0, 24 * hour, 26 * hour, 399 * 24 * hour, 402 * 24 * hour]
  for (const ago of times) await record([{ at: now - ago, stats: stats(1) }])
  await clearHistory(api.context, now)
  expect(await rows('server_minutes')).toHaveLength(2)
  expect((await rows('server_hours')).length).toBe(4)
})

test('tells how many played in each of the last hours, for a list of servers', async () => {
  await record([
    { at: now - 3 * hour, stats: stats(1, { players: 4 }) },
    { at: now, stats: stats(2, { players: 7 }) },
  ])
  const list = (by: Caller) => by.call(routes.listPlayersOfDay, { params: { id: owner.user.id } })
  const [one] = await list(owner)
  expect(one).toMatchObject({ server_id: id })
  expect(one!.players.filter((players) => players !== null)).toEqual([4, 7])
  expect(one!.players.at(-1)).toBe(7)
  expect(await outcomeOf(list(await api.signUp()))).toBe('user_not_found')
})

test('is nobody else’s business', async () => {
  const stranger = await api.signUp()
  const asked = stranger.call(routes.getStatsHistory, { params: { id }, query: { span: 'day' } })
  expect(await outcomeOf(asked)).toBe('server_id_not_found')
})
