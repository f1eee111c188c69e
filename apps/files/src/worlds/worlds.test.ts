/** Worlds through the service: what is told of them, changed in them, and made of them. */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openRegion } from '@wakestone/minecraft/region-file'
import { readInhabitedTime } from '@wakestone/minecraft/worlds/inhabited'
import { scanLineSchema, type World, worldListSchema } from '@wakestone/protocol/worlds'
import { runJob } from '../test-support/jobs.ts'
import { startService, type TestService } from '../test-support/service.ts'
import { makeZip } from '../test-support/archives.ts'
import { isLong } from '../../../../tests/support/long.ts'
import { bedrockLevel, below, newWorld, oldLevel, region } from '../test-support/worlds.ts'

vi.setConfig({ testTimeout: 90_000 })

async function list(service: TestService, edition = 'java') {
  const { json } = await service.ask('GET', `/v1/worlds?edition=${edition}`)
  return worldListSchema.parse(json)
}
const named = (worlds: World[], folder: string) => worlds.find((world) => world.folder === folder)!
const edit = (service: TestService, folder: string, change: object) =>
  service.ask('POST', '/v1/worlds/edit', { body: { folder, change } })

test('worlds of every layout are told, the one that is played first', async () => {
  const service = await startService()
  service.lay({
    'server.properties': 'level-name=main\n',
    ...below('main', { 'level.dat': oldLevel(), 'region/r.0.0.mca': region('1.21.1', 'r.0.0.mca') }),
    ...below('main/DIM-1', { 'region/r.0.0.mca': '' }),
    ...below('main_nether', { 'level.dat': oldLevel(), 'DIM-1/region/r.0.-1.mca': region('1.16', 'r.0.-1.mca') }),
    ...below('main_the_end', { 'level.dat': oldLevel(), 'DIM1/region/r.0.0.mca': '' }),
    ...below('classic', {
      'level.dat': oldLevel({ seed: -9_007_199_254_740_993n }),
      'region/r.0.0.mca': '',
      'DIM1/region/x': '',
    }),
    ...below('neu', newWorld()),
    'broken/level.dat': Buffer.from([0x1f, 0x8b, 1, 2, 3]),
    'plugins/config.yml': 'a: 1',
  })
  symlinkSync('/etc', join(service.data, 'linked'))
  const { active, worlds } = await list(service)
  expect([active, worlds.map(({ folder, layout }) => [folder, layout])]).toEqual([
    'main',
    [
      ['main', 'bukkit'],
      ['broken', 'old'],
      ['classic', 'old'],
      ['neu', 'dimensions'],
    ],
  ])
  const main = named(worlds, 'main')
  expect(main).toMatchObject({
    parts: ['main_nether', 'main_the_end'],
    level: { version: '1.21.4', seed: '42', difficulty: 'normal', border: { size: 1000 }, time: 6000 },
  })
  expect(main.dimensions.map(({ name, folder }) => [name, folder])).toEqual([
    ['overworld', 'main'],
    ['the_nether', 'main_nether/DIM-1'],
    ['the_end', 'main_the_end/DIM1'],
  ])
  const [overworld, nether] = main.dimensions
  expect(overworld!.bytes).toBeGreaterThan(10_000)
  expect(nether!.bytes).toBeGreaterThan(10_000)
  expect(main.bytes).toBeGreaterThan(overworld!.bytes! + nether!.bytes!)
  expect(named(worlds, 'classic').level!.seed).toBe('-9007199254740993')
  expect(named(worlds, 'broken')).toMatchObject({ isDamaged: true, level: null })
  const neu = named(worlds, 'neu')
  expect(neu.level).toMatchObject({
    seed: '-7',
    version: '26.1',
    difficulty: 'easy',
    rules: { keep_inventory: 'false', max_snow: '1' },
    border: { x: 1, z: 2, size: 500 },
    time: 30,
    spawn: { x: 8, y: 70, z: 9 },
  })
  expect(neu.dimensions.map(({ name }) => name).toSorted()).toEqual(['overworld', 'pack:sky', 'the_nether'])
})

