/** Schedules through the front door: kept, run by one worker among several, each step at most once. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Schedule, ScheduleBody } from '@wakestone/contract/servers/schedules'
import * as routes from '@wakestone/contract/servers/schedules-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { cancelCountdown, createServer, startServer, stopServer } from '@wakestone/contract/servers/servers-routes'
import { beginDueRuns, performDueStep } from '../../apps/server/src/features/servers/schedules/runner.ts'
import { nextRuns } from '../../apps/server/src/features/servers/schedules/times.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { runAfterLine } from '../../apps/server/src/features/servers/schedules/service.ts'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { isDown, isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'
import { isLong } from '../support/long.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let upstreams: Upstreams
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string
beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi({ ...upstreams.settings, ALLOW_PRIVATE_TARGETS: '1' })
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(createServer, { body: order(walletId, '1.21.4', { engine: 'vanilla' }) })).id
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  await upstreams?.close()
})

const params = () => ({ id: serverId })
const nightly = { kind: 'cron', expression: '0 4 * * *', time_zone: 'Europe/Warsaw' } as const
const body = (more: Partial<ScheduleBody> = {}): ScheduleBody => ({
  name: 'Night',
  trigger: nightly,
  steps: [{ kind: 'command', command: 'list' }],
  ...more,
})
const create = (more?: Partial<ScheduleBody>) =>
  owner.call(routes.createSchedule, { params: params(), body: body(more) })
const named = ({ id }: Schedule) => ({ id: serverId, schedule_id: id })
const find = async ({ id }: Schedule) =>
  (await owner.call(routes.listSchedules, { params: params() })).find((one) => one.id === id)
async function untilRun(schedule: Schedule, isThere: (run: Schedule['last_runs'][number]) => boolean) {
  for (const deadline = Date.now() + 30_000; ;) {
    const runs = (await find(schedule))?.last_runs ?? []
    const run = runs.find(isThere)
    if (run !== undefined) return run
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(runs)}`)
    await delay(50)
  }
}

test('times are those of the owner’s zone, summer and winter, and never go back', () => {
  const times = (after: string) => nextRuns(nightly, new Date(after), 2).map((time) => time.toISOString())
  expect(times('2026-03-28T12:00:00Z')).toEqual(['2026-03-29T02:00:00.000Z', '2026-03-30T02:00:00.000Z'])
  expect(times('2026-10-24T12:00:00Z')).toEqual(['2026-10-25T03:00:00.000Z', '2026-10-26T03:00:00.000Z'])
  // An hour that the clock leaves out, and one that it has twice.
  for (const expression of ['30 2 * * *', '*/20 * * * *', '0 * * * *']) {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
        (after) => {
          const runs = nextRuns({ ...nightly, expression }, after, 4).map((time) => time.getTime())
          expect(runs).toHaveLength(4)
          expect([after.getTime(), ...runs]).toEqual([...new Set([after.getTime(), ...runs])].toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 50 },
    )
  }
})

test('what is no schedule is refused by the field', async () => {
  const wrong = (more: Partial<ScheduleBody>) => refusalOf(create(more))
  expect((await wrong({ trigger: { ...nightly, expression: '61 4 * * *' } })).fields).toEqual({
    'trigger.expression': 'cron',
  })
  expect((await wrong({ trigger: { ...nightly, expression: 'at night' } })).error).toBe('invalid_request')
  expect((await wrong({ trigger: { ...nightly, time_zone: 'Nowhere/Else' } })).error).toBe('invalid_request')
  expect((await wrong({ steps: [] })).error).toBe('invalid_request')
  expect((await wrong({ steps: [{ kind: 'command', command: 'a\nstop' }] })).error).toBe('invalid_request')
  expect((await wrong({ steps: [{ kind: 'webhook', url: 'file:///etc/passwd' }] })).error).toBe('invalid_request')
})

test('kept, changed, switched off and deleted', async () => {
  const made = await create({ name: 'Kept' })
  expect(made.next_runs).toHaveLength(3)
  const off = await owner.call(routes.changeSchedule, {
    params: named(made),
    body: body({ name: 'Off', enabled: false }),
  })
  expect(off).toMatchObject({ name: 'Off', enabled: false, next_runs: [] })
  await owner.call(routes.deleteSchedule, { params: named(made) })
  expect(await find(made)).toBeUndefined()
  expect(await outcomeOf(owner.call(routes.deleteSchedule, { params: named(made) }))).toBe('resource_not_found')
})

