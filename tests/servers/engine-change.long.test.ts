/** Change of the engine, the way back, and a format, through the front door: real supervisors, engines of stand-in makers. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getLastCrash } from '@wakestone/contract/servers/crash-routes'
import * as engines from '@wakestone/contract/servers/engine-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as parameters from '@wakestone/contract/servers/parameters-routes'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { isDown, isUp, order, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let upstreams: Upstreams
let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let serverId: string

beforeAll(async () => {
  upstreams = await startUpstreams()
  api = await startTestApi(upstreams.settings)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const body = order(walletId, '1.20.4', { engine: 'vanilla' })
  serverId = (await owner.call(routes.createServer, { body })).id
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
  await upstreams?.close()
})

const params = () => ({ id: serverId })
const change = (body: Parameters<typeof owner.call<typeof engines.changeEngine>>[1]['body']) =>
  owner.call(engines.changeEngine, { params: params(), body })
const get = (id: string) => owner.call(processes.getProcess, { params: { id: serverId, process_id: id } })

async function until(id: string, isThere: (operation: Operation) => boolean): Promise<Operation> {
  for (const deadline = Date.now() + 90_000; ;) {
    const operation = await get(id)
    if (isThere(operation)) return operation
    if (isOver(operation.state) || Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
    await delay(50)
  }
}
const end = (id: string) => until(id, ({ state }) => isOver(state))
const engineOf = async () => {
  const { engine, version } = await owner.call(engines.getEngine, { params: params() })
  return `${engine} ${version}`
}
const lastEvent = async (action: 'SERVER_CHANGE_ENGINE' | 'SERVER_FORMAT') =>
  (await owner.call(routes.listServerEvents, { params: params(), query: { action } })).data[0]

test('a running server comes up with the new version, its Java and its files; the event says so', async () => {
  const begun = await change({ engine: 'vanilla', version: '1.21.4', ignore_format: true })
  expect(begun.stop_game_process_id).toBe(begun.change_engine_process_id)
  // While it is under way nothing else of its kind begins, and it says by name why.
  const refused = await refusalOf(owner.call(engines.formatServer, { params: params(), body: {} }))
  expect(refused).toMatchObject({
    error: 'server_has_running_engine_change',
    fields: { process_id: begun.change_engine_process_id },
  })
  expect(await end(begun.change_engine_process_id)).toMatchObject({
    state: 'done',
    progress: 1,
    about: { engine: 'vanilla', version: '1.21.4', old_version: '1.20.4' },
  })
  expect(await engineOf()).toBe('vanilla 1.21.4')
  await untilStatus(owner, serverId, isUp)
  expect(await lastEvent('SERVER_CHANGE_ENGINE')).toMatchObject({
    success: true,
    executor: { id: owner.user.id },
    data: { old_engine: 'vanilla 1.20.4', new_engine: 'vanilla 1.21.4' },
  })
})

test('an older version would spoil the world: refused before anything stops', async () => {
  const refused = await refusalOf(change({ engine: 'vanilla', version: '1.16.5', ignore_format: true }))
  expect(refused).toMatchObject({ error: 'world_is_newer', fields: { world: '1.21.4', version: '1.16.5' } })
  expect(await refusalOf(change({ engine: 'vanilla', version: '1.16.5', keep_files: ['world'] }))).toMatchObject({
    error: 'world_is_newer',
  })
  expect(await outcomeOf(change({ engine: 'vanilla', version: '9.9.9', ignore_format: true }))).toBe(
    'engine_version_not_found',
  )
  expect(isUp(await owner.call(routes.getServerStatus, { params: params() }))).toBe(true)
})

test('an engine that cannot be installed is given up, and the former one is up again', async () => {
  upstreams.misbehave(/server\.jar$/, 'missing')
  const { change_engine_process_id: id } = await change({ engine: 'vanilla', version: '1.21.11', ignore_format: true })
  expect(await end(id)).toMatchObject({ state: 'rolled_back', error: { code: 'game_setup_is_invalid' } })
  upstreams.behave()
  expect(await engineOf()).toBe('vanilla 1.21.4')
  await untilStatus(owner, serverId, isUp)
  expect(await lastEvent('SERVER_CHANGE_ENGINE')).toMatchObject({
    success: false,
    error: { code: 'game_setup_is_invalid' },
    data: { outcome: 'rolled_back', new_engine: 'vanilla 1.21.11' },
  })
})

test('cancelled while it is installed, it goes on as before', async () => {
  upstreams.misbehave(/server\.jar$/, 'silent')
  const { change_engine_process_id: id } = await change({ engine: 'paper', ignore_format: true })
  await until(id, ({ phase }) => phase === 'install')
  const process = { id: serverId, process_id: id }
  expect(await owner.call(processes.cancelProcess, { params: process })).toMatchObject({ state: 'cancelling' })
  upstreams.behave()
  expect(await end(id)).toMatchObject({ state: 'cancelled', error: null })
  expect(await engineOf()).toBe('vanilla 1.21.4')
  await untilStatus(owner, serverId, isUp)
})

test('the world itself says that it is newer, before and after the game has saved it', async () => {
  const type = async (line: string) => (await worker.fleet.find(serverId))!.command(line)
  const newer = { engine: 'vanilla', version: '1.21.11', ignore_format: true } as const
  const isNewer = { world: '26.1.2', version: '1.21.11' }
  // Known only once it is down: nothing has been touched by then.
  await type('world 26.1.2')
  const ended = await end((await change(newer)).change_engine_process_id)
  expect(ended).toMatchObject({ state: 'rolled_back', error: { code: 'world_is_newer', fields: isNewer } })
  expect(await engineOf()).toBe('vanilla 1.21.4')
  // And the engine that is there does not begin on it.
  await vi.waitFor(async () => {
    const { crash } = await owner.call(getLastCrash, { params: params() })
    expect(crash).toMatchObject({
      tag: 'version_downgrade',
      details: { world_version: '26.1.2', server_version: '1.21.4' },
    })
  }, 20_000)
  expect(await refusalOf(change(newer))).toMatchObject({ error: 'world_is_newer', fields: isNewer })
  const mended = await change({ engine: 'vanilla', version: '26.1.2', ignore_format: true })
  expect(await end(mended.change_engine_process_id)).toMatchObject({ state: 'done' })
  await untilStatus(owner, serverId, isUp)
})

test('a server that is off stays off', async () => {
  await owner.call(routes.stopServer, { params: params() })
  await untilStatus(owner, serverId, isDown)
  const begun = await change({ engine: 'paper', version: '26.1.2', ignore_format: true })
  expect(begun.stop_game_process_id).toBeNull()
  expect(await end(begun.change_engine_process_id)).toMatchObject({ state: 'done' })
  expect(await engineOf()).toBe('paper 26.1.2')
  expect(isDown(await owner.call(routes.getServerStatus, { params: params() }))).toBe(true)
  await owner.call(routes.startServer, { params: params() })
  await untilStatus(owner, serverId, isUp)
})

test('a format installs the engine anew', async () => {
  const { format_process_id: id } = await owner.call(engines.formatServer, { params: params(), body: {} })
  expect(await end(id)).toMatchObject({ state: 'done', kind: 'format' })
  await untilStatus(owner, serverId, isUp)
  expect(await engineOf()).toBe('paper 26.1.2')
  expect(await lastEvent('SERVER_FORMAT')).toMatchObject({ success: true, data: { process_id: id } })
})

/** A file of the game's that tells one state of the volume from another. */
const supervisor = () =>
  vi.waitFor(async () => (await worker.fleet.find(serverId)) ?? Promise.reject(new Error('no supervisor')), 30_000)
