import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GamePhase } from '@wakestone/protocol/phases'
import { namesKept, type SupervisorEvent, type SupervisorStatus } from '@wakestone/protocol/supervisor'
import { listServerNotifications } from '@wakestone/contract/ground/notifications-routes'
import { getLastCrash } from '@wakestone/contract/servers/crash-routes'
import { cancelProcess, listProcesses } from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, prepareArtifacts, topUp } from '../../../../../../tests/support/servers.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { endVainPreparations } from '#src/features/servers/operations/repo.ts'
import { beginOperation, notePreparation } from '#src/features/servers/operations/service.ts'
import { takeIn } from './take-in.ts'
import { describeStatus } from '#src/features/servers/servers/status.ts'
import { warnOfFullDisk } from '#src/features/servers/servers/full-disk.ts'
import { findServer } from '#src/features/servers/servers/repo.ts'
import { writeTold } from './observed-repo.ts'
import { inTransaction } from '#src/db/client.ts'

let api: TestApi
let owner: Caller
let engineVersion: string
let serverId: string
let seq = 0

beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  ;({ engineVersion } = await prepareArtifacts(api))
})
beforeEach(async () => {
  const server = await owner.call(routes.createServer, {
    body: order(await topUp(api.context, owner, 5000), engineVersion),
  })
  serverId = server.id
  seq = 0
})
afterAll(() => api?.close())

const exit = (expected: boolean) => ({ at: new Date().toISOString(), code: expected ? 0 : 1, signal: null, expected })

function phase(name: GamePhase, more: Partial<SupervisorStatus> = {}): SupervisorEvent {
  const at = new Date().toISOString()
  const status: SupervisorStatus = {
    protocol: 1,
    serverId,
    version: '0.1.0',
    phase: name,
    since: at,
    installedPlan: 'plan',
    install: null,
    installError: null,
    gamePort: name === 'running' ? 40000 : null,
    launchedAt: null,
    lastExit: null,
    players: { online: 0, max: 20, names: [] },
    lastEventSeq: seq + 1,
    ...more,
  }
  return { seq: ++seq, at, type: 'phase', status }
}
const crash = (tooManyTimes: boolean): SupervisorEvent => ({
  seq: ++seq,
  at: new Date().toISOString(),
  type: 'crashed',
  exit: exit(false),
  crashCount: 3,
  tooManyTimes,
  reasons: ['out_of_memory'],
  lastLines: ['java.lang.OutOfMemoryError'],
})
type Crashed = Extract<SupervisorEvent, { type: 'crashed' }>
const player = (type: 'player_joined' | 'player_left', name: string): SupervisorEvent => ({
  seq: ++seq,
  at: new Date().toISOString(),
  type,
  name,
})

const take = (event: SupervisorEvent, isOld = false) => takeIn(api.context, serverId, event, { isOld })
const status = async () => describeStatus((await findServer(api.context.db, serverId))!)
const actions = async () => {
  const { data } = await owner.call(routes.listServerEvents, { params: { id: serverId } })
  return data.map(({ action }) => action).reverse()
}

