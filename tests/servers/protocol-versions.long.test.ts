/** Supervisors and control planes of different ages: whatever one does not understand of the other, games go on. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bot } from 'mineflayer'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createSupervisorClient } from '../../apps/server/src/adapters/supervisor/client.ts'
import { createGate } from '../../apps/server/src/adapters/supervisor/gate.ts'
import { createSupervisorSigner } from '../../apps/server/src/adapters/supervisor/tokens.ts'
import { createOldControlPlane } from '../fixtures/protocol-1/control-plane.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { joinServer, waitForChat } from '../support/player.ts'
import { createProgramCluster, type ProgramCluster } from '../support/program-cluster.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

const oldSupervisor = join(import.meta.dirname, '../fixtures/protocol-1/supervisor.ts')
const ourSupervisor = join(import.meta.dirname, '../../apps/supervisor/src/main.ts')
/** Supervisors that nobody reaches are replaced after this. */
const patience = 1_500

let cluster: ProgramCluster
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let engineVersion: string
const bots: Bot[] = []

beforeAll(async () => {
  api = await startTestApi({}, { openCluster: (publicKey) => (cluster = createProgramCluster(publicKey)) })
  ;({ engineVersion } = await prepareArtifacts(api))
  owner = await api.signUp()
  worker = await startTestWorker(api, { unreachedPatience: patience })
}, 120_000)
afterEach(() => {
  for (const bot of bots.splice(0)) bot.end()
})
afterAll(async () => {
  await worker?.stop()
  cluster?.close()
  await api?.close()
})

async function rent() {
  const body = order(await topUp(api.context, owner, 5000), engineVersion)
  return (await owner.call(routes.createServer, { body })).id
}
async function joinGame(port: number) {
  const bot = await joinServer({ host: '127.0.0.1', gamePort: port, username: 'Steve' })
  bots.push(bot)
  let hasLeft = false
  bot.once('end', () => void (hasLeft = true))
  return { bot, hasLeft: () => hasLeft }
}
const rowOf = async (id: string) => {
  const { rows } = await api.context.database.pool.query<{
    game_port: number
    unheard_since: Date | null
    asked: number
  }>('select game_port, unheard_since, asked from servers join server_looks on server_id = id where id = $1', [id])
  return rows[0]!
}
const lookNow = (id: string) => api.context.database.pool.query('select look_at_server($1)', [id])
async function endpointOf(id: string) {
  const placement = await cluster.inspect(id)
  if (placement.state !== 'running' || placement.endpoint.kind !== 'unix') throw new Error('not placed')
  return placement.endpoint.path
}
const actionsOf = async (id: string) =>
  (await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100 } })).data.map(
    ({ action }) => action,
  )

test('a supervisor of an older, of a later and of a foreign version keeps its game and its players', async () => {
  cluster.use(oldSupervisor)
  const id = await rent()
  await untilStatus(owner, id, isUp)
  const pid = cluster.pidOf(id)
  const speak = async (words: string) => writeFileSync(join(dirname(await endpointOf(id)), 'speech'), words)
  const player = await joinGame((await rowOf(id)).game_port)
  const plays = ({ players }: { players: { names: string[] } }) => players.names.includes('Steve')
  await untilStatus(owner, id, plays)

  await speak('later')
  await vi.waitFor(async () => {
    const { rows } = await api.context.database.pool.query(
      'select 1 from servers where id = $1 and supervisor_seq > 20',
      [id],
    )
    expect(rows).toHaveLength(1) // events that nobody knows are passed over
  }, 15_000)
  expect(await owner.call(routes.getServerStatus, { params: { id } })).toMatchObject({
    game_status: 'IRL_RUNNING',
    players: { names: ['Steve'] },
  })

  await speak('foreign')
  await lookNow(id)
  await vi.waitFor(async () => {
    const { unheard_since } = await rowOf(id)
    expect(Date.now() - (unheard_since?.getTime() ?? Infinity)).toBeGreaterThan(2 * patience)
  }, 15_000)
  await lookNow(id)
  await vi.waitFor(async () => {
    const { rows } = await api.context.database.pool.query(
      'select 1 from server_looks where server_id = $1 and next_look_at > now()',
      [id],
    )
    expect(rows).toHaveLength(1) // looked at again, long after what is not reached would be replaced
  }, 15_000)
  expect(cluster.pidOf(id)).toBe(pid)

  await speak('')
  await lookNow(id)
  await vi.waitFor(async () => expect((await rowOf(id)).unheard_since).toBeNull(), 15_000)
  const heard = waitForChat(player.bot, /still here/)
  const supervisor = await worker.fleet.find(id)
  await supervisor!.command('say still here')
  await heard
  expect(player.hasLeft()).toBe(false)
  expect((await actionsOf(id)).filter((action) => action === 'SERVER_POD_CREATED')).toHaveLength(1)
  expect(await actionsOf(id)).not.toContain('SERVER_POD_CRASHED')
  await owner.call(routes.stopServer, { params: { id } })
  expect(await untilStatus(owner, id, isDown)).toMatchObject({ termination_expected: true, crashed: false })
  expect(cluster.pidOf(id)).toBe(pid)
}, 90_000)