test('does its steps in order, and says at which one it failed', async () => {
  const calls: string[] = []
  const hook = createHttpServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk))
    request.on('end', () => {
      calls.push(text)
      response.writeHead(request.url === '/no' ? 500 : 204).end()
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`
  try {
    const good = await create({
      steps: [
        { kind: 'message', text: 'Restart soon' },
        { kind: 'wait', seconds: 1 },
        { kind: 'webhook', url: `${url}/yes` },
      ],
    })
    await owner.call(routes.runSchedule, { params: named(good) })
    expect(await untilRun(good, ({ state }) => state !== 'running')).toMatchObject({
      state: 'done',
      cause: 'asked',
      step: 3,
    })
    expect(calls.map((text) => JSON.parse(text) as object)).toMatchObject([{ server_id: serverId }])
    const bad = await create({
      steps: [
        { kind: 'command', command: 'list' },
        { kind: 'webhook', url: `${url}/no` },
      ],
    })
    await owner.call(routes.runSchedule, { params: named(bad) })
    expect(await untilRun(bad, ({ state }) => state !== 'running')).toMatchObject({
      state: 'failed',
      step: 2,
      error: 'HTTP 500',
    })
  } finally {
    hook.close()
  }
})

test.runIf(isLong)('runs after what has happened, if its conditions are met', async () => {
  const started = await create({ trigger: { kind: 'event', event: 'started' } })
  const notNow = await create({ trigger: { kind: 'event', event: 'started' }, conditions: ['players'] })
  const stopping = await create({ steps: [{ kind: 'power', action: 'stop' }] })
  await owner.call(routes.runSchedule, { params: named(stopping) })
  await untilStatus(owner, serverId, isDown)
  await owner.call(startServer, { params: params() })
  await untilStatus(owner, serverId, isUp)
  expect(await untilRun(started, ({ state }) => state !== 'running')).toMatchObject({ state: 'done', cause: 'started' })
  expect(await untilRun(notNow, ({ state }) => state !== 'running')).toMatchObject({ state: 'skipped' })
  const crashed = await create({ trigger: { kind: 'event', event: 'crashed' }, steps: [{ kind: 'wait', seconds: 1 }] })
  const crashing = await create({ steps: [{ kind: 'command', command: 'crash' }] })
  await owner.call(routes.runSchedule, { params: named(crashing) })
  expect(await untilRun(crashed, ({ state }) => state !== 'running')).toMatchObject({ state: 'done', cause: 'crashed' })
})

test.runIf(isLong)(
  'runs after a line of the console, at most once in a minute, and not after lines that are not its own',
  async () => {
    await untilStatus(owner, serverId, isUp)
    const steps: ScheduleBody['steps'] = [{ kind: 'wait', seconds: 1 }]
    const line = await create({ trigger: { kind: 'line', text: 'server]*open sesame' }, steps })
    const other = await create({ trigger: { kind: 'line', text: 'nobody says this' }, steps })
    const supervisor = (await worker.fleet.find(serverId))!
    await vi.waitFor(async () => expect((await supervisor.status()).watchedLines).not.toBeNull(), 20_000)
    for (let time = 0; time < 3; time++) await supervisor.command('say open sesame')
    expect(await untilRun(line, ({ state }) => state !== 'running')).toMatchObject({ state: 'done', cause: 'line' })
    // A supervisor that tells of it again and again, of schedules that are another's, or much too late, changes nothing.
    const tell = (server: string, id: string, at = new Date().toISOString()) =>
      inTransaction(api.context.db, (trx) => runAfterLine(trx, server, { id, at }))
    await tell(serverId, line.id)
    await tell(crypto.randomUUID(), other.id)
    await tell(serverId, crypto.randomUUID())
    await tell(serverId, other.id, new Date(Date.now() - 3_600_000).toISOString())
    expect((await find(line))?.last_runs).toHaveLength(1)
    expect((await find(other))?.last_runs).toEqual([])
    for (const one of [line, other]) await owner.call(routes.deleteSchedule, { params: named(one) })
    await vi.waitFor(async () => expect((await supervisor.status()).watchedLines).toBeNull(), 20_000)
  },
)

test('whose time has come runs once among many workers; a time long past is left out', async () => {
  await owner.call(stopServer, { params: params() }).catch(() => undefined)
  await worker.stop()
  const { context } = api
  const due = await create({ steps: [{ kind: 'wait', seconds: 1 }] })
  const missed = await create({ steps: [{ kind: 'wait', seconds: 1 }] })
  const setNext = (id: string, at: Date) =>
    context.db.updateTable('schedules').set({ next_run_at: at }).where('id', '=', id).execute()
  await setNext(due.id, new Date(Date.now() - 1_000))
  await setNext(missed.id, new Date(Date.now() - 3_600_000))
  await Promise.all(Array.from({ length: 6 }, () => beginDueRuns(context)))
  const steps = await Promise.all(Array.from({ length: 6 }, () => performDueStep(context)))
  expect(steps.filter(Boolean)).toHaveLength(1)
  expect((await find(due))?.last_runs).toMatchObject([{ cause: 'time' }])
  expect((await find(missed))?.last_runs).toEqual([])
  expect(Date.parse((await find(missed))!.next_runs[0]!)).toBeGreaterThan(Date.now())
  worker = await startTestWorker(api)
})

test('players are warned before a game is stopped or restarted; the run goes on once that is over', async () => {
  await worker.stop()
  const { context } = api
  await context.db
    .updateTable('servers')
    .set({ want_running: true, phase: 'running', level: 'RUNNING', players_online: 1 })
    .where('id', '=', serverId)
    .execute()
  const countdowns = async () =>
    (await owner.call(listProcesses, { params: params() })).filter(
      ({ kind, state }) => kind === 'countdown' && state === 'queued',
    )
  for (const action of ['restart', 'stop'] as const) {
    const schedule = await create({
      steps: [
        { kind: 'power', action, warning_seconds: 300 },
        { kind: 'wait', seconds: 1 },
      ],
    })
    const perform = async () => {
      // Before whatever else is due.
      const sql = `update schedule_runs set due_at = 'epoch' where schedule_id = $1 and state = 'running'`
      await context.database.pool.query(sql, [schedule.id])
      await performDueStep(context)
      return (await find(schedule))?.last_runs[0]
    }
    await owner.call(routes.runSchedule, { params: named(schedule) })
    expect(await perform()).toMatchObject({ state: 'running', step: 1 })
    expect(await countdowns(), action).toHaveLength(1)
    // It is up as wanted, and yet to be restarted.
    expect(await perform()).toMatchObject({ state: 'running', step: 1 })
    await owner.call(cancelCountdown, { params: params() })
    await perform()
    expect(await perform()).toMatchObject({ step: 2 })
    await owner.call(routes.deleteSchedule, { params: named(schedule) })
  }
  worker = await startTestWorker(api)
})