describe('events of a supervisor', () => {
  test('count once, however often and by however many workers they are taken in', async () => {
    const events = [phase('starting'), phase('running'), player('player_joined', 'Steve')]
    for (const event of events) await Promise.all(Array.from({ length: 5 }, () => take(event)))
    for (const event of events) await take(event)
    expect((await actions()).filter((action) => action === 'GAME_STARTED')).toHaveLength(1)
    expect(await status()).toMatchObject({ game_status: 'IRL_RUNNING', players: { online: 1, names: ['Steve'] } })
    await take(player('player_joined', 'Alex'))
    await take(player('player_left', 'Steve'))
    expect((await status()).players).toMatchObject({ online: 1, names: ['Alex'] })
  })

  test('tell of the past without undoing the present', async () => {
    await take(phase('starting'))
    const old = [phase('stopped', { lastExit: exit(true) }), player('player_joined', 'Ghost')]
    await take(phase('running'), false)
    expect((await status()).game_status).toBe('IRL_IDLE')
    for (const event of old) await take({ ...event, seq: ++seq }, true)
    expect(await status()).toMatchObject({ game_status: 'IRL_IDLE', players: { names: [] } })
    expect(await actions()).toContain('GAME_STOPPED')
  })

  test('an end is told once, though what is installed after it ends stopped too', async () => {
    const ends = async () => (await actions()).filter((action) => action === 'GAME_STOPPED').length
    const before = await ends()
    const lastExit = exit(true)
    await take({ ...phase('stopped', { lastExit }), from: 'stopping' } as SupervisorEvent)
    await take({ ...phase('installing', { lastExit }), from: 'stopped' } as SupervisorEvent)
    await take({ ...phase('stopped', { lastExit }), from: 'installing' } as SupervisorEvent)
    expect(await ends()).toBe(before + 1)
  })

  test('why it crashed last can be read, with what is known of it, until it crashes again', async () => {
    const last = () => owner.call(getLastCrash, { params: { id: serverId } }).then((answer) => answer.crash)
    expect(await last()).toBeNull()
    const report = { tag: 'forge_missing_mod', details: { dependant_mod: 'create', required_mods: ['flywheel'] } }
    const told = { ...report, exit: { code: 1, signal: null }, heap: { used: 5e8, max: 1e9 } }
    await take({ ...(crash(false) as Crashed), reasons: ['forge_missing_mod', 'forge_mod_load'], crash: told })
    expect(await last()).toMatchObject({ ...told, last_lines: ['java.lang.OutOfMemoryError'] })
    const { data } = await owner.call(routes.listServerEvents, { params: { id: serverId } })
    const event = data.find(({ action }) => action === 'GAME_CRASHED')
    expect(event?.data['crash_reasons']).toEqual([report, { tag: 'forge_mod_load', details: {} }])
    // One of an older supervisor has no report.
    await take(crash(true))
    expect(await last()).toMatchObject({ tag: 'out_of_memory', details: {}, heap: null })
  })

  test('a crash is over once the game has run well after it, and stays over when that ends', async () => {
    const isOver = async () => (await owner.call(getLastCrash, { params: { id: serverId } })).crash?.is_over
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    await take(crash(false))
    await api.context.database.pool.query('update server_crashes set at = $2 where server_id = $1', [
      serverId,
      minutesAgo(60),
    ])
    await take(phase('running', { launchedAt: minutesAgo(14) }))
    expect(await isOver()).toBe(false)
    await take(phase('stopped', { lastExit: exit(true) }))
    expect(await isOver()).toBe(false)
    await take(phase('running', { launchedAt: minutesAgo(16) }))
    expect(await isOver()).toBe(true)
    await take(phase('stopped', { lastExit: exit(true) }))
    expect(await isOver()).toBe(true)
    await take(crash(false))
    expect(await isOver()).toBe(false)
    // It had run for long before it crashed, which proves nothing.
    await take(phase('restarting', { lastExit: exit(false) }))
    expect(await isOver()).toBe(false)
  })

  test('too many crashes keep the server off until somebody starts it', async () => {
    await take(phase('running'))
    await take(crash(true))
    await take(phase('crashed', { lastExit: exit(false) }))
    expect(await status()).toMatchObject({
      game_status: 'IRL_TERMINATED',
      crashed: true,
      activity: null,
      termination_expected: false,
      termination_code: 1,
    })
    expect(await actions()).toEqual(expect.arrayContaining(['GAME_CRASHED', 'GAME_CRASHED_TOO_MANY_TIMES']))
    const started = await owner.call(routes.startServer, { params: { id: serverId } })
    expect(started).toMatchObject({ crashed: false, activity: 'starting' })
  })

  test('an end that was not asked for is a stop from inside; the end of an asked stop is not', async () => {
    const { db } = api.context
    const wanted = async () => (await findServer(db, serverId))!.want_running
    await take(phase('running'))
    await writeTold(db, serverId, { told: 'down', seq })
    await take(phase('stopped', { lastExit: exit(true) }))
    expect(await wanted()).toBe(true) // a restart, say: it is wanted up all the while
    await writeTold(db, serverId, { told: 'up', seq })
    await take(phase('starting', { lastExit: exit(true) }))
    await take(phase('running', { lastExit: exit(true) }))
    await take(phase('stopped', { lastExit: exit(true) }))
    expect(await wanted()).toBe(false)
    expect((await status()).crashed).toBe(false)
  })

  test('are dated by our clock: no play is credited for time that we know of', async () => {
    const { pool } = api.context.database
    const played = async () => {
      const { rows } = await pool.query<{ seconds: number }>(
        'select seconds::int from server_play where server_id = $1',
        [serverId],
      )
      return rows[0]?.seconds ?? 0
    }
    await take({ ...player('player_joined', 'Steve'), at: '1970-01-01T00:00:00.000Z' })
    await take(player('player_left', 'Steve'))
    expect(await played()).toBeLessThan(60)
    await take(player('player_joined', 'Alex'))
    await take({ ...player('player_left', 'Alex'), at: '2970-01-01T00:00:00.000Z' })
    expect(await played()).toBeLessThan(60)
    // What happened while nobody looked counts, as far back as nothing was known.
    await pool.query("update server_looks set told_until = now() - interval '1 hour' where server_id = $1", [serverId])
    await take({ ...player('player_joined', 'Eve'), at: new Date(Date.now() - 1_800_000).toISOString() })
    await take(player('player_left', 'Eve'))
    expect(Math.abs((await played()) - 1_800)).toBeLessThan(60)
  })

  test('more names than are shown are not kept', async () => {
    for (let index = 0; index < namesKept + 3; index++) await take(player('player_joined', `player_${index}`))
    const { rows } = await api.context.database.pool.query<{ shown: number; kept: number }>(
      `select cardinality(player_names) as shown, cardinality(names) as kept
       from servers join server_play on server_id = id where id = $1`,
      [serverId],
    )
    expect(rows).toEqual([{ shown: namesKept, kept: namesKept }])
  })

  test('of a server that is gone are not taken in', async () => {
    expect(await takeIn(api.context, randomUUID(), phase('running'), { isOld: false })).toBe(false)
    await inTransaction(api.context.db, (trx) =>
      trx.updateTable('servers').set({ deleted_at: new Date() }).where('id', '=', serverId).execute(),
    )
    expect(await take(phase('running'))).toBe(false)
  })
})

