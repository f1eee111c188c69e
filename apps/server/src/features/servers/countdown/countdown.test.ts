/** Countdowns on a real database, with workers that are killed; nobody plays for real. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { closeContext, type Context, createContext } from '#src/context.ts'
import { createLocks } from '#src/db/locks.ts'
import { createRunner } from '#src/features/servers/operations/runner.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { crashEverywhere, createCrashes } from '../../../../../../tests/support/crashes.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, prepareArtifacts, setPrepared, topUp } from '../../../../../../tests/support/servers.ts'
import { calledOffText, soonText } from './game-texts.ts'
import { countdown } from './service.ts'

let api: TestApi
let owner: Caller
let id: string
/** The worker's own, which crashes. */
let worker: Context
let crashes: ReturnType<typeof createCrashes>

beforeAll(async () => {
  api = await startTestApi()
  const { settings, secrets, logger, databaseUrl } = api.context
  worker = await createContext({ settings, secrets, logger, databaseUrl, role: 'api' })
  crashes = createCrashes(worker.database.pool)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  id = (await owner.call(routes.createServer, { body: order(await topUp(api.context, owner, 5000), engineVersion) })).id
  await setPrepared(api, id)
}, 120_000)
afterAll(async () => {
  if (worker !== undefined) await closeContext(worker)
  await api?.close()
})

const play = (players: number) =>
  api.context.database.pool.query(
    `update servers set want_running = true, phase = 'running', level = 'RUNNING', level_since = now(), players_online = $2,
      restarts_done = restarts_wanted where id = $1`,
    [id, players],
  )
beforeEach(async () => {
  await api.context.database.pool.query('delete from operations where server_id = $1', [id])
  await play(1)
})

/** A worker that lives until nothing counts down, or it is killed. */
async function live(): Promise<void> {
  const locks = createLocks({ url: worker.databaseUrl, logger: worker.logger })
  try {
    const { run } = createRunner({
      deps: worker,
      kinds: [countdown],
      locks,
      lookMilliseconds: 10,
      pauseMilliseconds: 1,
    })
    for (const { id: operationId, state } of await api.context.db.selectFrom('operations').selectAll().execute())
      if (state !== 'done') await run(operationId, new AbortController().signal)
  } finally {
    await locks.close()
  }
}

const server = () =>
  api.context.db
    .selectFrom('servers')
    .select(['want_running', 'restarts_wanted'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const begin = (action: 'stop' | 'restart', in_seconds: number) =>
  owner.call(action === 'stop' ? routes.stopServer : routes.restartServer, { params: { id }, query: { in_seconds } })
/** Brings the time of what counts down nearer. */
const endWithin = (milliseconds: number) =>
  api.context.database.pool.query(
    `update operations set input = input || jsonb_build_object('at', $1::text) where ended_at is null`,
    [new Date(Date.now() + milliseconds).toISOString()],
  )
const cancel = () => owner.call(routes.cancelCountdown, { params: { id } })
const open = async () =>
  (await owner.call(listProcesses, { params: { id } })).filter(({ ended_at }) => ended_at === null)
async function countEvents(action: 'SERVER_GAME_START' | 'SERVER_COUNTDOWN' | 'SERVER_COUNTDOWN_CANCEL') {
  const { data } = await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100, action } })
  return data.length
}

test('a restart is done once, whenever the worker is killed in the countdown', async () => {
  let before = 0
  let told = 0
  await crashEverywhere(crashes, {
    async prepare() {
      await play(1)
      before = (await server()).restarts_wanted
      told = await countEvents('SERVER_GAME_START')
      await begin('restart', 1)
      expect((await server()).restarts_wanted).toBe(before)
      await endWithin(50)
    },
    act: live,
    async check(_, moment) {
      expect((await server()).restarts_wanted, moment).toBe(before + 1)
      expect(await countEvents('SERVER_GAME_START'), moment).toBe(told + 1)
      expect(await open(), moment).toEqual([])
    },
  })
}, 120_000)

test('is shown with its time, and can be cancelled by whoever may stop the server', async () => {
  const answer = await begin('stop', 300)
  expect(answer.game_status).toBe('IRL_RUNNING')
  const [shown] = await open()
  expect(shown).toMatchObject({ kind: 'countdown', about: { action: 'stop' }, executor: { id: owner.user.id } })
  expect(Date.parse(shown!.about['at'] as string) - Date.now()).toBeGreaterThan(290_000)
  const cancelled = await countEvents('SERVER_COUNTDOWN_CANCEL')
  await cancel()
  await live()
  expect(await open()).toEqual([])
  expect((await server()).want_running).toBe(true)
  expect(await countEvents('SERVER_COUNTDOWN_CANCEL')).toBe(cancelled + 1)
  expect(await outcomeOf(cancel())).toBe('process_not_found')
})

test('another countdown takes the place of the one before, and a stop at once ends it', async () => {
  await begin('stop', 300)
  await begin('restart', 60)
  const going = (await open()).filter(({ state }) => state !== 'cancelling')
  expect(going).toMatchObject([{ about: { action: 'restart' } }])
  const { restarts_wanted } = await server()
  expect((await begin('stop', 0)).activity).toBe('stopping')
  await live()
  expect(await server()).toEqual({ want_running: false, restarts_wanted })
  expect(await open()).toEqual([])
})

test('nobody is waited for where nobody plays, or once the last one has left', async () => {
  await play(0)
  const { restarts_wanted } = await server()
  await begin('restart', 300)
  expect((await server()).restarts_wanted).toBe(restarts_wanted + 1)
  await play(1)
  await begin('stop', 300)
  expect((await server()).want_running).toBe(true)
  await play(0)
  await live()
  expect((await server()).want_running).toBe(false)
})

test('the players read it in the language of the server', () => {
  expect(soonText('en', 'restart', 300)).toBe('This server restarts in 5 minutes.')
  expect(soonText('en', 'stop', 1)).toBe('This server stops in 1 second.')
  expect(soonText('pl', 'restart', 60)).toBe('Serwer uruchomi się ponownie za 1 minutę.')
  expect(soonText('pl', 'stop', 3)).toBe('Serwer zatrzyma się za 3 sekundy.')
  expect(soonText('pl', 'stop', 5)).toBe('Serwer zatrzyma się za 5 sekund.')
  expect(soonText('de', 'stop', 90)).toBe('Dieser Server stoppt in 90 Sekunden.')
  expect(calledOffText('en', 'stop')).toContain('cancelled')
})