test('a supervisor of ours serves the requests of an older control plane', async () => {
  await worker.stop()
  cluster.use(ourSupervisor)
  const id = await rent()
  const { rows } = await api.context.database.pool.query<{ plan: unknown }>(
    'select plan from server_plans where server_id = $1',
    [id],
  )
  const limits = { memoryBytes: 1024 ** 3, cpu: 1, diskBytes: 1024 ** 3, players: 20 }
  const { endpoint } = await cluster.place({ serverId: id, limits })
  const sign = createSupervisorSigner(api.context.secrets.supervisor.privateKey)
  const old = createOldControlPlane({
    socketPath: (endpoint as { path: string }).path,
    token: () => sign({ serverId: id, purpose: 'control' }),
  })
  const reach = (phase: string) =>
    vi.waitFor(async () => expect((await old.status()).phase).toBe(phase), { timeout: 30_000, interval: 50 })
  expect((await old.install(rows[0]!.plan)).protocol).toBe(1)
  await reach('stopped')
  await old.start()
  await reach('running')
  const player = await joinGame((await old.status()).gamePort!)
  const heard = waitForChat(player.bot, /from an old one/)
  expect(await old.command('say from an old one')).toBe(204)
  await heard
  const events = await old.readEvents(({ type }) => type === 'player_joined')
  expect(await old.acknowledge(events.at(-1)!.seq)).toBe(204)
  expect(player.hasLeft()).toBe(false)

  // One that was frozen by the control plane of today, before the step back.
  const pid = cluster.pidOf(id)
  const gate = createGate({ serverId: id, logger: api.context.logger })
  const today = createSupervisorClient({ endpoint, serverId: id, sign, gate })
  player.bot.end()
  await vi.waitFor(async () => {
    expect((await today.status()).awake).toEqual([])
    await today.freeze()
  }, 15_000)
  await vi.waitFor(async () => expect((await today.status()).phase).toBe('frozen'), 15_000)
  expect((await old.status()).phase).toBe('running')
  const again = await joinGame((await old.status()).gamePort!)
  const told = await old.readEvents(({ type, seq }) => type === 'player_joined' && seq > events.at(-1)!.seq)
  expect(told.flatMap((event) => (event.type === 'phase' ? [event.status.phase] : []))).not.toContain('frozen')
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => told[0]!.seq + index))
  expect(cluster.pidOf(id)).toBe(pid)
  expect(again.hasLeft()).toBe(false)
  expect((await old.stop(30)).phase).toMatch(/stopping|stopped/)
  await reach('stopped')

  // And the control plane of today goes on from there, with the same supervisor.
  worker = await startTestWorker(api, { unreachedPatience: patience })
  await untilStatus(owner, id, isUp)
  expect(await untilStatus(owner, id, isUp)).toMatchObject({ crashed: false })
  expect(cluster.pidOf(id)).toBe(pid)
}, 90_000)

test('a game that runs on although its supervisor says it has stopped is ended with it', async () => {
  cluster.use(oldSupervisor)
  const id = await rent()
  await untilStatus(owner, id, isUp)
  const pid = cluster.pidOf(id)
  const player = await joinGame((await rowOf(id)).game_port)
  writeFileSync(join(dirname(await endpointOf(id)), 'speech'), 'lie')
  await owner.call(routes.stopServer, { params: { id } })
  await vi.waitFor(() => expect(player.hasLeft()).toBe(true), 20_000)
  await vi.waitFor(async () => expect(cluster.pidOf(id)).not.toBe(pid), 20_000)
  await untilStatus(owner, id, isDown)
  expect(await actionsOf(id)).toContain('SERVER_POD_DELETED')
}, 60_000)

test('a supervisor that nobody reaches is replaced', async () => {
  cluster.use(oldSupervisor)
  const id = await rent()
  await untilStatus(owner, id, isUp)
  const pid = cluster.pidOf(id)
  const speech = join(dirname(await endpointOf(id)), 'speech')
  writeFileSync(speech, 'deaf')
  await vi.waitFor(
    async () => {
      await lookNow(id)
      expect(cluster.pidOf(id)).not.toBe(pid)
    },
    { timeout: 30_000, interval: 200 },
  )
  writeFileSync(speech, '')
  await vi.waitFor(async () => expect(await actionsOf(id)).toContain('SERVER_POD_CRASHED'), 20_000)
  await untilStatus(owner, id, isUp)
  expect(cluster.placements(id)).toBe(2)
}, 60_000)
