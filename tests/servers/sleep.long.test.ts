/** Servers that nobody is on fall asleep, ever deeper, and come back with what was in them. */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test, vi } from 'vitest'
import { getStatsHistory } from '@wakestone/contract/servers/history-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { ScheduleBody } from '@wakestone/contract/servers/schedules'
import { createSchedule, listSchedules, runSchedule } from '@wakestone/contract/servers/schedules-routes'
import type { Product } from '@wakestone/contract/sales/product'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf } from '../support/outcome.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let id: string

beforeAll(async () => {
  api = await startTestApi({ SLEEP_MINUTES_AFTER_START: '0', WORKLOAD_LINGER_SECONDS: '5' })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  id = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await untilStatus(owner, id, isUp)
}, 120_000)
vi.setConfig({ testTimeout: 180_000 })
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

/** Gives the server's plan other times. Never is `null`. */
async function sleepAfter(seconds: { light: number | null; deep: number | null; hibernate: number | null }) {
  const minutes = Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value && value / 60]))
  const rule = minutes as Product['parameters']['sleep']
  await sql`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', ${JSON.stringify(rule)}::jsonb) where id = ${id}`.execute(
    api.context.db,
  )
}
/** Whether what was asked for last has been seen to. */
async function lookedAt(): Promise<boolean> {
  const { rows } =
    await sql`select from server_looks where server_id = ${id} and next_look_at > now() + interval '1 minute'`.execute(
      api.context.db,
    )
  return rows.length > 0
}
const never = { light: null, deep: null, hibernate: null }
const isAt = (level: string) => (status: { game_status: string; activity: string | null }) =>
  status.game_status === level && status.activity === null

/** Has the cluster's answer noted, with the phase in which it was asked. */
function watchGivingBack() {
  const { cluster } = worker.fleet
  const giveBack = cluster.giveBackMemory
  const asked: { phase: string | undefined; freed: number | null }[] = []
  cluster.giveBackMemory = async (serverId) => {
    const phase = (await (await worker.fleet.find(serverId))?.status())?.phase
    const freed = await giveBack(serverId)
    asked.push({ phase, freed })
    return freed
  }
  onTestFinished(() => void (cluster.giveBackMemory = giveBack))
  return asked
}
const sleepNow = async () => (await owner.call(routes.listServerLevels, { params: { id }, query: {} })).at(-1)

test('freezes first, leaves its memory to others once it is frozen, and thaws', async () => {
  const asked = watchGivingBack()
  await sleepAfter({ light: 0.5, deep: null, hibernate: null })
  const asleep = await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1)
  await expect.poll(async () => (await sleepNow())?.freed).toBe(asked[0]?.freed ?? 0)
  await sql`select look_at_server(${id}::uuid)`.execute(api.context.db)
  await expect.poll(lookedAt, { timeout: 20_000 }).toBe(true)
  expect(asked.map(({ phase }) => phase)).toEqual(['frozen'])
  expect(asleep.level).toMatchObject({ causes: ['empty'], until: null })
  expect(asleep.crashed).toBe(false)
  await sleepAfter({ light: 3600, deep: null, hibernate: null })
  const awake = await untilStatus(owner, id, isUp)
  expect(awake.launched).toBe(asleep.launched)
})

test('is woken by its owner, and sleeps again', async () => {
  await sleepAfter({ light: 1, deep: null, hibernate: null })
  const asleep = await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  await owner.call(routes.startServer, { params: { id } })
  expect((await untilStatus(owner, id, isUp)).launched).toBe(asleep.launched)
  await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
})

test('stays awake for as long as it was asked to', async () => {
  await owner.call(routes.pingServer, { params: { id }, query: { duration: '60s' } })
  await untilStatus(owner, id, (status) => isUp(status) && status.level?.causes.join() === 'ping')
  await sql`update servers set ping_until = now() where id = ${id}`.execute(api.context.db)
  await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  // Where it cannot be kept awake it is not woken either.
  const { db } = api.context
  await sql`alter table servers add constraint no_pings check (ping_until < now() + interval '1 minute') not valid`.execute(
    db,
  )
  onTestFinished(async () => void (await sql`alter table servers drop constraint if exists no_pings`.execute(db)))
  const refused = owner.call(routes.pingServer, { params: { id }, query: { duration: '30m' } })
  expect(await outcomeOf(refused)).toBe('internal_error')
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toMatchObject({ game_status: 'IRL_LIGHT_SLEEP' })
})

test('stays awake while something is done on it, and sleeps once that is over', async () => {
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
  const { db } = api.context
  const { rows } = await sql<{ id: string }>`insert into operations (server_id, kind, exclusive, state, input, due_at)
    values (${id}, 'map_render', false, 'running', '{}', now() + interval '1 hour') returning id`.execute(db)
  await sleepAfter({ light: 0.5, deep: null, hibernate: null })
  await untilStatus(owner, id, (status) => isUp(status) && status.level?.causes.join() === 'operation')
  await delay(1_500)
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toSatisfy(isUp)
  await sql`update operations set state = 'done', ended_at = now() where id = ${rows[0]!.id}`.execute(db)
  await sql`select look_at_server(${id}::uuid)`.execute(db)
  await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
})

