/** Worlds through the front door: a real game in its sandbox, the files service in a box beside it. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as files from '@wakestone/contract/servers/files-routes'
import * as maps from '@wakestone/contract/servers/mapview-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import type { World } from '@wakestone/contract/servers/worlds'
import * as worlds from '@wakestone/contract/servers/worlds-routes'
import { makeZip } from '../../apps/files/src/test-support/archives.ts'
import { oldLevel, region } from '../../apps/files/src/test-support/worlds.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { refusalOf } from '../support/outcome.ts'
import { isLong } from '../support/long.ts'
import {
  isDown,
  isUp,
  order,
  prepareArtifacts,
  shareServer,
  startTestWorker,
  topUp,
  untilStatus,
} from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let guest: Caller
let serverId: string

beforeAll(async () => {
  api = await startTestApi()
  worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  guest = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(routes.createServer, { body: order(walletId, engineVersion) })).id
  await shareServer(api.context, { serverId, userId: guest.user.id, capabilities: { 'server.manage.read': true } })
  await untilStatus(owner, serverId, isUp)
})
afterAll(async () => {
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

const params = () => ({ id: serverId })
const list = () => owner.call(worlds.listWorlds, { params: params() })
const find = async (folder: string) => (await list()).worlds.find((world) => world.folder === folder) as World
async function exists(path: string): Promise<boolean> {
  const { error } = await refusalOf(owner.call(files.getFileStat, { params: params(), query: { path } }))
  expect(['success', 'file_does_not_exist']).toContain(error)
  return error === 'success'
}
async function write(path: string, body: Buffer | string) {
  const address = `${api.origin}/api/v1/servers/${serverId}/files/content?path=${encodeURIComponent(path)}`
  const headers = { cookie: owner.cookie(), origin: api.origin, 'content-type': 'application/octet-stream' }
  const answer = await fetch(address, { method: 'PUT', body: new Uint8Array(Buffer.from(body)), headers })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}
async function read(path: string): Promise<string> {
  const address = `${api.origin}/api/v1/servers/${serverId}/files/content?path=${encodeURIComponent(path)}`
  return (await fetch(address, { headers: { cookie: owner.cookie() } })).text()
}
async function end({ process_id }: { process_id: string | null }): Promise<Operation> {
  if (process_id === null) throw new Error('done at once')
  for (const deadline = Date.now() + 90_000; ; await delay(50)) {
    const operation = await owner.call(processes.getProcess, { params: { id: serverId, process_id } })
    if (isOver(operation.state)) return operation
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
  }
}
const events = async (action: string) =>
  (await owner.call(routes.listServerEvents, { params: params() })).data.filter((event) => event.action === action)

test('the world that is played is told while the game runs; others see nothing of it', async () => {
  const { active, worlds: all } = await list()
  expect(active).toBe('world')
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({ folder: 'world', is_active: true, in_use: true, layout: 'old' })
  expect(all[0]!.dimensions.map(({ name }) => name)).toEqual(['overworld', 'the_nether'])
  expect(all[0]!.bytes).toBeGreaterThan(0)
  expect(await refusalOf(guest.call(worlds.listWorlds, { params: params() }))).toMatchObject({
    error: 'insufficient_capabilities',
  })
})

test('a running world is copied beside the game, which goes on', async () => {
  const body = { world: 'world', name: 'Copy of it' }
  const ended = await end(await owner.call(worlds.duplicateWorld, { params: params(), body }))
  expect(ended).toMatchObject({ kind: 'world_work', state: 'done', error: null })
  expect(await find('Copy of it')).toMatchObject({ is_active: false, in_use: false })
  expect((await owner.call(routes.getServerStatus, { params: params() })).game_status).toBe('IRL_IDLE')
  expect(await refusalOf(owner.call(worlds.duplicateWorld, { params: params(), body }))).toMatchObject({
    error: 'resource_already_exists',
  })
  expect(await events('SERVER_WORLD_DUPLICATE')).toMatchObject([
    { success: true, data: { world: 'world', name: 'Copy of it', executor: owner.user.id } },
  ])
})

test('another world is played, under another name, and the game comes up with it', async () => {
  const nextMap = async () => (await owner.call(maps.getMapState, { params: params() })).next_by_hand_at
  await owner.call(maps.changeMapSettings, { params: params(), body: { enabled: true, is_public: false } })
  await api.context.database.pool.query('update server_maps set asked_at = now() where server_id = $1', [serverId])
  expect(await nextMap()).not.toBeNull()
  const switched = await end(await owner.call(worlds.switchWorld, { params: params(), body: { world: 'Copy of it' } }))
  expect(switched).toMatchObject({ kind: 'world_change', state: 'done' })
  expect(await list()).toMatchObject({ active: 'Copy of it' })
  // The map that was drawn is of the world before: nobody has to wait for one of this.
  expect(await nextMap()).toBeNull()
  expect((await owner.call(routes.getServerStatus, { params: params() })).game_status).toBe('IRL_IDLE')
  const renamed = await end(
    await owner.call(worlds.renameWorld, { params: params(), body: { world: 'Copy of it', name: 'second' } }),
  )
  expect(renamed.state).toBe('done')
  expect(await list()).toMatchObject({ active: 'second' })
  expect(await read('server.properties')).toMatch(/^level-name=second$/m)
  expect(await exists('Copy of it')).toBe(false)
  expect(
    await refusalOf(owner.call(worlds.deleteWorld, { params: params(), body: { world: 'second' } })),
  ).toMatchObject({
    error: 'world_cannot_do_that',
    fields: { reason: 'active' },
  })
  const back = await end(await owner.call(worlds.switchWorld, { params: params(), body: { world: 'world' } }))
  expect(back.state).toBe('done')
  const deleted = await end(await owner.call(worlds.deleteWorld, { params: params(), body: { world: 'second' } }))
  expect(deleted).toMatchObject({ kind: 'world_work', state: 'done' })
  const { entries } = await owner.call(files.listTrash, { params: params() })
  expect(entries.map(({ path }) => path)).toContain('second')
})

test.runIf(isLong)('a world out of an archive, which goes afterwards; a newer one cannot be played', async () => {
  const level = oldLevel({ dataVersion: 4903, version: '26.2' })
  const members = Object.entries({
    'a/My world/level.dat': level,
    'a/My world/region/r.0.0.mca': region('1.21.1', 'r.0.0.mca'),
  })
  await write('.upload.zip', makeZip(members.map(([path, data]) => ({ path, data }))))
  const body = { path: '.upload.zip', name: 'newer', remove_archive: true }
  expect(await end(await owner.call(worlds.importWorld, { params: params(), body }))).toMatchObject({ state: 'done' })
  expect(await exists('.upload.zip')).toBe(false)
  expect(await find('newer')).toMatchObject({ level: { version: '26.2', is_newer: true, seed: '42' } })
  expect(await refusalOf(owner.call(worlds.switchWorld, { params: params(), body: { world: 'newer' } }))).toMatchObject(
    {
      error: 'world_is_newer',
    },
  )
  expect(await list()).toMatchObject({ active: 'world' })
  await write('none.zip', makeZip([{ path: 'readme.txt', data: Buffer.from('hello') }]))
  const none = await owner.call(worlds.importWorld, { params: params(), body: { path: 'none.zip', name: 'none' } })
  expect(await end(none)).toMatchObject({ state: 'rolled_back', error: { code: 'world_not_in_archive' } })
})

test('rules of the world that is played go by commands, and whether it is hardcore through its files', async () => {
  const console = vi.fn<(line: string) => void>()
  await write('world/level.dat', oldLevel({ dataVersion: 3463, version: '1.20' }))
  const supervisor = await api.context.fleet.find(serverId)
  const stream = await supervisor!.openStream(0)
  stream.onMessage((message) => console(JSON.stringify(message)))
  const change = { difficulty: 'hard', time: 6000, rules: { keepInventory: 'true' } } as const
  expect(await owner.call(worlds.editWorld, { params: params(), body: { world: 'world', ...change } })).toEqual({
    process_id: null,
  })
  await vi.waitFor(() => expect(console.mock.calls.join()).toMatch(/difficulty/i), { timeout: 10_000 })
  stream.close()
  expect(await read('server.properties')).toMatch(/^difficulty=hard$/m)
  expect(
    await refusalOf(
      owner.call(worlds.editWorld, { params: params(), body: { world: 'world', rules: { none: 'true' } } }),
    ),
  ).toMatchObject({
    error: 'world_cannot_do_that',
    fields: { reason: 'not_there', what: 'none' },
  })
})

test.runIf(isLong)(
  'of a server that is stopped, files are changed, a dimension goes, and it stays stopped',
  async () => {
    await owner.call(routes.stopServer, { params: params(), body: {} } as never)
    await untilStatus(owner, serverId, isDown)
    await write('world/level.dat', oldLevel({ dataVersion: 3463, version: '1.20' }))
    const change = {
      hardcore: true,
      spawn: { x: 5, y: 80, z: -5 },
      border: { x: 0, z: 0, size: 512 },
      rules: { randomTickSpeed: '9' },
    }
    const edited = await end(
      await owner.call(worlds.editWorld, { params: params(), body: { world: 'world', ...change } }),
    )
    expect(edited).toMatchObject({ kind: 'world_change', state: 'done' })
    expect((await find('world')).level).toMatchObject(change)
    expect((await events('SERVER_WORLD_EDIT'))[0]).toMatchObject({
      success: true,
      data: { world: 'world', changed: ['hardcore', 'spawn', 'border', 'randomTickSpeed'] },
    })
    await write('world/DIM-1/region/r.0.0.mca', region('1.16', 'r.0.-1.mca'))
    const reset = await end(
      await owner.call(worlds.resetDimension, { params: params(), body: { world: 'world', dimension: 'the_nether' } }),
    )
    expect(reset).toMatchObject({ state: 'done' })
    expect(await exists('world/DIM-1/region')).toBe(false)
    expect(isDown(await owner.call(routes.getServerStatus, { params: params() }))).toBe(true)
  },
)

test.runIf(isLong)('chunks where nobody was are counted first, then go', async () => {
  await write('world/region/r.0.0.mca', region('1.21.1', 'r.0.0.mca'))
  const query = new URLSearchParams({ world: 'world', dimension: 'overworld', seconds: '86400' })
  const counted = await fetch(`${api.origin}/api/v1/servers/${serverId}/worlds/prune?${query}`, {
    headers: { cookie: owner.cookie() },
  })
  const lines = (await counted.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines.at(-1)).toEqual({ end: true, truncated: false })
  const [done, total, chunks, unused, bytes] = lines.at(-2) as number[]
  expect(done).toBe(total)
  expect(chunks).toBeGreaterThan(0)
  expect(unused).toBeGreaterThan(0)
  expect(bytes).toBeGreaterThan(0)
  expect(await exists('world/region/r.0.0.mca')).toBe(true)
  const body = { world: 'world', dimension: 'overworld', seconds: 86_400 }
  expect(await end(await owner.call(worlds.pruneWorld, { params: params(), body }))).toMatchObject({ state: 'done' })
  const { entries } = await owner.call(files.listTrash, { params: params() })
  expect(entries.map(({ path }) => path)).toContain('world/region')
})

test('a download is one zip of the world; a world that is not there is not found', async () => {
  const { url } = await owner.call(worlds.downloadWorld, { params: params(), body: { world: 'world' } })
  const answer = await fetch(new URL(url, api.origin), { headers: { cookie: owner.cookie() } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  expect(bytes.includes('world/level.dat')).toBe(true)
  expect(
    await refusalOf(owner.call(worlds.downloadWorld, { params: params(), body: { world: 'nowhere' } })),
  ).toMatchObject({
    error: 'world_not_found',
  })
  expect(
    await refusalOf(owner.call(worlds.renameWorld, { params: params(), body: { world: 'world', name: '../etc' } })),
  ).toMatchObject({ error: 'invalid_request' })
})

test.runIf(isLong)('a new world is made with its seed at the next start; what cannot come up goes back', async () => {
  const body = { name: 'fresh', seed: '12345', generator: 'flat' } as const
  expect(await end(await owner.call(worlds.createWorld, { params: params(), body }))).toMatchObject({ state: 'done' })
  expect(await list()).toMatchObject({ active: 'fresh' })
  await owner.call(routes.startServer, { params: params() } as never)
  await untilStatus(owner, serverId, isUp)
  expect(await find('fresh')).toMatchObject({ is_active: true, in_use: true })
  // The game needs a folder where this world has a file.
  const level = oldLevel({ dataVersion: 3463, version: '1.20' })
  const members = Object.entries({ 'odd/level.dat': level, 'odd/region': Buffer.from('no folder') })
  await write('odd.zip', makeZip(members.map(([path, data]) => ({ path, data }))))
  await end(await owner.call(worlds.importWorld, { params: params(), body: { path: 'odd.zip', name: 'odd' } }))
  const ended = await end(await owner.call(worlds.switchWorld, { params: params(), body: { world: 'odd' } }))
  expect(ended).toMatchObject({ state: 'rolled_back', error: { code: 'game_setup_is_invalid' } })
  expect(await list()).toMatchObject({ active: 'fresh' })
})
