import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { compoundOf, type NbtTag, writeNbt } from '@wakestone/minecraft/nbt'
import { writeRegion } from '@wakestone/minecraft/region'
import { writeChunk } from '@wakestone/minecraft/test-support/chunk-writer'
import { type MapLine, mapLayers, mapLineSchema, type MapRenderConfig } from '@wakestone/protocol/map-render'
import { findRegion } from './test-support/region-picture.ts'
import { isLong } from '../../../tests/support/long.ts'

// Each starts processes of its own, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

/** As it is run beside games: built at set-up. */
const main = join(import.meta.dirname, '../build/map-renderer.mjs')
const root = mkdtempSync(join(tmpdir(), 'map-render-'))
afterAll(() => rmSync(root, { recursive: true }))

function newServer() {
  const folder = mkdtempSync(join(root, 'server-'))
  const config: MapRenderConfig = {
    volume: join(folder, 'data'),
    store: join(folder, 'maps'),
    layers: ['day', 'height'],
    threads: 2,
  }
  mkdirSync(config.volume)
  mkdirSync(config.store)
  return config
}

function start(config: MapRenderConfig) {
  const { volume, store, ...rest } = config
  return spawn(process.execPath, [main, volume, store, JSON.stringify(rest)], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** @returns its lines, each of which is as it was agreed. */
async function run(config: MapRenderConfig): Promise<MapLine[]> {
  const child = start(config)
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(errors).toBe('')
  return out
    .trim()
    .split('\n')
    .map((line) => mapLineSchema.parse(JSON.parse(line)))
}

const readText = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

const endOf = (lines: MapLine[]) => {
  const end = lines.at(-1)
  if (end?.kind !== 'end') throw new Error('it has not ended')
  return end
}

/** Puts a real region into a world. */
function addRegion(volume: string, folder: string, version: string, name?: string) {
  const { folder: from, file } = findRegion(version)
  mkdirSync(join(volume, folder), { recursive: true })
  cpSync(join(from, file), join(volume, folder, name ?? file))
}

/** A region of one chunk of one block. */
function writeFlat(
  volume: string,
  folder: string,
  { name, block, time = 1 }: { name: string; block: string; time?: number },
) {
  const blockAt = (_x: number, y: number) => (y < 60 ? `minecraft:${block}` : 'minecraft:air')
  const data = deflateSync(writeChunk({ x: 0, z: 0, blockAt, bottom: 0, top: 64 }))
  mkdirSync(join(volume, folder), { recursive: true })
  const record = { compression: 'zlib' as const, external: false, data }
  writeFileSync(join(volume, folder, name), writeRegion([{ index: 0, timestamp: time, record }]))
}

/** Every tile and its content, the journal aside. */
function tilesOf(store: string): Record<string, string> {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith('.ndjson'))
      .map(
        (path) => [path.slice(store.length + 1), createHash('sha1').update(readFileSync(path)).digest('hex')] as const,
      )
      .toSorted(([left], [right]) => left.localeCompare(right)),
  )
}