describe('the preparation of a new server', () => {
  const preparation = async () => (await owner.call(listProcesses, { params: { id: serverId } }))[0]
  const preparedEvents = async () =>
    (await owner.call(routes.listServerEvents, { params: { id: serverId } })).data.filter(
      ({ action }) => action === 'SERVER_PREPARED',
    )
  const failed = (): SupervisorEvent => ({
    seq: ++seq,
    at: new Date().toISOString(),
    type: 'install_failed',
    planHash: 'plan',
    packageName: 'flying-squid',
    error: 'not there',
  })

  test('is an operation that nobody may cancel, and ends once, with the game up', async () => {
    const begun = await preparation()
    expect(begun).toMatchObject({
      kind: 'prepare',
      state: 'queued',
      phase: null,
      can_cancel: false,
      trouble: null,
      about: { engine: 'flying-squid', version: engineVersion },
      executor: { id: owner.user.id },
    })
    const other = { serverId, kind: 'format', input: {}, userId: null } as const
    await expect(inTransaction(api.context.db, (trx) => beginOperation(api.context, trx, other))).rejects.toMatchObject(
      { code: 'server_is_preparing' },
    )
    const params = { id: serverId, process_id: begun!.id }
    expect(await outcomeOf(owner.call(cancelProcess, { params }))).toBe('process_cant_be_cancelled')
    await notePreparation(api.context.db, serverId, { phase: 'install', progress: 0.4, item: 'flying-squid' })
    await notePreparation(api.context.db, serverId, { phase: 'place', progress: 0.02, item: null })
    expect(await preparation()).toMatchObject({ state: 'running', phase: 'place', progress: expect.closeTo(0.4, 5) })
    await take(failed())
    const { trouble } = (await preparation())!
    expect(trouble?.code).toBe('game_setup_is_invalid')
    expect(Date.parse(trouble!.retry_at!)).toBeGreaterThan(Date.now())
    await take({ seq: ++seq, at: new Date().toISOString(), type: 'installed', planHash: 'plan' })
    expect(await preparation()).toMatchObject({ phase: 'start', trouble: null })
    const running = phase('running')
    await Promise.all(Array.from({ length: 5 }, () => take(running)))
    await take(phase('stopped', { lastExit: exit(true) }))
    await take(phase('running'))
    expect(await preparation()).toMatchObject({ state: 'done', progress: 1, item: null, error: null })
    expect(await preparedEvents()).toMatchObject([{ success: true, data: { process_id: begun!.id } }])
  })

  test('has failed where the game cannot stay up, and has ended where the server is gone', async () => {
    await take(crash(true))
    expect(await preparation()).toMatchObject({ state: 'failed', error: { code: 'game_setup_is_invalid' } })
    expect(await preparedEvents()).toMatchObject([{ success: false, data: { outcome: 'failed' } }])
    const { id } = await owner.call(routes.createServer, {
      body: order(await topUp(api.context, owner, 5000), engineVersion),
    })
    const { pool } = api.context.database
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    await endVainPreparations(api.context.db)
    const { rows } = await pool.query('select server_id, state from operations where server_id in ($1, $2)', [
      id,
      serverId,
    ])
    expect(rows).toEqual(
      expect.arrayContaining([
        { server_id: id, state: 'cancelled' },
        { server_id: serverId, state: 'failed' },
      ]),
    )
  })

  test('has ended where the time is over, and goes on once that is renewed', async () => {
    const { id } = await owner.call(routes.createServer, {
      body: order(await topUp(api.context, owner, 5000), engineVersion),
    })
    const { pool } = api.context.database
    const expireIn = (interval: string) =>
      pool.query(
        `update services set expires = now() + $2::interval where id = (select service_id from servers where id = $1)`,
        [id, interval],
      )
    const state = async () =>
      (await pool.query('select state, ended_at is null as is_open from operations where server_id = $1', [id])).rows
    await endVainPreparations(api.context.db)
    expect(await state()).toEqual([{ state: 'queued', is_open: true }])
    await expireIn('-1 minute')
    await endVainPreparations(api.context.db)
    const step = { phase: 'place', progress: 0.02, item: null } as const
    await notePreparation(api.context.db, id, step)
    expect(await state()).toEqual([{ state: 'cancelled', is_open: false }])
    await expireIn('1 day')
    await notePreparation(api.context.db, id, step)
    expect(await state()).toEqual([{ state: 'running', is_open: true }])
  })
})