test.runIf(isLong)('many who look at once wait for each other, and are not refused', async () => {
  const service = await startService()
  service.lay(below('main', { 'level.dat': oldLevel(), 'region/r.0.0.mca': region('1.21.1', 'r.0.0.mca') }))
  const lists = await Promise.all(Array.from({ length: 6 }, () => list(service)))
  expect(new Set(lists.map(({ worlds }) => worlds.map(({ folder }) => folder).join())).size).toBe(1)
  if (!isLong) return
  // Beyond that there is an end.
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => service.ask('GET', '/v1/worlds?edition=java').then(({ status }) => status)),
  )
  expect(new Set(answers)).toEqual(new Set([200, 429]))
  expect((await list(service)).worlds).toHaveLength(1)
})

test.runIf(isLong)('worlds of Bedrock Edition', async () => {
  const service = await startService()
  service.lay({
    'server.properties': 'level-name=Łąka\n',
    ...below('worlds/Łąka', { 'level.dat': bedrockLevel(), 'db/CURRENT': 'x' }),
    'worlds/other/readme.txt': '',
  })
  const { active, worlds } = await list(service, 'bedrock')
  expect(active).toBe('worlds/Łąka')
  expect(worlds).toMatchObject([
    {
      folder: 'worlds/Łąka',
      layout: 'bedrock',
      level: { name: 'Łąka', seed: '-123', version: '1.21.50', difficulty: 'easy', lastPlayed: 1_700_000_000_000 },
    },
  ])
})

test('what level.dat and the files beside it say is changed, and what they said before is in the trash', async () => {
  const service = await startService()
  service.lay({ ...below('world', { 'level.dat': oldLevel() }), ...below('neu', newWorld()) })
  const change = {
    difficulty: 'hard',
    hardcore: true,
    spawn: { x: -5, y: 70, z: 12 },
    border: { x: 10, z: -10, size: 250 },
    time: 13_000,
    rules: { keepInventory: 'true', randomTickSpeed: '0' },
  }
  expect(await edit(service, 'world', change).then(({ json }) => json)).toEqual({ paths: ['world/level.dat'] })
  const rules = { keep_inventory: 'true', max_snow: '8' }
  const both = await edit(service, 'neu', { ...change, rules })
  expect(both.json.paths.toSorted()).toEqual([
    'neu/data/minecraft/game_rules.dat',
    'neu/data/minecraft/world_clocks.dat',
    'neu/dimensions/minecraft/overworld/data/minecraft/world_border.dat',
    'neu/level.dat',
  ])
  const { worlds } = await list(service)
  for (const [folder, told] of [
    ['world', change],
    ['neu', { ...change, rules }],
  ] as const)
    expect(named(worlds, folder).level).toMatchObject(told)
  expect(named(worlds, 'world').level).toMatchObject({ seed: '42', version: '1.21.4' })
  const { json: trash } = await service.ask('GET', '/v1/trash')
  expect(trash.entries.map(({ path }: { path: string }) => path)).toContain('world/level.dat')

  for (const [what, field] of [
    [{ rules: { nothing: 'true' } }, 'rules.nothing'],
    [{ rules: { keepInventory: '7' } }, 'rules.keepInventory'],
  ] as const)
    expect(await edit(service, 'world', what).then(({ status, json }) => [status, json.fields])).toEqual([
      400,
      { [field]: 'unknown' },
    ])
  expect((await edit(service, 'nowhere', { time: 1 })).status).toBe(404)
  expect(readdirSync(join(service.data, '.transfers/stage'))).toEqual([])
})

