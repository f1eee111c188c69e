/**
 * Many people, few places, several processes at once, by a clock of its own: who joined first is served first, no place
 * is lost, and nobody has two.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '@wakestone/kit/settings'
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { createRandom, seedOf } from '../../../../../../tests/support/random.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { type Database, inTransaction, openDatabase, type Transaction } from '#src/db/client.ts'
import { joinQueue, leaveQueue, passPlaces, requirePlace, reservePlace } from './service.ts'

const users = 200
const places = 5
const connections = 6
const settings = readSettings({ FREE_PLACES: `${places}` })
const begin = Date.UTC(2026, 5, 1)

let database: TestDatabase
let pools: Database[]
beforeAll(async () => {
  database = await createTestDatabase()
  const onError = () => undefined
  pools = Array.from({ length: connections }, () => openDatabase({ url: database.url, size: 4, onError }))
})
afterAll(async () => {
  for (const pool of pools) await pool.close()
  await database.drop()
})

type Person = { userId: string; serverId: string | undefined }

/** Every second one has a server already. */
async function settle(): Promise<Person[]> {
  const { rows } = await pools[0]!.pool.query<{ userId: string; serverId: string | null }>(
    `with people as (
      insert into users (username, email, language, country_code, email_verified)
      select 'waiting_' || n, 'waiting_' || n || '@example.test', 'en', 'PL', now() from generate_series(1, $1) n
      returning id, username),
    rented as (
      insert into services (product_id, type, owner_id, wallet_id, cluster_id, billing_period, currency, cost, gross_cost, vat_rate, country_code)
      select 'FREE', 'GAME_SERVER', id, id, 'local', '720h', 'PLN', 0, 0, 0, 'PL' from people where username ~ '[02468]$'
      returning id, owner_id),
    made as (
      insert into servers (service_id, owner_id, cluster_id, name, game, engine, engine_version, language, limits, want_running)
      select id, owner_id, 'local', 'Meadow', 'minecraft-java', 'vanilla', '1.21.4', 'en', '{}', false from rented
      returning id, owner_id)
    select people.id as "userId", made.id as "serverId" from people left join made on made.owner_id = people.id`,
    [users],
  )
  return rows.map(({ userId, serverId }) => ({ userId, serverId: serverId ?? undefined }))
}

class Killed extends Error {}

test('order is kept, no place is lost, and nobody has two', { timeout: 240_000 }, async () => {
  const seed = seedOf('FREE_SEED')
  const random = createRandom(seed)
  const people = await settle()
  const [{ pool }] = pools as [Database]
  let now = begin
  const moment = () => ({ settings, now: new Date(now) })

  /** In one transaction on one of the processes; now and then its process dies before the end. */
  const act = (at: number, work: (trx: Transaction) => Promise<unknown>) => {
    const isKilled = random.chance(0.1)
    return outcomeOf(
      inTransaction(pools[at % connections]!.db, async (trx) => {
        await work(trx)
        if (isKilled) throw new Killed()
      }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      }),
    )
  }
  const rowOf = (serverId: string) => ({ cluster_id: 'local', product_id: 'FREE', id: serverId })
  const start =
    ({ userId, serverId = '' }: Person) =>
    async (trx: Transaction) => {
      await trx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
      await requirePlace(trx, { ...rowOf(serverId), owner_id: userId }, moment())
      const awake = {
        want_running: true,
        level: 'IDLE',
        level_since: new Date(now),
        woken_at: new Date(now),
        phase: 'running',
      }
      await trx.updateTable('servers').set(awake).where('id', '=', serverId).execute()
    }
  const stop =
    ({ serverId = '' }: Person) =>
    (trx: Transaction) =>
      trx
        .updateTable('servers')
        .set({ want_running: false, level: 'TERMINATED', level_since: new Date(now), phase: null })
        .where('id', '=', serverId)
        .execute()
  const confirm = (person: Person) =>
    person.serverId === undefined ? (trx: Transaction) => reservePlace(trx, person.userId, moment()) : start(person)
  const join =
    ({ userId }: Person) =>
    (trx: Transaction) =>
      joinQueue(trx, { userId, clusterId: 'local' }, moment())
  const leave =
    ({ userId }: Person) =>
    (trx: Transaction) =>
      leaveQueue(trx, userId, moment())
  const pass = (at: number) => passPlaces(pools[at % connections]!.db, 'local', moment(), async () => undefined)

  type Row = { user_id: string; number: number; offered: boolean }
  const queue = async () =>
    (await pool.query<Row>('select user_id, number, offered_until is not null as offered from free_server_queue')).rows
  const playing = async () =>
    (await pool.query<{ user_id: string }>('select user_id from free_sessions where ended_at is null')).rows

  let lastServed = 0
  let served = 0
  async function check() {
    const rows = await queue()
    const players = await playing()
    const offers = rows.filter(({ offered }) => offered)
    const waiting = rows.filter(({ offered }) => !offered)
    const everybody = [...rows, ...players].map(({ user_id }) => user_id)
    expect(new Set(everybody).size, 'nobody twice').toBe(everybody.length)
    const taken = players.length + offers.length
    expect(taken).toBeLessThanOrEqual(places)
    if (waiting.length > 0) expect(taken, 'no place lost').toBe(places)
    for (const { number } of offers) {
      for (const one of waiting) expect(number, 'first come, first served').toBeLessThan(one.number)
      if (number <= lastServed) continue
      lastServed = number
      served += 1
    }
  }

  const ticks = isLong ? 600 : 20
  for (let tick = 0; tick < ticks; tick++) {
    now += random.below(tick % 20 === 19 ? 2 * 3_600_000 : 50_000)
    const offered = new Set((await queue()).flatMap((one) => (one.offered ? [one.user_id] : [])))
    const up = new Set((await playing()).map(({ user_id }) => user_id))
    const acts: Promise<unknown>[] = []
    for (let at = 0; at < 12; at++) {
      const person = random.pick(people)
      acts.push(act(at, random.chance(0.75) ? join(person) : random.chance(0.5) ? leave(person) : confirm(person)))
    }
    // Of those whose turn it is most take it, some let it go, and some look away until it has passed.
    for (const person of people.filter(({ userId }) => offered.has(userId)))
      if (random.chance(0.6))
        acts.push(act(random.below(connections), random.chance(0.85) ? confirm(person) : leave(person)))
    for (const person of people.filter(({ userId }) => up.has(userId)))
      if (random.chance(0.15)) acts.push(act(random.below(connections), person.serverId ? stop(person) : leave(person)))
    acts.push(pass(0), pass(1))
    await Promise.all(acts)
    await pass(2)
    await check()
  }
  expect(served, 'the queue moves').toBeGreaterThan(10)

  // Everybody who still waits is served, in order, once those before have gone.
  const left = (await queue()).length
  for (let round = 0; round <= left && (await queue()).length > 0; round++) {
    now += 5 * 3_600_000
    await pass(round)
    await check()
  }
  expect(await queue()).toEqual([])
  const { rows } = await pool.query<{ most: number }>(
    `select max(n)::int as most from (select count(*) as n from notifications where kind = 'FREE_PLACE_OFFERED' group by dedupe_key) told`,
  )
  expect(rows[0]?.most, 'told once').toBe(1)
})