test('power actions that do not fit the state are refused, as the table says', async () => {
  const params = { id: serverId }
  const outcome = (route: typeof routes.startServer | typeof routes.stopServer | typeof routes.restartServer) =>
    owner.call(route, { params }).then(
      () => 'done',
      (error: { body: { error: string } }) => error.body.error,
    )
  const outcomes = async () => [
    await outcome(routes.startServer),
    await outcome(routes.restartServer),
    await outcome(routes.stopServer),
  ]
  const same = (code: string) => [code, code, code]
  expect(await outcomes()).toEqual(same('server_is_preparing'))
  await take(phase('starting'))
  await take(phase('running'))
  expect(await outcome(routes.startServer)).toBe('server_is_running')
  expect(await outcome(routes.stopServer)).toBe('done')
  expect(await outcomes()).toEqual(same('server_is_not_stopped'))
  await take(phase('stopped', { lastExit: exit(true) }))
  expect(await outcome(routes.restartServer)).toBe('server_is_not_running')
  expect(await outcome(routes.stopServer)).toBe('server_is_not_running')
  expect(await outcome(routes.startServer)).toBe('done')
  expect(await outcome(routes.startServer)).toBe('game_process_already_started')
  expect(await outcome(routes.restartServer)).toBe('game_process_already_started')
  expect(await outcome(routes.stopServer)).toBe('done')
  // Of many who ask at once, one is heard.
  await take(phase('stopped', { lastExit: exit(true) }))
  const many = await Promise.all(Array.from({ length: 6 }, () => outcome(routes.startServer)))
  expect(many.toSorted()).toEqual(['done', ...Array.from({ length: 5 }, () => 'game_process_already_started')])
})

test('a disk that becomes full is told of once, and again after it was emptier', async () => {
  const { limits } = (await findServer(api.context.db, serverId))!
  const { storage } = limits as { storage: number }
  const fill = async (part: number) => {
    await takeIn(api.context, serverId, phase('stopped', { diskBytes: Math.round(storage * part) }), { isOld: false })
    await warnOfFullDisk(api.context.db, serverId)
  }
  const told = async () =>
    (await owner.call(routes.listServerEvents, { params: { id: serverId }, query: { limit: 100 } })).data
      .filter(({ action }) => action === 'SERVER_DISC_QUOTA_WARNING')
      .map(({ data }) => data)
  await fill(0.89)
  expect(await told()).toEqual([])
  for (const part of [0.93, 0.99, 0.88, 0.95]) await fill(part)
  expect(await told()).toEqual([expect.objectContaining({ percentage: 93 })])
  const { notifications } = await owner.call(listServerNotifications, {
    params: { userId: owner.user.id, serverId },
    query: {},
  })
  expect(notifications.filter(({ type }) => type === 'SERVER_DISK_QUOTA_WARNING')).toMatchObject([
    { fields: { percent: 93 } },
  ])
  await fill(0.5)
  await fill(1)
  expect(await told()).toHaveLength(2)
})
