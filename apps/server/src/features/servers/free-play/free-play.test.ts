/** Free servers and their places, through the API; time passes as the worker would see it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as users from '@wakestone/contract/accounts/users-routes'
import * as routes from '@wakestone/contract/servers/free-play-routes'
import * as referrals from '@wakestone/contract/sales/referrals-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { passPlaces } from '#src/features/servers/free-places/service.ts'
import { decideLevel, findServer, wakeServer } from '#src/features/servers/servers/service.ts'

const minute = 60_000
const hour = 60 * minute

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ FREE_PLACES: '0' })
})
afterAll(() => api.close())

/** Clusters are for one test each. */
let clusters = 0
async function openCluster(places: number): Promise<string> {
  const id = `cluster-${++clusters}`
  const { db } = api.context
  await db
    .insertInto('clusters')
    .values({ id, host: id, zone_name: `${id}.test`, driver: 'process', name: id, free_places: places })
    .execute()
  await db
    .insertInto('prices')
    .columns(['product_id', 'cluster_id', 'currency', 'period', 'amount'])
    .expression((prices) =>
      prices
        .selectFrom('prices')
        .select(({ val }) => ['product_id', val(id).as('cluster_id'), 'currency', 'period', 'amount'])
        .where('cluster_id', '=', 'local'),
    )
    .execute()
  return id
}
const rent = async (caller: Caller, cluster_id: string, product = 'FREE') =>
  caller.call(servers.createServer, {
    body: {
      ...order(await topUp(api.context, caller, 10_000), '1.21.4'),
      cluster_id,
      requested_billing_services: [product],
    },
  })
/** Hours that somebody else's coming has earned. */
async function giveHours(caller: Caller, hours: number): Promise<void> {
  const invited = await api.signUp()
  const { referral_code } = await caller.call(referrals.getOwnReferralCode, { params: { id: caller.user.id } })
  await invited.call(referrals.setReferrer, { params: { userId: invited.user.id }, body: { code: referral_code } })
  await api.context.db
    .insertInto('referral_rewards')
    .values({ user_id: caller.user.id, invited_id: invited.user.id, kind: 'inviter', hours })
    .execute()
}
const join = (caller: Caller, cluster_id: string) => caller.call(routes.joinFreeQueue, { query: { cluster_id } })
const show = (caller: Caller) => caller.call(routes.getFreePlay, {})
const confirm = (caller: Caller) => caller.call(routes.confirmFreePlace, {})
/** What a worker does, at a moment from now. */
const pass = async (cluster: string, later = 0) => {
  const warnings: number[] = []
  const { db, settings } = api.context
  await passPlaces(db, cluster, { settings, now: new Date(Date.now() + later) }, async (_, { minutes }) => {
    warnings.push(minutes)
  })
  return warnings
}
const told = async ({ user }: Caller) =>
  (
    await api.context.db
      .selectFrom('notifications')
      .select('kind')
      .where('user_id', '=', user.id)
      .where('kind', 'like', 'FREE_%')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)
const see = (serverId: string, change: { phase?: string | null; prepared_at?: Date }) =>
  api.context.db.updateTable('servers').set(change).where('id', '=', serverId).execute()
/** As a worker writes it once nothing of a server is up: its owner has stopped it, or it sleeps. */
const seeDown = (serverId: string, level: 'TERMINATED' | 'DEEP_SLEEP' = 'TERMINATED') =>
  api.context.db
    .updateTable('servers')
    .set({
      want_running: level !== 'TERMINATED',
      prepared_at: new Date(),
      level,
      level_since: new Date(),
      phase: 'stopped',
    })
    .where('id', '=', serverId)
    .execute()

test('without a place there is no free server; one waits, takes the place, and rents it', async () => {
  const cluster = await openCluster(1)
  const [first, second] = [await api.signUp(), await api.signUp()]
  const server = await rent(first, cluster)
  expect(await show(first)).toMatchObject({ state: 'playing', server_id: server.id, queue: null })
  expect(await outcomeOf(join(first, cluster))).toBe('user_already_has_free_server')
  expect(await outcomeOf(rent(second, cluster))).toBe('free_servers_not_available')
  expect(await outcomeOf(confirm(second))).toBe('free_place_not_offered')

  const asked = await Promise.all([1, 2, 3].map(() => outcomeOf(join(second, cluster))))
  expect(asked.sort()).toEqual(['success', 'user_already_in_queue', 'user_already_in_queue'])
  expect((await second.call(users.verify, {})).is_in_free_queue).toBe(true)
  const { queue } = await show(second)
  expect(queue).toMatchObject({ cluster_id: cluster, position: 1, waiting: 1 })
  expect(Date.parse(queue?.expected ?? '') - Date.now()).toBeGreaterThan(3.9 * hour)
  const availability = await api.anonymous(routes.getFreeAvailability, {})
  expect(availability.rules).toEqual({ session: 4 * 3600, day: 8 * 3600 })
  expect(availability.clusters.find(({ cluster_id }) => cluster_id === cluster)).toMatchObject({
    places: 1,
    free: 0,
    waiting: 1,
  })

  // Its owner stops it: nothing of it is up, and the place is the next one's.
  await seeDown(server.id)
  await pass(cluster)
  expect(await show(second)).toMatchObject({ state: 'offered', queue: { position: 0 } })
  expect(await told(second)).toEqual(['FREE_PLACE_OFFERED'])
  expect(await confirm(second)).toMatchObject({ state: 'reserved' })
  expect((await confirm(second)).state).toBe('reserved')
  expect((await second.call(users.verify, {})).is_in_free_queue).toBe(false)
  const rented = await rent(second, cluster)
  expect(await show(second)).toMatchObject({ state: 'playing', server_id: rented.id })
  await see(server.id, { prepared_at: new Date() })
  const start = first.call(servers.startServer, { params: { id: server.id } })
  expect(await outcomeOf(start)).toBe('free_servers_not_available')
})