/** Has it do these steps by itself. @returns what tells how far that is */
async function runSteps(steps: ScheduleBody['steps']) {
  const trigger = { kind: 'cron' as const, expression: '0 4 1 1 *', time_zone: 'Europe/Warsaw' }
  const { id: schedule_id } = await owner.call(createSchedule, {
    params: { id },
    body: { name: 'Once', trigger, steps },
  })
  await owner.call(runSchedule, { params: { id, schedule_id } })
  return async () => {
    const all = await owner.call(listSchedules, { params: { id } })
    return all.find((one) => one.id === schedule_id)?.last_runs[0]
  }
}
const patient = { timeout: 110_000, interval: 100 }

test.each([
  { depth: 'light', level: 'IRL_LIGHT_SLEEP', rule: { light: 0.5, deep: null, hibernate: null } },
  { depth: 'deep', level: 'IRL_DEEP_SLEEP', rule: { light: null, deep: 0.5, hibernate: null } },
])(
  'in $depth sleep, a command of a schedule wakes it, and the schedule keeps it awake',
  async ({ depth, level, rule }) => {
    await owner.call(routes.startServer, { params: { id } }).catch(() => undefined)
    await sleepAfter(rule)
    const asleep = await untilStatus(owner, id, isAt(level))
    const run = await runSteps([
      { kind: 'command', command: 'list' },
      { kind: 'wait', seconds: 5 },
      { kind: 'message', text: depth },
    ])
    const awake = await untilStatus(owner, id, (status) => isUp(status) && status.level?.causes.join() === 'schedule')
    expect(awake.launched === asleep.launched).toBe(depth === 'light')
    await expect.poll(async () => (await run())?.state, patient).not.toBe('running')
    expect(await run()).toMatchObject({ state: 'done', step: 3, error: null })
    await untilStatus(owner, id, isAt(level))
  },
)

test('power steps of a schedule are over once they are done; a restart is one, also of what is only frozen', async () => {
  await owner.call(routes.startServer, { params: { id } }).catch(() => undefined)
  await sleepAfter({ light: 0.5, deep: null, hibernate: null })
  const before = await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  const stopAndStart: ScheduleBody['steps'] = [
    { kind: 'power', action: 'stop' },
    { kind: 'power', action: 'start' },
    { kind: 'command', command: 'list' },
  ]
  const run = await runSteps([
    { kind: 'power', action: 'restart' },
    { kind: 'command', command: 'list' },
    ...stopAndStart,
  ])
  await expect.poll(async () => (await run())?.state, patient).not.toBe('running')
  expect(await run()).toMatchObject({ state: 'done', step: 5, error: null })
  const after = await owner.call(routes.getServerStatus, { params: { id } })
  expect(Date.parse(after.launched!)).toBeGreaterThan(Date.parse(before.launched!))
})

test('one that its owner has stopped is neither woken nor commanded, and one that does not come up is not waited for for ever', async () => {
  const { db } = api.context
  await owner.call(routes.stopServer, { params: { id }, query: { timeout: 10 } })
  await untilStatus(owner, id, isDown)
  expect(await outcomeOf(owner.call(routes.pingServer, { params: { id }, query: {} }))).toBe('server_is_not_running')
  const refused = await runSteps([{ kind: 'command', command: 'list' }])
  await expect.poll(async () => (await refused())?.error, patient).toBe('server_is_not_running')
  await sql`update servers set hold = 'down', want_running = true where id = ${id}`.execute(db)
  const waiting = await runSteps([{ kind: 'command', command: 'list' }])
  const giveUp = async () =>
    (await sql`update schedule_runs set waits_until = now() where waits_for = 'up' returning id`.execute(db)).rows
      .length
  await expect.poll(giveUp, patient).toBe(1)
  await expect.poll(async () => (await waiting())?.error, patient).toBe('server_did_not_start')
  // It is empty, so it may be asleep by now.
  await sleepAfter(never)
  await sql`update servers set hold = null where id = ${id}`.execute(db)
  await owner.call(routes.startServer, { params: { id } }).catch(() => undefined)
  await untilStatus(owner, id, isUp)
})

test('then stops its game, its supervisor staying', async () => {
  await sleepAfter({ light: 0.5, deep: 1, hibernate: null })
  const asleep = await untilStatus(owner, id, (status) => isAt('IRL_DEEP_SLEEP')(status) && status.terminated !== null)
  expect(asleep).toMatchObject({ crashed: false, termination_expected: true })
  expect(asleep.pod_name).not.toBeNull()
  await sleepAfter(never)
  await owner.call(routes.startServer, { params: { id } })
  const awake = await untilStatus(owner, id, isUp)
  expect(awake.launched).not.toBe(asleep.launched)
  expect(awake.start_seconds).toBeGreaterThan(0)
})