test('finds worlds of every layout, and what belongs together', async () => {
  const config = newServer()
  const { volume } = config
  writeFileSync(join(volume, 'server.properties'), 'level-name=Świat\n')
  addRegion(volume, 'Świat/region', '1.12.2')
  addRegion(volume, 'Świat/DIM-1/region', '1.16')
  addRegion(volume, 'world/region', '1.19.4')
  addRegion(volume, 'world_nether/DIM-1/region', '1.16')
  addRegion(volume, 'world_the_end/DIM1/region', '1.14.4')
  addRegion(volume, 'new/dimensions/minecraft/overworld/region', '1.21.1')
  addRegion(volume, 'new/dimensions/minecraft/the_nether/region', '1.16')
  addRegion(volume, 'new/dimensions/aether/sky/region', '1.16')
  // Left over from before the upgrade: the newer one counts.
  addRegion(volume, 'new/region', '1.8.9', 'r.70.70.mca')
  addRegion(volume, 'plugins/SomePlugin', '1.8.9')
  mkdirSync(join(volume, 'logs'))
  const oldData = compoundOf({ SpawnX: { type: 'int', value: 40 }, SpawnZ: { type: 'int', value: -200 } })
  writeFileSync(join(volume, 'world/level.dat'), gzipSync(writeNbt(compoundOf({ Data: oldData }))))
  const place: NbtTag = { type: 'intArray', value: Int32Array.of(7, 70, 9) }
  const newer = compoundOf({ Data: compoundOf({ spawn: compoundOf({ pos: place }) }) })
  writeFileSync(join(volume, 'new/level.dat'), gzipSync(writeNbt(newer)))
  const { dimensions, damaged } = endOf(await run(config))
  expect(damaged).toBe(0)
  const found = Object.fromEntries(
    dimensions.map(({ id, ...one }) => [`${one.world} ${one.dimension}`, { id, spawn: one.spawn }]),
  )
  expect(found).toEqual({
    'Świat overworld': { id: expect.stringMatching(/^-wiat-[0-9a-f]{10}\.overworld$/), spawn: null },
    'Świat the_nether': { id: expect.stringMatching(/^-wiat-[0-9a-f]{10}\.the_nether$/), spawn: null },
    'new aether:sky': { id: expect.stringMatching(/^new\.aether-sky-[0-9a-f]{10}$/), spawn: null },
    'new overworld': { id: 'new.overworld', spawn: { x: 7, z: 9 } },
    'new the_nether': { id: 'new.the_nether', spawn: null },
    'world overworld': { id: 'world.overworld', spawn: { x: 40, z: -200 } },
    'world the_nether': { id: 'world.the_nether', spawn: null },
    'world the_end': { id: 'world.the_end', spawn: null },
  })
  expect(dimensions[0]?.world).toBe('Świat') // the one that is played
  expect(dimensions.find(({ id }) => id === 'new.overworld')).toMatchObject({
    min_x: 0,
    max_x: 512,
    regions: 1,
    zoom_outs: 0,
  })
})

test('nothing to draw is no fault', async () => {
  const config = newServer()
  expect(await run(config)).toEqual([
    { kind: 'begin', dimensions: [], regions: 0, changed: 0 },
    { kind: 'end', dimensions: [], regions: 0, chunks: 0, damaged: 0, bytes: 0 },
  ])
})

test('draws what has changed, and nothing else', async () => {
  const config = newServer()
  const { volume, store } = config
  addRegion(volume, 'world/region', '1.14.4', 'r.0.0.mca')
  addRegion(volume, 'world/region', '1.16', 'r.1.0.mca')
  writeFlat(volume, 'world/region', { name: 'r.-2.-1.mca', block: 'gold_block' })
  const first = endOf(await run(config))
  expect(first).toMatchObject({ regions: 3, chunks: 33, damaged: 0 })
  expect(first.dimensions[0]).toMatchObject({ min_x: -1024, min_z: -512, max_x: 1024, max_z: 512, zoom_outs: 2 })
  const before = tilesOf(store)
  expect(Object.keys(before)).toContain('world.overworld/day/2/-1.-1.webp')
  expect(Object.values(before)).toHaveLength(2 * (3 + 2 + 2))

  expect(endOf(await run(config))).toMatchObject({ regions: 0, chunks: 0 })
  expect(tilesOf(store)).toEqual(before)

  writeFlat(volume, 'world/region', { name: 'r.-2.-1.mca', block: 'coal_block', time: 2 })
  expect(endOf(await run(config))).toMatchObject({ regions: 1, chunks: 1 })
  const after = tilesOf(store)
  const changed = Object.keys(after).filter((path) => after[path] !== before[path])
  expect(changed.filter((path) => path.includes('/day/'))).toEqual(
    ['0/-2.-1', '1/-1.-1', '2/-1.-1'].map((path) => `world.overworld/day/${path}.webp`),
  )

  // South of it a shadow may fall otherwise: drawn too when the row between them has changed.
  rmSync(join(volume, 'world/region/r.-2.-1.mca'))
  expect(endOf(await run(config)).dimensions[0]).toMatchObject({ min_x: 0, zoom_outs: 1 })
  expect(Object.keys(tilesOf(store)).filter((path) => path.includes('/day/0/'))).toEqual(
    ['0.0', '1.0'].map((path) => `world.overworld/day/0/${path}.webp`),
  )
})