test.runIf(isLong)('chunks where hardly anybody was are counted, then go, and can be brought back', async () => {
  const service = await startService()
  const bytes = region('1.21.1', 'r.0.0.mca')
  service.lay({
    ...below('world', { 'level.dat': oldLevel(), 'region/r.0.0.mca': bytes, 'entities/r.0.0.mca': bytes }),
    'world/region/r.1.0.mca': 'no region at all',
  })
  const path = join(service.data, 'world/region/r.0.0.mca')
  const timesOf = (file: string) => {
    using open = openRegion(file, { x: 0, z: 0 })
    return new Map(open.chunks.map((place) => [place.index, readInhabitedTime(open.readChunk(place)) ?? -1]))
  }
  const before = timesOf(path)
  const ordered = [...before.values()].toSorted((left, right) => left - right)
  const ticks = ordered[Math.floor(ordered.length / 2)]!
  const unused = ordered.filter((time) => time >= 0 && time <= ticks).length
  expect(unused).toBeGreaterThan(0)
  const { lines } = await service.ask('GET', `/v1/worlds/scan?folder=world&ticks=${ticks}`)
  expect(lines.at(-1)).toEqual({ end: true, truncated: false })
  const counted = scanLineSchema.parse(lines.at(-2))
  expect(counted).toMatchObject({ done: 2, total: 2, chunks: before.size, unused, damaged: 0 })
  expect(counted.bytes).toBeGreaterThan(0)
  const regions = lines.slice(0, -2).map((line) => scanLineSchema.parse(line).region)
  expect(regions).toEqual([
    { folder: 'world', x: 0, z: 0, chunks: before.size, unused },
    expect.objectContaining({ folder: 'world', x: 1, z: 0, unused: 0 }),
  ])
  expect(readFileSync(path).equals(bytes)).toBe(true)

  expect(await runJob(service, { kind: 'world-prune', folders: ['world'], ticks })).toMatchObject({
    state: 'done',
    bytes: counted.bytes,
  })
  if (unused === before.size) expect(existsSync(path)).toBe(false)
  else expect(timesOf(path)).toEqual(new Map([...before].filter(([, time]) => time > ticks)))
  expect(readFileSync(join(service.data, 'world/region/r.1.0.mca'), 'utf8')).toBe('no region at all')
  const { json: trash } = await service.ask('GET', '/v1/trash')
  expect(trash.entries.map((entry: { path: string }) => entry.path).toSorted()).toEqual([
    'world/entities',
    'world/region',
  ])
  const ids = trash.entries.map(({ id }: { id: string }) => id)
  await service.ask('POST', '/v1/trash/restore', { body: { ids, overwrite: 'replace' } })
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(timesOf(path)).toEqual(before)
})

test.runIf(isLong)('a region with a damaged chunk stays as it is', async () => {
  const service = await startService()
  const bytes = Buffer.from(region('1.21.1', 'r.0.0.mca'))
  const first = (bytes.readUInt32BE(bytes.subarray(0, 4096).findIndex((byte) => byte !== 0) & ~3) >>> 8) * 4096
  bytes.fill(0xff, first, first + 64)
  service.lay(below('world', { 'level.dat': oldLevel(), 'region/r.0.0.mca': bytes }))
  const { lines } = await service.ask('GET', '/v1/worlds/scan?folder=world&ticks=100000000')
  expect(lines.at(-2)).toMatchObject({ unused: 0, damaged: 1 })
  await runJob(service, { kind: 'world-prune', folders: ['world'], ticks: 100_000_000 })
  expect(readFileSync(join(service.data, 'world/region/r.0.0.mca')).equals(bytes)).toBe(true)
})

test('a copy of a world has no lock and no identity of the first one', async () => {
  const service = await startService()
  service.lay({
    ...below('world', { 'level.dat': oldLevel(), 'uid.dat': 'x', 'session.lock': 'y', 'region/r.0.0.mca': 'z' }),
    'world_nether/DIM-1/region/r.0.0.mca': 'n',
  })
  const job = { kind: 'world-copy', folders: ['world', 'world_nether'], names: ['copy', 'copy_nether'] }
  expect(await runJob(service, job)).toMatchObject({ state: 'done', to: 'copy' })
  expect(readdirSync(join(service.data, 'copy')).toSorted()).toEqual(['level.dat', 'region'])
  expect(readFileSync(join(service.data, 'copy_nether/DIM-1/region/r.0.0.mca'), 'utf8')).toBe('n')
  expect(existsSync(join(service.data, 'world/uid.dat'))).toBe(true)
  expect((await service.ask('POST', '/v1/jobs', { body: job })).json).toMatchObject({
    error: 'resource_already_exists',
  })
})