const build = async (name: string) => (await supervisor()).writeFile('ops.json', JSON.stringify([{ name }]))
const builder = async () => {
  const text = await (await supervisor()).readFile('ops.json')
  return text === undefined ? null : (JSON.parse(text) as { name: string }[])[0]?.name
}

test('what was deleted comes back with the engine it belonged to, and one may go back from there too', async () => {
  await build('stone')
  const begun = await change({ engine: 'vanilla', version: '1.20.4', keep_files: ['server.properties'] })
  expect(await end(begun.change_engine_process_id)).toMatchObject({ state: 'done' })
  await untilStatus(owner, serverId, isUp)
  expect(await builder()).toBeNull()
  const { back } = await owner.call(engines.getEngine, { params: params() })
  expect(back).toMatchObject({ engine: 'paper', version: '26.1.2' })
  expect(Date.parse(back!.until) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)

  await build('wood')
  const returning = await owner.call(engines.returnEngine, { params: params() })
  expect(await end(returning.change_engine_process_id)).toMatchObject({ state: 'done', kind: 'engine_return' })
  await untilStatus(owner, serverId, isUp)
  expect([await builder(), await engineOf()]).toEqual(['stone', 'paper 26.1.2'])
  const again = await owner.call(engines.returnEngine, { params: params() })
  expect(await end(again.change_engine_process_id)).toMatchObject({ state: 'done' })
  expect([await builder(), await engineOf()]).toEqual(['wood', 'vanilla 1.20.4'])
  await untilStatus(owner, serverId, isUp)
})

test('deleted files are back when the new engine cannot be installed', async () => {
  await build('glass')
  upstreams.misbehave(/server\.jar$/, 'missing')
  const { change_engine_process_id: id } = await change({ engine: 'vanilla', version: '1.21.11' })
  expect(await end(id)).toMatchObject({ state: 'rolled_back' })
  upstreams.behave()
  expect([await builder(), await engineOf()]).toEqual(['glass', 'vanilla 1.20.4'])
  await untilStatus(owner, serverId, isUp)
})

test('settings of the game are read and changed in its own file', async () => {
  const shown = await owner.call(parameters.getServerProperties, { params: params() })
  expect(shown.properties.map(({ key }) => key)).not.toContain('server-ip')
  const values = { motd: 'Żółw', difficulty: 'hard', 'custom-key': 'a=b' }
  const changed = await owner.call(parameters.changeServerProperties, { params: params(), body: { values } })
  for (const [key, value] of Object.entries(values)) expect(changed.properties).toContainEqual({ key, value })
  expect(await (await supervisor()).readFile('server.properties')).toContain('server-ip=127.0.0.1')
  await owner.call(parameters.changeServerProperties, { params: params(), body: { values: { 'custom-key': null } } })
  const read = await owner.call(parameters.getServerProperties, { params: params() })
  expect(read.properties).toContainEqual({ key: 'motd', value: 'Żółw' })
  expect(read.properties.map(({ key }) => key)).not.toContain('custom-key')
})