test.runIf(isLong)('other layers are drawn anew, and of a world that is gone nothing stays', async () => {
  const config = newServer()
  writeFlat(config.volume, 'world/region', { name: 'r.0.0.mca', block: 'gold_block' })
  await run(config)
  expect(endOf(await run({ ...config, layers: ['night'] }))).toMatchObject({ regions: 1 })
  expect(Object.keys(tilesOf(config.store)).every((path) => path.includes('/night/'))).toBe(true)

  rmSync(join(config.volume, 'world'), { recursive: true })
  expect(endOf(await run(config))).toMatchObject({ dimensions: [], bytes: 0 })
  expect(tilesOf(config.store)).toEqual({})
})

test.runIf(isLong)('a zoom out shows the mean of four blocks', async () => {
  const config = newServer()
  for (const [name, block] of [
    ['r.0.0.mca', 'gold_block'],
    ['r.1.1.mca', 'diamond_block'],
  ] as const)
    writeFlat(config.volume, 'world/region', { name, block })
  await run(config)
  const picture = sharp(join(config.store, 'world.overworld/day/1/0.0.webp')).ensureAlpha().raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([512, 512])
  const at = (x: number, z: number) => [...data.subarray((z * 512 + x) * 4, (z * 512 + x) * 4 + 4)]
  expect([at(4, 4), at(260, 260), at(100, 100)]).toEqual([
    [0xf6, 0xd0, 0x3d, 255],
    [0x62, 0xed, 0xe4, 255],
    [0, 0, 0, 0],
  ])
})

test.runIf(isLong)('a run that was killed is followed by one that goes on, to the same tiles', async () => {
  const config = newServer()
  const reference = newServer()
  for (const { volume } of [config, reference])
    for (let x = 0; x < 4; x++)
      for (let z = 0; z < 2; z++) addRegion(volume, 'world/region', '1.14.4', `r.${x}.${z}.mca`)
  const whole = endOf(await run(reference))
  expect(whole.regions).toBe(8)
  let drawn = 0
  for (let kills = 0; kills < 3; kills++) {
    const child = start(config)
    let told = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (data: Buffer) => {
        told += data.toString()
        // Each at another moment: after it has planned, or has drawn some.
        if (told.split('\n').length > 1 + kills) child.kill('SIGKILL')
      })
      child.once('close', () => resolve())
    })
    drawn = Math.max(drawn, readText(join(config.store, 'world.overworld/drawn.ndjson')).split('\n').length - 1)
  }
  expect(drawn).toBeGreaterThan(0)
  expect(endOf(await run(config)).regions).toBeLessThanOrEqual(Math.max(0, 8 - drawn))
  expect(tilesOf(config.store)).toEqual(tilesOf(reference.store))
})

test('what stands in a customer’s folders leads nowhere and holds nothing up', async () => {
  const config = newServer()
  const { volume } = config
  const region = join(volume, 'world/region')
  writeFlat(volume, 'world/region', { name: 'r.0.0.mca', block: 'gold_block' })
  execFileSync('mkfifo', [
    join(region, 'r.1.0.mca'),
    join(volume, 'server.properties'),
    join(volume, 'world/level.dat'),
  ])
  symlinkSync('/dev/zero', join(region, 'r.2.0.mca'))
  symlinkSync('/etc/passwd', join(region, 'r.3.0.mca'))
  mkdirSync(join(region, 'r.4.0.mca'))
  writeFileSync(join(region, 'r.5.0.mca'), Buffer.alloc(100_000, 0xff))
  writeFileSync(join(region, 'r.99999999.0.mca'), Buffer.alloc(10))
  symlinkSync(volume, join(volume, 'round'))
  symlinkSync('/proc', join(volume, 'proc'))
  mkdirSync(join(volume, 'world/dimensions/../../odd name \n/region'), { recursive: true })
  writeFlat(volume, 'odd name \n/region', { name: 'r.0.0.mca', block: 'coal_block' })
  const end = endOf(await run(config))
  expect(end).toMatchObject({ chunks: 2 })
  const tiles = Object.keys(tilesOf(config.store)).filter((path) => path.includes('/day/0/'))
  expect(tiles.map((path) => dirname(path).split('/')[0])).toEqual([
    expect.stringMatching(/^odd-name---[0-9a-f]{10}\.overworld$/),
    'world.overworld',
  ])
  expect(mapLayers).toContain('day')
})
