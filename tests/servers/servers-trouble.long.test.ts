/** Servers when things go wrong: packages that cannot be had, games that do not listen, two workers at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { panelState } from '@wakestone/contract/states'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isDown, isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

let api: TestApi
let engineVersion: string
let owner: Caller
const workers: Awaited<ReturnType<typeof startTestWorker>>[] = []

beforeAll(async () => {
  api = await startTestApi({ WORKLOAD_LINGER_SECONDS: '3600' })
  ;({ engineVersion } = await prepareArtifacts(api))
  workers.push(await startTestWorker(api), await startTestWorker(api))
  owner = await api.signUp()
}, 120_000)
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await workers[0]?.removeAll()
  await api?.close()
})

const rent = async () =>
  (await owner.call(routes.createServer, { body: order(await topUp(api.context, owner, 5000), engineVersion) })).id
const eventsOf = async (id: string) =>
  (await owner.call(routes.listServerEvents, { params: { id }, query: { limit: 100 } })).data

test('a package that cannot be had is told of, and a start tries again', async () => {
  const folder = join(api.dataDir, 'artifacts')
  const archives = readdirSync(folder)
    .filter((name) => name.endsWith('.tar.gz'))
    .map((name) => join(folder, name))
  for (const archive of archives) renameSync(archive, `${archive}.away`)
  const id = await rent()
  const failed = await untilStatus(owner, id, ({ preparation }) => preparation?.error != null)
  expect(failed).toMatchObject({
    game_status: 'IRL_NEW',
    activity: null,
    preparation: { error: 'game_setup_is_invalid' },
  })
  expect(panelState(failed)).toBe('failed')
  for (const archive of archives) renameSync(`${archive}.away`, archive)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
  const installs = (await eventsOf(id)).filter(({ action }) => action === 'SERVER_INSTALL_PACKAGE')
  expect(installs.map(({ success }) => success)).toEqual([true, false])
}, 60_000)

test('a kill passes a stop by that the game does not follow', async () => {
  const id = await rent()
  await untilStatus(owner, id, isUp)
  for (const pid of gamesIn(id)) process.kill(pid, 'SIGSTOP')
  await owner.call(routes.stopServer, { params: { id } })
  await untilStatus(owner, id, ({ activity }) => activity === 'stopping')
  await owner.call(routes.killServer, { params: { id } })
  const down = await untilStatus(owner, id, isDown, 20_000)
  expect(down).toMatchObject({ crashed: false, termination_expected: true })
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
}, 60_000)

test('a game that a start and a stop quarrel over ends as was asked last, and nothing is counted twice', async () => {
  const id = await rent()
  await untilStatus(owner, id, isUp)
  const params = { id }
  // What is asked while the game is on its way is refused, unless it has got there meanwhile.
  const refusals = new Set<string>()
  const ask = (action: typeof routes.stopServer | typeof routes.startServer | typeof routes.restartServer) =>
    owner.call(action, { params }).catch((error: { body: { error: string } }) => refusals.add(error.body.error))
  for (let round = 0; round < 3; round++) {
    await ask(routes.stopServer)
    await ask(routes.startServer)
    await ask(routes.restartServer)
    await owner.call(routes.setAutostart, { params, query: { value: '1', hardRestart: '1' } })
  }
  expect(refusals).toContain('server_is_not_stopped')
  await untilStatus(owner, id, isUp)
  await owner.call(routes.stopServer, { params })
  await untilStatus(owner, id, isDown)
  await owner.call(routes.startServer, { params })
  await untilStatus(owner, id, isUp)
  const actions = (await eventsOf(id)).map(({ action }) => action)
  const count = (wanted: string) => actions.filter((action) => action === wanted).length
  // A start that is stopped before the game answers is no GAME_STARTED.
  expect(count('GAME_STARTED')).toBeLessThanOrEqual(count('GAME_STOPPED') + 1)
  expect(count('SERVER_POD_CREATED')).toBe(1)
  expect(count('GAME_CRASHED')).toBe(0)
}, 60_000)

test('what goes on after a game has been stopped is ended, whatever its supervisor says', async () => {
  const id = await rent()
  await untilStatus(owner, id, isUp)
  // Nobody inside may end it: to the supervisor it is a stranger, and its game has ended.
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
  const init = String(initOf(id))
  const stranger = spawn('nsenter', [...asUser, '--target', init, '--pid', 'sleep', '600'], { stdio: 'ignore' })
  const ended = once(stranger, 'exit')
  await owner.call(routes.stopServer, { params: { id } })
  await ended
  await untilStatus(owner, id, isDown)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
}, 60_000)

test('what is wanted is found without a job, and what stands still is left alone', async () => {
  const other = await api.signUp()
  const { id } = await other.call(routes.createServer, {
    body: order(await topUp(api.context, other, 5000), engineVersion),
  })
  await untilStatus(other, id, isUp)
  const { pool } = api.context.database
  const suspend = (isSuspended: boolean) =>
    pool.query(
      `update users set suspended_at = case when $2 then now() end, suspended_reason = case when $2 then 'a test' end
       where id = $1`,
      [other.user.id, isSuspended],
    )
  const phaseOf = async () =>
    (await pool.query<{ phase: string }>('select phase from servers where id = $1', [id])).rows[0]!.phase
  // No job tells of these: whoever was to send it has died.
  await suspend(true)
  await vi.waitFor(async () => expect(await phaseOf()).toBe('stopped'), 20_000)
  const looks = async () => {
    const { rows } = await pool.query<{ looks: number; wait: number }>(
      `select (select count(*)::int from pgboss.job where name = 'reconcile-server' and data ->> 'serverId' = $1) as looks,
        extract(epoch from next_look_at - now())::int as wait
       from server_looks where server_id = $1::uuid`,
      [id],
    )
    return rows[0]!
  }
  await vi.waitFor(async () => expect((await looks()).wait).toBeGreaterThan(100), 30_000)
  const settled = (await looks()).looks
  let least = Infinity
  for (let sample = 0; sample < 40; sample++) {
    await delay(100)
    least = Math.min(least, (await looks()).wait)
  }
  expect((await looks()).looks).toBe(settled)
  expect(least).toBeGreaterThan(100)
  await suspend(false)
  await vi.waitFor(async () => expect(await phaseOf()).toBe('running'), 20_000)
}, 90_000)

test('a worker that leaves hands its servers over', async () => {
  const id = await rent()
  await untilStatus(owner, id, isUp)
  await workers.shift()!.stop()
  await owner.call(routes.stopServer, { params: { id } })
  await untilStatus(owner, id, isDown)
  await owner.call(routes.startServer, { params: { id } })
  await untilStatus(owner, id, isUp)
}, 60_000)

function initOf(serverId: string): number {
  const info = join(api.dataDir, 'servers', serverId, 'host', 'info.json')
  return (JSON.parse(readFileSync(info, 'utf8')) as { 'child-pid': number })['child-pid']
}

/** Processes of the game of one server: those in its sandbox that run the engine. */
function gamesIn(serverId: string): number[] {
  const sandbox = initOf(serverId)
  const namespaceOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8').match(/^NSpid:\t\d+\t/m) && parentsOf(pid).includes(sandbox)
    } catch {
      return false
    }
  }
  const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => namespaceOf(pid) && commandOf(pid).includes('server.js'))
}
function parentsOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  return parent <= 1 ? [] : [parent, ...parentsOf(parent)]
}