test.runIf(isLong)('a place that nobody takes goes to the next, and who takes theirs is started', async () => {
  const cluster = await openCluster(1)
  const [away, there, holder] = [await api.signUp(), await api.signUp(), await api.signUp()]
  const mine = await rent(there, cluster)
  await seeDown(mine.id)
  await pass(cluster)
  const other = await rent(holder, cluster)
  await join(away, cluster)
  await join(there, cluster)
  await seeDown(other.id)
  await pass(cluster)
  expect((await show(away)).state).toBe('offered')
  expect((await show(there)).queue?.position).toBe(1)
  await pass(cluster, 119_000)
  expect((await show(there)).state).toBe('waiting')
  await pass(cluster, 121_000)
  expect(await show(away)).toMatchObject({ state: 'idle', queue: null })
  expect(await told(away)).toEqual(['FREE_PLACE_OFFERED', 'FREE_PLACE_LOST'])
  expect((await show(there)).state).toBe('offered')
  expect(await confirm(there)).toMatchObject({ state: 'playing', server_id: mine.id })
  const { activity } = await there.call(servers.getServerStatus, { params: { id: mine.id } })
  expect(activity).toBe('starting')
})

test('who leaves gives the place on; who has none needs none', async () => {
  const cluster = await openCluster(1)
  const [first, second] = [await api.signUp(), await api.signUp()]
  await join(first, cluster)
  await join(second, cluster)
  expect((await show(first)).state).toBe('offered')
  await first.call(routes.leaveFreeQueue, {})
  await first.call(routes.leaveFreeQueue, {})
  expect((await show(first)).state).toBe('idle')
  expect((await show(second)).state).toBe('offered')
  expect(await confirm(second)).toMatchObject({ state: 'reserved' })
  await second.call(routes.leaveFreeQueue, {})
  expect((await show(second)).state).toBe('idle')
  expect(await outcomeOf(join(await api.signUp({ verified: false }), cluster))).toBe('email_not_verified')
  expect(await outcomeOf(join(first, 'nowhere'))).toBe('cluster_not_found')
  // A paid plan never waits.
  const full = await openCluster(0)
  expect(await outcomeOf(rent(first, full, 'GRASS'))).toBe('success')
  expect(await outcomeOf(rent(second, full))).toBe('free_servers_not_available')
})

test('a session begins with its game, is told of before its end, and ends', async () => {
  const cluster = await openCluster(1)
  const caller = await api.signUp()
  const server = await rent(caller, cluster)
  const params = { id: server.id }
  const extend = () => caller.call(routes.extendFreeSession, { params })
  expect((await show(caller)).session).toMatchObject({ started_at: null, obstacle: 'not_started' })
  expect(await outcomeOf(extend())).toBe('free_session_not_extendable')

  await see(server.id, { prepared_at: new Date(), phase: 'running' })
  await pass(cluster, -hour)
  const { session } = await caller.call(routes.getFreeSession, { params })
  expect(Date.parse(session?.ends_at ?? '') - Date.parse(session?.started_at ?? '')).toBe(4 * hour)
  expect(session?.obstacle).toBe(null)
  const longer = await extend()
  expect(Date.parse(longer.session?.ends_at ?? '') - Date.parse(session?.ends_at ?? '')).toBe(hour)
  expect(longer.session?.obstacle).toBe('too_early')
  expect(await outcomeOf(extend())).toBe('free_session_not_extendable')

  const end = Date.parse(longer.session?.ends_at ?? '') - Date.now()
  expect(await pass(cluster, end - 11 * minute)).toEqual([])
  expect(await pass(cluster, end - 9 * minute)).toEqual([10])
  expect(await pass(cluster, end - 8 * minute)).toEqual([])
  expect(await pass(cluster, end - 4 * minute)).toEqual([5])
  await pass(cluster, end)
  expect(await told(caller)).toEqual(['FREE_SESSION_ENDS', 'FREE_SESSION_ENDS', 'FREE_SESSION_OVER'])
  expect(await show(caller)).toMatchObject({ state: 'idle', session: null })
  // It goes to sleep whoever plays, and whoever starts it again takes a place for it.
  const { db, settings } = api.context
  const row = await findServer(db, server.id)
  expect(decideLevel(row!, settings, undefined, new Date(Date.now() + end))).toMatchObject({
    level: 'DEEP_SLEEP',
    because: ['session_over'],
  })
  await seeDown(server.id, 'DEEP_SLEEP')
  await caller.call(servers.startServer, { params })
  expect((await show(caller)).state).toBe('playing')
})