test('and in the end leaves nothing but its files', async () => {
  await sleepAfter({ light: 0.5, deep: 1, hibernate: 2 })
  await untilStatus(owner, id, (status) => isAt('IRL_HIBERNATED')(status) && status.pod_name === null)
  expect(await worker.fleet.cluster.inspect(id)).toEqual({ state: 'absent' })
  const dueSoon = async () => {
    const { rows } =
      await sql`select from server_looks where server_id = ${id} and next_look_at < now() + interval '1 day'`.execute(
        api.context.db,
      )
    return rows.length
  }
  await expect.poll(dueSoon, { timeout: 10_000 }).toBe(0)
  // What it leaves to others is what it used, as far as that was measured.
  await sql`insert into server_hours (server_id, at, samples, memory) values (${id}, date_trunc('hour', now()), 1, 3e8)
    on conflict (server_id, at) do update set memory = 3e8`.execute(api.context.db)
  await sql`update servers set level = 'DEEP_SLEEP', level_since = now() where id = ${id}`.execute(api.context.db)
  await sql`update servers set level = 'HIBERNATED', level_since = now() where id = ${id}`.execute(api.context.db)
  expect(await sleepNow()).toMatchObject({ level: 'IRL_HIBERNATED', freed: 3e8 })

  // Its console is readable all the same: its supervisor comes for it, without the game.
  const socket = new WebSocket(`${api.origin.replace('http', 'ws')}/api/v1/servers/${id}/console`, {
    headers: { cookie: owner.cookie(), origin: api.origin },
  })
  const texts: string[] = []
  onTestFailed(async () => {
    const { rows } = await sql`select servers.*, server_looks.* from servers join server_looks on server_id = id
      where id = ${id}`.execute(api.context.db)
    console.log(JSON.stringify(rows[0]), socket.readyState, await api.context.fleet.cluster.inspect(id))
  })
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as { type: string; lines?: { text: string }[] }
    texts.push(...(frame.lines ?? []).map(({ text }) => text))
  })
  await expect.poll(() => texts.join(), { timeout: 90_000 }).toContain('The game has ended')
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toMatchObject({ game_status: 'IRL_HIBERNATED' })
  socket.close()
  await sleepAfter(never)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
})

test('a frozen one whose supervisor dies sleeps on', async () => {
  await sleepAfter({ light: 0.5, deep: null, hibernate: null })
  await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  await worker.fleet.cluster.remove(id)
  const asleep = await untilStatus(owner, id, isAt('IRL_DEEP_SLEEP'))
  expect(asleep.crashed).toBe(false)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
})

test('one that its owner has stopped is not woken, and its supervisor goes', async () => {
  await sleepAfter({ light: 0.5, deep: null, hibernate: null })
  await untilStatus(owner, id, isAt('IRL_LIGHT_SLEEP'))
  await owner.call(routes.stopServer, { params: { id }, query: { timeout: 10 } })
  await untilStatus(owner, id, isDown)
  expect(await outcomeOf(owner.call(routes.pingServer, { params: { id }, query: {} }))).toBe('server_is_not_running')
  await untilStatus(owner, id, ({ pod_name }) => pod_name === null)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
})

test('its history tells when it slept', async () => {
  const history = await owner.call(routes.listServerLevels, { params: { id }, query: {} })
  const levels = history.map(({ level }) => level)
  for (const level of ['IRL_IDLE', 'IRL_LIGHT_SLEEP', 'IRL_DEEP_SLEEP', 'IRL_HIBERNATED', 'IRL_TERMINATED'])
    expect(levels).toContain(level)
  expect(history.map(({ since }) => since)).toEqual(history.map(({ since }) => since).toSorted())
})

test('its graphs keep what it used while it was up, and when it slept', async () => {
  await sleepAfter(never)
  await untilStatus(owner, id, isUp)
  const seen = () => worker.fleet.find(id).then((supervisor) => supervisor?.status())
  await expect.poll(async () => (await seen())?.stats, { timeout: 20_000, interval: 500 }).toBeTruthy()
  const { stats } = (await seen())!
  expect(stats).toMatchObject({ players: 0, memory: expect.any(Number) as number })
  expect(stats!.memory).toBeGreaterThan(1e6)
  // The watcher looks every few seconds; what it has gathered of the minute under way is written when it ends.
  const history = () => owner.call(getStatsHistory, { params: { id }, query: { span: 'hour' } })
  const written = async () => {
    await worker.stop()
    worker = await startTestWorker(api)
    return (await history()).points.length
  }
  await expect.poll(written, { timeout: 40_000, interval: 6_000 }).toBeGreaterThan(0)
  const { points, slept_seconds } = await history()
  expect(points.at(-1)!.memory).toBeGreaterThan(1e6)
  expect(slept_seconds).toBeGreaterThan(1)
})