const zip = (files: Record<string, Buffer | string>) =>
  makeZip(Object.entries(files).map(([path, data]) => ({ path, data: Buffer.from(data) })))
const take = (service: TestService, path: string, { to = 'taken', edition = 'java' } = {}) =>
  runJob(service, { kind: 'world-import', path, to, edition })
const refusal = (reason: string) => ({ state: 'failed', error: { code: 'invalid_file', fields: { reason } } })

test('the world in an archive is found however deep it lies, with the folders that belong to it', async () => {
  const service = await startService()
  service.lay({
    'deep.zip': zip({
      'a/b/My world/level.dat': oldLevel(),
      'a/b/My world/region/r.0.0.mca': 'a',
      'a/b/My world_nether/level.dat': oldLevel(),
      'a/b/My world_nether/DIM-1/region/r.0.0.mca': 'n',
      'a/readme.txt': 'hello',
    }),
    'two.zip': zip({ 'one/level.dat': oldLevel(), 'two/level.dat': oldLevel() }),
  })
  expect(await take(service, 'deep.zip')).toMatchObject({ state: 'done' })
  expect(readFileSync(join(service.data, 'taken_nether/DIM-1/region/r.0.0.mca'), 'utf8')).toBe('n')
  expect(existsSync(join(service.data, 'readme.txt'))).toBe(false)
  expect(await take(service, 'two.zip', { to: 'x' })).toMatchObject(refusal('several_worlds'))
  expect(readdirSync(join(service.data, '.transfers/stage'))).toEqual([])
})

test.runIf(isLong)('an archive is itself a world, has none, is one of Bedrock Edition, or is none', async () => {
  const service = await startService()
  service.lay({
    'flat.zip': zip({ 'level.dat': oldLevel(), 'region/r.0.0.mca': 'a', 'session.lock': 'x' }),
    'none.zip': zip({ 'readme.txt': 'hello' }),
    'some.mcworld': zip({ 'level.dat': bedrockLevel(), 'db/CURRENT': 'x' }),
    'bad.zip': 'PK nothing',
  })
  expect(await take(service, 'flat.zip')).toMatchObject({ state: 'done' })
  expect(readdirSync(join(service.data, 'taken')).toSorted()).toEqual(['level.dat', 'region'])
  expect(await take(service, 'none.zip', { to: 'x' })).toMatchObject(refusal('no_world'))
  const bedrock = { to: 'worlds/New', edition: 'bedrock' }
  expect(await take(service, 'some.mcworld', bedrock)).toMatchObject({ state: 'done' })
  expect((await list(service, 'bedrock')).worlds.map(({ folder }) => folder)).toEqual(['worlds/New'])
  expect(await take(service, 'bad.zip', { to: 'y' })).toMatchObject({ state: 'failed' })
  expect(readdirSync(join(service.data, '.transfers/stage'))).toEqual([])
})

test('paths that lead nowhere and orders that are none are refused', async () => {
  const service = await startService()
  service.lay({ 'world/level.dat': oldLevel() })
  for (const [method, path, body] of [
    ['GET', '/v1/worlds?edition=other', undefined],
    ['GET', '/v1/worlds/scan?folder=world', undefined],
    ['POST', '/v1/worlds/edit', { folder: '../etc', change: {} }],
    ['POST', '/v1/worlds/edit', { folder: 'world', change: [] }],
    ['POST', '/v1/jobs', { kind: 'world-prune', folders: ['world'], ticks: -1 }],
    ['POST', '/v1/jobs', { kind: 'world-prune', folders: ['.trash'], ticks: 1 }],
    ['POST', '/v1/jobs', { kind: 'world-copy', folders: ['world'], names: ['a', 'b'] }],
  ] as const)
    expect((await service.ask(method, path, { body })).status, path).toBeGreaterThanOrEqual(400)
  expect((await service.ask('POST', '/v1/worlds/remove', { body: { paths: ['world', 'nowhere'] } })).status).toBe(204)
  expect(existsSync(join(service.data, 'world'))).toBe(false)
})