test('one that an operation holds down keeps its place; one that its owner has stopped does not', async () => {
  const cluster = await openCluster(1)
  const owner = await api.signUp()
  const server = await rent(owner, cluster)
  await seeDown(server.id)
  const write = (values: { hold: 'down' | null; want_running: boolean }) =>
    api.context.db.updateTable('servers').set(values).where('id', '=', server.id).execute()
  for (const hold of ['down', null] as const) {
    await write({ hold, want_running: true })
    await pass(cluster)
    expect((await show(owner)).state).toBe('playing')
  }
  await write({ hold: 'down', want_running: false })
  await pass(cluster)
  expect((await show(owner)).state).toBe('idle')
})

test.runIf(isLong)(
  'one that sleeps for want of players gives its place up, and a join takes one where there is one',
  async () => {
    const cluster = await openCluster(1)
    const [sleeper, other] = [await api.signUp(), await api.signUp()]
    const { db, settings } = api.context
    const asleep = await rent(sleeper, cluster)
    const wake = () => outcomeOf(wakeServer(api.context, asleep.id, { because: 'player', name: 'Alex' }))
    await seeDown(asleep.id, 'DEEP_SLEEP')
    await pass(cluster)
    expect(await show(sleeper)).toMatchObject({ state: 'idle', session: null })
    // It still sleeps because nobody plays, not because its time was over.
    expect((await findServer(db, asleep.id))?.session_ends_at).toBeNull()
    const blocking = await rent(other, cluster)
    expect(await wake()).toBe('free_servers_not_available')
    await seeDown(blocking.id, 'DEEP_SLEEP')
    await pass(cluster)
    expect(await wake()).toBe('success')
    expect(await show(sleeper)).toMatchObject({ state: 'playing' })
    // What was just woken keeps its place, though nothing of it is up yet.
    await pass(cluster)
    expect(await show(sleeper)).toMatchObject({ state: 'playing' })
    expect(decideLevel((await findServer(db, asleep.id))!, settings).level).toBe('IDLE')
    // In light sleep its game is there, and so is its place: it wakes whoever waits.
    await db
      .updateTable('servers')
      .set({ phase: 'frozen', level: 'LIGHT_SLEEP', level_since: new Date() })
      .where('id', '=', asleep.id)
      .execute()
    await join(other, cluster)
    await pass(cluster)
    expect((await show(other)).state).toBe('waiting')
    expect(await wake()).toBe('success')
  },
)

test.runIf(isLong)(
  'a day has eight hours by its owner’s clock, and one more for each hour from invitations',
  async () => {
    const cluster = await openCluster(1)
    const caller = await api.signUp()
    const server = await rent(caller, cluster)
    const { db } = api.context
    await seeDown(server.id)
    await pass(cluster)
    const { day } = await show(caller)
    expect(day).toMatchObject({ used: 0, limit: 8 * 3600 })
    // It has played for as long as the day was, if that was shorter than eight hours.
    const begins = new Date(Date.parse(day.ends) - 24 * hour)
    const now = new Date()
    await db
      .insertInto('free_sessions')
      .values({
        user_id: caller.user.id,
        cluster_id: cluster,
        server_id: server.id,
        taken_at: new Date(begins.getTime() - 12 * hour),
        started_at: new Date(begins.getTime() - 12 * hour),
        ends_at: now,
        ended_at: now,
        end_reason: 'over',
      })
      .execute()
    const played = (now.getTime() - begins.getTime()) / 1000
    expect(Math.abs((await show(caller)).day.used - played)).toBeLessThan(5)
    Object.assign(api.context.settings, { FREE_DAY_HOURS: played / 3600 })
    try {
      const start = () => outcomeOf(caller.call(servers.startServer, { params: { id: server.id } }))
      expect(await start()).toBe('free_hours_used_up')
      expect(await outcomeOf(caller.call(routes.takeBonusHour, {}))).toBe('not_enough_referral_hours')
      await giveHours(caller, 2)
      const longer = await caller.call(routes.takeBonusHour, {})
      expect(longer.day.limit - (await show(caller)).day.used).toBeGreaterThan(3590)
      const { hours } = await caller.call(referrals.getReferrals, { params: { id: caller.user.id } })
      expect(hours).toBe(1)
      expect(await start()).toBe('success')
    } finally {
      Object.assign(api.context.settings, { FREE_DAY_HOURS: 8 })
    }
  },
)
