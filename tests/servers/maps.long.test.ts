/** Maps through the front door: a real game in its sandbox, the renderer in a box beside it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getEvent } from '@wakestone/contract/ground/events-routes'
import { type MapDimension, mapLayers } from '@wakestone/contract/servers/mapview'
import { addServiceAddOn } from '@wakestone/contract/sales/billings-routes'
import * as maps from '@wakestone/contract/servers/mapview-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { actOnPlayer } from '@wakestone/contract/servers/players-routes'
import * as processes from '@wakestone/contract/servers/operations-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { mapFolder } from '../../apps/server/src/adapters/map-renderer/run.ts'
import { drawDue, drawWatched } from '../../apps/server/src/features/servers/mapview/service.ts'
import { clearMaps } from '../../apps/server/src/features/servers/mapview/upkeep.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { refusalOf } from '../support/outcome.ts'
import { joinServer } from '../support/player.ts'
import { isUp, order, prepareArtifacts, shareServer, startTestWorker, topUp, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let owner: Caller
let guest: Caller
let stranger: Caller
let serverId: string
let walletId: string

beforeAll(async () => {
  api = await startTestApi()
  worker = await startTestWorker(api)
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  guest = await api.signUp()
  stranger = await api.signUp()
  walletId = await topUp(api.context, owner, 5000)
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
/** A command in a box with the server's volume and the regions of the fixtures. */
async function inVolume(script: string): Promise<void> {
  const run = await api.context.fleet.cluster.runTask(serverId, {
    name: 'test',
    command: ['/bin/sh', '-c', script],
    volume: 'write',
    tools: { regions: join(import.meta.dirname, '../fixtures/regions') },
    network: 'none',
    memoryBytes: 64 * 1024 ** 2,
  })
  let text = ''
  for await (const line of run.lines) text += `${line.text}\n`
  expect(await run.exit, text).toMatchObject({ code: 0 })
}
async function end(id: string): Promise<Operation> {
  for (const deadline = Date.now() + 90_000; ; await delay(50)) {
    const operation = await owner.call(processes.getProcess, { params: { id: serverId, process_id: id } })
    if (isOver(operation.state)) return operation
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(operation)}`)
  }
}
const mayDrawAgain = () =>
  api.context.db.updateTable('server_maps').set({ asked_at: null }).where('server_id', '=', serverId).execute()
async function draw(): Promise<Operation> {
  await mayDrawAgain()
  return end((await owner.call(maps.drawMap, { params: params() })).process_id)
}
const show = (caller: Pick<Caller, 'call'> = owner) => caller.call(maps.showMap, { params: params() })
const tile = (path: string, caller?: Caller, headers: Record<string, string> = {}) =>
  fetch(`${api.origin}/api/v1/mapview/${serverId}/tiles/${path}`, {
    headers: { ...(caller && { cookie: caller.cookie() }), ...headers },
  })
const settings = { enabled: true, is_public: false }

test('the worlds of a server are drawn while it is played on, and shown to those who may see it', async () => {
  const region = '/data/world/region'
  const spawn = 'world/level.dat'
  await inVolume(
    `rm -rf /data/world/region && mkdir -p ${region} /data/world_nether/DIM-1/region &&
     cp /opt/wakestone/tools/regions/1.21.1/* ${region}/ && cp /opt/wakestone/tools/regions/1.8.9/* ${region}/ &&
     cp /opt/wakestone/tools/regions/1.16/r.0.-1.mca /data/world_nether/DIM-1/region/ && test ! -e /data/${spawn}.no`,
  )
  expect(await show()).toMatchObject({ dimensions: [], drawn_at: null, players: null })
  const ended = await draw()
  expect(ended).toMatchObject({ kind: 'map_render', state: 'done', error: null, executor: { id: owner.user.id } })
  const map = await show(guest)
  const nether = map.dimensions.find(({ dimension }) => dimension === 'the_nether') as MapDimension
  expect(map.dimensions[0]).toMatchObject({ id: 'world.overworld', world: 'world', dimension: 'overworld', cut: false })
  expect(nether).toMatchObject({ world: 'world', min_x: 0, max_x: 512, min_z: -512, max_z: 0 })
  expect(map).toMatchObject({ server: { id: serverId }, is_public: false, layers: [...mapLayers] })
  expect(map.drawn_at).not.toBeNull()

  const response = await tile('world.overworld/day/0/0.0.webp', guest)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, max-age=300',
    'x-content-type-options': 'nosniff',
  })
  const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  expect(picture).toMatchObject({ format: 'webp', width: 512, height: 512 })
  const again = await tile('world.overworld/day/0/0.0.webp', guest, { 'if-none-match': response.headers.get('etag')! })
  expect([again.status, await again.text()]).toEqual([304, ''])

  const state = await owner.call(maps.getMapState, { params: params() })
  expect(state).toMatchObject({ next_at: null, process_id: null, last_failure: null, damaged_chunks: 0 })
  expect(state.stored_bytes).toBeGreaterThan(10_000)
  const { data } = await owner.call(routes.listServerEvents, { params: params() })
  const told = data.filter(({ action }) => /MAP/.test(action))
  expect(told.map(({ action, success }) => [action, success])).toEqual([
    ['SERVER_OVERVIEWER_GENERATED_MAP', true],
    ['MAPVIEW_GENERATION', true],
  ])
  expect(await owner.call(getEvent, { params: { id: told[0]!.id } })).toMatchObject({
    executor: { id: owner.user.id },
  })
})

test('by hand it is drawn every six hours; while it is being drawn, that is told', async () => {
  const refused = await refusalOf(owner.call(maps.drawMap, { params: params() }))
  expect(refused).toMatchObject({ error: 'too_many_requests', fields: { resource: 'server' } })
  expect(Number(refused?.fields?.['retry_after'])).toBeGreaterThan(5.9 * 3600)
  const { next_by_hand_at } = await owner.call(maps.getMapState, { params: params() })
  expect(Date.parse(next_by_hand_at!)).toBeGreaterThan(Date.now() + 5.9 * 3_600_000)
  await mayDrawAgain()
  const [one, other] = await Promise.all([1, 2].map(() => owner.call(maps.drawMap, { params: params() })))
  expect(one).toEqual(other)
  expect(await end(one!.process_id)).toMatchObject({ state: 'done' })
  expect(await refusalOf(guest.call(maps.drawMap, { params: params() }))).toMatchObject({
    error: 'insufficient_capabilities',
  })
})

test('what a box leaves in a server’s folder is never followed', async () => {
  const folder = join(mapFolder(api.context.settings, serverId), 'world.overworld/day')
  symlinkSync('/etc/passwd', join(folder, '0/9.9.webp'))
  symlinkSync('/etc', join(folder, '7'))
  writeFileSync(join(folder, '0/8.8.webp'), '<script>alert(1)</script>')
  mkdirSync(join(folder, '0/7.7.webp'))
  // The same answer as where nothing has been drawn.
  for (const path of [
    'world.overworld/day/0/9.9.webp',
    'world.overworld/day/0/7.7.webp',
    'world.overworld/day/7/1.1.webp',
    'world.overworld/day/0/99.99.webp',
  ]) {
    const answer = await tile(path, owner)
    expect([answer.status, await answer.text()], path).toEqual([204, ''])
  }
  for (const path of [
    'world.overworld/day/0/8.8.webp',
    'world.overworld/day/0/drawn.ndjson',
    'world.overworld/day/..%2f..%2f..%2fdrawn.ndjson/0.0.webp',
    '..%2f..%2fworld.overworld/day/0/0.0.webp',
  ])
    expect((await tile(path, owner)).status, path).toBe(404)
})

test('others see it where it is public, and nobody where it is off', async () => {
  const path = 'world.overworld/day/0/0.0.webp'
  expect(await refusalOf(show(stranger))).toMatchObject({ error: 'server_id_not_found' })
  expect(await refusalOf(show({ call: api.anonymous }))).toMatchObject({ error: 'server_id_not_found' })
  expect([(await tile(path)).status, (await tile(path, stranger)).status]).toEqual([404, 404])
  const change = (body: typeof settings & Record<string, unknown>) =>
    owner.call(maps.changeMapSettings, { params: params(), body: body as typeof settings })
  const area = {
    name: 'Spawn city',
    points: [
      [0, 0],
      [64, 64],
    ] as [number, number][],
  }
  const changed = await change({ ...settings, is_public: true, areas: [area] })
  expect(changed).toMatchObject({ is_public: true, shows_players: false, areas: [{ ...area, colour: '#f5b942' }] })
  expect(await show({ call: api.anonymous })).toMatchObject({ is_public: true, areas: [{ name: 'Spawn city' }] })
  const response = await tile(path)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])

  for (const body of [
    { ...settings, layers: [] },
    { ...settings, layers: ['day', 'day'] },
    { ...settings, areas: [{ ...area, colour: 'javascript:1' }] },
    { ...settings, areas: Array.from({ length: 501 }, () => area) },
    { ...settings, areas: [{ ...area, points: [[0.5, 1]] }] },
  ])
    expect(await refusalOf(change(body))).toMatchObject({ error: 'invalid_request' })
  expect(await refusalOf(guest.call(maps.changeMapSettings, { params: params(), body: settings }))).toMatchObject({
    error: 'insufficient_capabilities',
  })

  await change({ enabled: false, is_public: true })
  expect(await refusalOf(show({ call: api.anonymous }))).toMatchObject({ error: 'server_id_not_found' })
  expect(await show()).toMatchObject({ dimensions: [] })
  await mayDrawAgain()
  expect(await refusalOf(owner.call(maps.drawMap, { params: params() }))).toMatchObject({
    error: 'map_not_available',
    fields: { reason: 'off' },
  })
  await change(settings)
})

test('the add-on has it drawn once a day', async () => {
  const now = new Date()
  const tomorrow = new Date(now.getTime() + 86_400_000)
  const listOpen = async () =>
    (await owner.call(processes.listProcesses, { params: params() })).filter(({ state }) => !isOver(state))
  await drawDue(api.context, tomorrow)
  expect(await listOpen()).toEqual([])
  const { service_id } = await owner.call(routes.getServer, { params: params() })
  await owner.call(addServiceAddOn, {
    params: { id: service_id },
    body: { product_id: 'BASIC_MAPVIEW', wallet_id: walletId },
  })
  const { next_at } = await owner.call(maps.getMapState, { params: params() })
  const hour = new Intl.DateTimeFormat('en', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: api.context.settings.SELLER_TIME_ZONE,
  })
  expect(hour.format(new Date(next_at!))).toBe('04')
  await drawDue(api.context, now) // today's was drawn by hand meanwhile
  expect(await listOpen()).toEqual([])
  await drawDue(api.context, tomorrow)
  await drawDue(api.context, tomorrow)
  const [open, ...more] = await listOpen()
  expect(more).toEqual([])
  expect(await end(open!.id)).toMatchObject({ state: 'done', executor: null })
})

test('players are shown where they walk, once the owner wants that; what is built is drawn while somebody watches', async () => {
  const { pool } = api.context.database
  const { rows } = await pool.query('select game_host, game_port from servers where id = $1', [serverId])
  const [{ game_host: gameHost, game_port: gamePort }] = rows as [{ game_host: string; game_port: number }]
  const bot = await joinServer({ host: gameHost, gameHost, gamePort, username: 'Walker' })
  try {
    await vi.waitFor(async () => {
      const { players } = await api.context.fleet.find(serverId).then((supervisor) => supervisor!.status())
      expect(players.names).toEqual(['Walker'])
    }, 15_000)
    expect((await show()).players).toBeNull()
    await owner.call(maps.changeMapSettings, { params: params(), body: { ...settings, shows_players: true } })
    const seenAt = (x: number, z: number) =>
      vi.waitFor(
        async () => {
          const { players } = await show(guest)
          expect(players).toMatchObject([{ name: 'Walker', dimension: 'world.overworld' }])
          expect(Math.hypot(players![0]!.x - x, players![0]!.z - z)).toBeLessThan(4)
        },
        { timeout: 30_000, interval: 1_000 },
      )
    await seenAt(bot.entity.position.x, bot.entity.position.z)
    await owner.call(actOnPlayer, {
      params: params(),
      body: { action: 'teleport', name: 'Walker', to: { x: 40, y: 100, z: -24 } },
    })
    await seenAt(40, -24)
    // Nobody typed anything: the console knows nothing of it.
    const stream = await (await api.context.fleet.find(serverId))!.openStream(0)
    const lines: string[] = []
    stream.onMessage((message) => {
      if (message.type === 'console') lines.push(...message.lines.map(({ text }) => text))
    })
    await vi.waitFor(() => expect(lines.join('\n')).toContain('Walker joined the game'), 10_000)
    expect(lines.filter((line) => /entity data|data get/.test(line))).toEqual([])
    stream.close()

    // Watched by who may see the server, while the game runs: drawn again, and not sooner than that.
    const watch = async (minutesAgo: number) => {
      await show(guest)
      await pool.query(`update server_maps set tried_at = now() - $2 * interval '1 minute' where server_id = $1`, [
        serverId,
        minutesAgo,
      ])
      await drawWatched(api.context)
      const open = await owner.call(processes.listProcesses, { params: params() })
      return open.filter(({ kind, state }) => kind === 'map_render' && !isOver(state))
    }
    expect(await watch(1)).toEqual([])
    await pool.query(`update server_maps set watched_at = now() - interval '1 hour' where server_id = $1`, [serverId])
    const [live, ...more] = await watch(10)
    expect(more).toEqual([])
    expect(await end(live!.id)).toMatchObject({ state: 'done', executor: null })
    await pool.query(`update server_maps set watched_at = null, tried_at = null where server_id = $1`, [serverId])
    await drawWatched(api.context)
    expect((await owner.call(processes.listProcesses, { params: params() })).every(({ state }) => isOver(state))).toBe(
      true,
    )
  } finally {
    bot.end()
    await owner.call(maps.changeMapSettings, { params: params(), body: { ...settings, shows_players: false } })
  }
})

test('a map without a world is a clear failure, and may be asked for again', async () => {
  await inVolume('rm -rf /data/world /data/world_nether /data/world_the_end')
  expect(await draw()).toMatchObject({ state: 'rolled_back', error: { code: 'map_has_no_world' } })
  const state = await owner.call(maps.getMapState, { params: params() })
  expect(state).toMatchObject({ next_by_hand_at: null, last_failure: { code: 'map_has_no_world' } })
  const { data } = await owner.call(routes.listServerEvents, {
    params: params(),
    query: { action: 'SERVER_OVERVIEWER_FAILED_DURING_GENERATION' },
  })
  expect(data).toMatchObject([{ success: false, error: { code: 'map_has_no_world' } }])
})

test('tiles go with the files', async () => {
  const folder = mapFolder(api.context.settings, serverId)
  const isThere = () => import('node:fs').then(({ existsSync }) => existsSync(folder))
  await clearMaps(api.context)
  expect(await isThere()).toBe(true)
  const { db } = api.context
  await db.updateTable('servers').set({ files_deleted_at: new Date() }).where('id', '=', serverId).execute()
  await clearMaps(api.context)
  expect(await isThere()).toBe(false)
  await db.updateTable('servers').set({ files_deleted_at: null }).where('id', '=', serverId).execute()
})
