/** When players came and went, out of what supervisors tell: kept for a time, and gone once somebody is forgotten. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getPlayerHistory } from '@wakestone/contract/servers/players-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import type { SupervisorEvent } from '@wakestone/protocol/supervisor'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { takeIn } from '#src/features/servers/placement/take-in.ts'
import * as repo from './repo.ts'
import { notePlayersLost } from './service.ts'

let api: TestApi
let owner: Caller
let id: string
let seq: number
const hour = 3_600_000
const steve = '069a79f4-44e9-4726-a5be-fca90e38aaf5'

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  const body = order(await topUp(api.context, owner, 5000), '1.21.4')
  id = (await owner.call(createServer, { body })).id
  seq = 0
}, 60_000)
beforeEach(() => api.context.database.pool.query('truncate player_sessions, timed_bans'))
afterAll(() => api?.close())

type Told = Pick<Extract<SupervisorEvent, { type: 'player_joined' }>, 'name' | 'id'> & { ago?: number }
const take = (type: 'player_joined' | 'player_left', { ago = 0, ...who }: Told) =>
  takeIn(api.context, id, { seq: ++seq, at: new Date(Date.now() - ago).toISOString(), type, ...who }, { isOld: false })
const rows = () => repo.selectSessions(api.context.db, id, { most: 100 })
const spend = (name: string, from: number, to: number | null, server = id) =>
  api.context.db
    .insertInto('player_sessions')
    .values({
      server_id: server,
      name,
      joined_at: new Date(Date.now() - from),
      left_at: to === null ? null : new Date(Date.now() - to),
    })
    .execute()

test('a join begins a session, a leave ends it; told twice it is one', async () => {
  await take('player_joined', { name: 'Steve', id: steve })
  await take('player_joined', { name: 'Steve' })
  await take('player_joined', { name: 'Alex' })
  await take('player_left', { name: 'Steve' })
  await take('player_left', { name: 'Nobody' })
  expect((await rows()).map(({ name, left_at }) => [name, left_at === null])).toEqual([
    ['Alex', true],
    ['Steve', false],
  ])
  expect(await repo.selectNamesOf(api.context.db, id, steve)).toEqual(['Steve'])
  await inTransaction(api.context.db, (trx) => notePlayersLost(trx, id))
  expect((await rows()).every(({ left_at }) => left_at !== null)).toBe(true)
})

test('history counts joins and people of each hour and day, in the zone that is asked for', async () => {
  await spend('Steve', 3 * hour, hour)
  await spend('steve', hour / 100, null)
  await spend('Alex', 40 * 24 * hour, 39 * 24 * hour)
  const history = (query: { span: 'day' | 'month'; time_zone?: string }) =>
    owner.call(getPlayerHistory, { params: { id }, query })
  const day = await history({ span: 'day' })
  expect(day.points).toHaveLength(24)
  expect(day.points.reduce((sum, { joins }) => sum + joins, 0)).toBe(2)
  expect(day.points.at(-1)!.players).toBe(1)
  expect(day.points.filter(({ players }) => players > 0).length).toBeGreaterThanOrEqual(3)
  const month = await history({ span: 'month', time_zone: 'Pacific/Auckland' })
  expect(month.points).toHaveLength(30)
  const midnight = new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Auckland', hour: 'numeric', hourCycle: 'h23' })
  expect(month.points.every(({ at }) => Number(midnight.format(new Date(at))) === 0)).toBe(true)
  expect(await outcomeOf(history({ span: 'day', time_zone: 'Nowhere/At_all' }))).toBe('invalid_request')
  const [visitor] = await repo.selectVisitors(api.context.db, id, 10)
  expect(visitor!.seconds).toBeGreaterThan(7_200)
})

test('old sessions go, those that are open stay', async () => {
  await spend('Steve', 200 * 24 * hour, 199 * 24 * hour)
  await spend('Alex', 200 * 24 * hour, null)
  const before = new Date(Date.now() - 180 * 24 * hour)
  expect(await repo.dropSessionsBefore(api.context.db, before, 100)).toBe(1)
  expect((await rows()).map(({ name }) => name)).toEqual(['Alex'])
})

test('who is forgotten is gone from everything that is kept here, and nothing else is', async () => {
  const { db, database } = api.context
  await spend('Steve', hour, 0)
  await spend('Alex', hour, 0)
  const door = { whitelist: ['steve', 'alex'], banned: ['steve'], bannedAddresses: [] }
  await database.pool.query('insert into server_doors (server_id, door) values ($1, $2)', [id, JSON.stringify(door)])
  await database.pool.query(`update servers set player_names = '{Steve,Alex}' where id = $1`, [id])
  await repo.writeTimedBan(db, { serverId: id, kind: 'player', target: 'Steve', until: new Date() })
  await inTransaction(db, async (trx) => {
    for (const player of ['Steve', 'Alex'])
      await recordServerEvent(trx, id, { action: 'SERVER_PLAYER_BAN', data: { executor: owner.user.id, player } })
    await repo.deletePlayer(trx, id, { names: ['steve'], id: null })
  })
  const { rows: left } = await database.pool.query<{ text: string }>(
    `select to_jsonb(t)::text as text from player_sessions t where server_id = $1
     union all select door::text from server_doors where server_id = $1
     union all select player_names::text from servers where id = $1
     union all select target from timed_bans where server_id = $1
     union all select data::text from audit_events where resource_id = $1`,
    [id],
  )
  const all = left.map(({ text }) => text).join('\n')
  expect(all).not.toMatch(/steve/i)
  expect(all.match(/alex/gi)!.length).toBeGreaterThanOrEqual(4)
  // Nothing else about an event can be changed.
  const forge = database.pool.query(`update audit_events set data = '{}' where resource_id = $1`, [id])
  await expect(forge).rejects.toThrow(/append-only/)
})

test('all go with the server’s files', async () => {
  await spend('Steve', hour, 0)
  await repo.writeTimedBan(api.context.db, { serverId: id, kind: 'player', target: 'Steve', until: new Date() })
  const taken = await inTransaction(api.context.db, (trx) => repo.takeDueBans(trx, 10))
  expect(taken).toMatchObject([{ server_id: id, kind: 'player', target: 'steve' }])
  await api.context.database.pool.query('update servers set files_deleted_at = now() where id = $1', [id])
  expect(await rows()).toEqual([])
  expect(await repo.selectTimedBans(api.context.db, id)).toEqual([])
})
