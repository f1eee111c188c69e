import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { afterAll, expect, test } from 'vitest'
import { type ChunkCompression, type ChunkRecord, externalChunkName, writeRegion } from '@wakestone/minecraft/region'
import { isLong } from '../../../tests/support/long.ts'
import { writeChunk, type WrittenChunk } from '@wakestone/minecraft/test-support/chunk-writer'
import { packLz4Stream } from '@wakestone/minecraft/test-support/lz4-writer'
import { mapLayers } from '@wakestone/protocol/map-render'
import { createRegionDrawer } from './draw-region.ts'
import { SIDE } from './surface.ts'
import { referencePictures, regionVersions, takeRegionPicture } from './test-support/region-picture.ts'
import { readTile } from './tiles.ts'

const root = mkdtempSync(join(tmpdir(), 'map-regions-'))
afterAll(() => rmSync(root, { recursive: true }))
const draw = createRegionDrawer()

test.each(regionVersions)('a region of %s looks as it was found good', async (version) => {
  const actual = await takeRegionPicture(version)
  const expected = PNG.sync.read(readFileSync(join(referencePictures, `${version}.png`)))
  expect([actual.width, actual.height]).toEqual([expected.width, expected.height])
  const different = pixelmatch(expected.data, actual.data, null, actual.width, actual.height, { threshold: 0.02 })
  expect(different, 'meant? Then `node scripts/map-pictures.ts --update`').toBe(0)
})

const pack: Record<ChunkCompression, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  zlib: (bytes) => deflateSync(bytes),
  none: (bytes) => bytes,
  lz4: (bytes) => packLz4Stream(bytes, 65_536),
}
const flat =
  (block: string): WrittenChunk['blockAt'] =>
  (_x, y) =>
    y < 64 ? `minecraft:${block}` : 'minecraft:air'
const chunk = (index: number, more: Partial<WrittenChunk> & Pick<WrittenChunk, 'blockAt'>) =>
  writeChunk({ x: index & 31, z: index >> 5, bottom: 0, top: 256, ...more })
const recordOf = (bytes: Buffer, compression: ChunkCompression = 'zlib'): ChunkRecord => ({
  compression,
  external: false,
  data: pack[compression](bytes),
})

/** Draws region 0, 0 of these chunks. @returns the colour of a block in a layer; null where nothing is. */
async function drawChunks(
  name: string,
  chunks: { index: number; record: ChunkRecord }[],
  { hasRoof = false, bytes = (region: Buffer) => region } = {},
) {
  const folder = mkdtempSync(join(root, name.replace(/\W/g, '-')))
  const path = join(root, `${name.replace(/\W/g, '-')}-region`)
  mkdirSync(path, { recursive: true })
  const rewrite = (next: { index: number; record: ChunkRecord }[]) =>
    writeFileSync(join(path, 'r.0.0.mca'), bytes(writeRegion(next.map((one) => ({ timestamp: 1, ...one })))))
  const again = () => draw({ path, folder, x: 0, z: 0, hasRoof, layers: mapLayers })
  rewrite(chunks)
  const done = await again()
  const colour = async (x: number, z: number, layer: (typeof mapLayers)[number] = 'day') => {
    const tile = await readTile({ folder, layer, zoomOut: 0, x: 0, z: 0 })
    const [red = 0, green = 0, blue = 0, alpha = 0] = tile?.subarray((z * SIDE + x) * 4) ?? []
    return alpha === 0 ? null : (red << 16) | (green << 8) | blue
  }
  return { done, colour, path, rewrite, again }
}

test('a chunk of each compression, and one that stands beside its region', async () => {
  const blocks = ['gold_block', 'snow_block', 'coal_block', 'lapis_block'] as const
  const records = (Object.keys(pack) as ChunkCompression[]).map((compression, index) => ({
    index,
    record: recordOf(chunk(index, { blockAt: flat(blocks[index]!) }), compression),
  }))
  const outside = { index: 40, record: { compression: 'lz4', external: true, data: Buffer.alloc(0) } } as const
  const drawn = await drawChunks('compressions', [...records, outside])
  expect(drawn.done).toEqual({ chunks: 4, damaged: 1 }) // its file is not there yet
  const far = chunk(40, { blockAt: flat('diamond_block') })
  writeFileSync(join(drawn.path, externalChunkName({ x: 0, z: 0 }, 40)), pack.lz4(far))
  expect(await drawn.again()).toEqual({ chunks: 5, damaged: 0 })
  const colours = await Promise.all([0, 1, 2, 3].map((index) => drawn.colour(index * 16 + 8, 8)))
  expect(colours).toEqual([0xf6d03d, 0xf9fefe, 0x101010, 0x1f438c])
  expect(await drawn.colour(8 * 16 + 5, 16 + 5)).toBe(0x62ede4)
  expect(await drawn.colour(300, 300)).toBeNull()
})

test('damage stays with its chunk, which goes on looking as it did', async () => {
  const good = [0, 1, 2].map((index) => ({ index, record: recordOf(chunk(index, { blockAt: flat('gold_block') })) }))
  const drawn = await drawChunks('damage', good)
  expect(drawn.done).toEqual({ chunks: 3, damaged: 0 })
  const spoilt = recordOf(chunk(1, { blockAt: flat('coal_block') }))
  spoilt.data.fill(0xff, 20, 60)
  drawn.rewrite([
    { index: 0, record: recordOf(chunk(0, { blockAt: flat('coal_block') })) },
    { index: 1, record: spoilt },
    good[2]!,
  ])
  expect(await drawn.again()).toEqual({ chunks: 2, damaged: 1 })
  expect(await Promise.all([8, 24, 40].map((x) => drawn.colour(x, 8)))).toEqual([0x101010, 0xf6d03d, 0xf6d03d])
})

test('bombs and nonsense are damage', async () => {
  const bomb = Buffer.concat([Buffer.from([10, 0, 0, 7, 0, 0]), Buffer.alloc(40_000_000)])
  const deep = Buffer.alloc(3_000_000, Buffer.from([10, 0, 0]))
  const drawn = await drawChunks('hostile', [
    { index: 0, record: recordOf(bomb) },
    { index: 1, record: recordOf(deep) },
    { index: 2, record: recordOf(Buffer.from('nonsense'), 'none') },
    { index: 3, record: { compression: 'zlib', external: false, data: Buffer.from('nonsense') } },
    { index: 4, record: recordOf(chunk(4, { blockAt: flat('gold_block') })) },
  ])
  expect(drawn.done).toEqual({ chunks: 1, damaged: 4 })
  expect(await drawn.colour(4 * 16 + 8, 8)).toBe(0xf6d03d)
})

test('what is seen from above: roofs, water, plants, light, and the ground below a ceiling', async () => {
  const blockAt: WrittenChunk['blockAt'] = (x, y, z) => {
    if (y < 60) return 'minecraft:sand'
    const isPond = x < 8 && z < 8
    if (isPond && y < 63) return 'minecraft:water'
    if (!isPond && y < 63) return x > 7 && y === 62 ? 'minecraft:grass_block' : 'minecraft:sand'
    if (y === 63 && x === 12 && z === 12) return 'minecraft:poppy'
    return y === 100 && x > 13 ? 'minecraft:glass' : 'minecraft:air'
  }
  const lightAt = (x: number, y: number) => (y === 63 && x < 12 ? 14 : 0)
  const drawn = await drawChunks('view', [{ index: 0, record: recordOf(chunk(0, { blockAt, lightAt })) }])
  const [water, grass, flower, glass] = await Promise.all([
    drawn.colour(4, 4),
    drawn.colour(10, 4),
    drawn.colour(12, 12),
    drawn.colour(14, 5),
  ])
  expect(blueOf(water!)).toBeGreaterThan(redOf(water!) * 1.5)
  expect(greenOf(grass!)).toBeGreaterThan(redOf(grass!))
  expect(redOf(flower!)).toBeGreaterThan(redOf(grass!))
  expect(glass).not.toBe(grass)
  const [lit, dark] = await Promise.all([drawn.colour(10, 4, 'night'), drawn.colour(13, 4, 'night')])
  expect(redOf(lit!)).toBeGreaterThan(redOf(dark!) * 2)

  const nether: WrittenChunk['blockAt'] = (_x, y) => {
    if (y > 120 && y < 128) return 'minecraft:bedrock'
    return y < 40 ? 'minecraft:crimson_nylium' : 'minecraft:air'
  }
  const below = await drawChunks('nether', [{ index: 0, record: recordOf(chunk(0, { blockAt: nether })) }], {
    hasRoof: true,
  })
  expect(await below.colour(8, 8)).toBe(0x821f1f)
})

test.runIf(isLong)('a world without noted heights looks the same', async () => {
  const blockAt: WrittenChunk['blockAt'] = (x, y, z) =>
    y < 60 + ((x * z) % 5) ? 'minecraft:gold_block' : 'minecraft:air'
  const drawWith = (heightmaps: boolean) =>
    drawChunks(`heights ${heightmaps}`, [{ index: 0, record: recordOf(chunk(0, { blockAt, heightmaps })) }])
  const noted = await drawWith(true)
  const bare = await drawWith(false)
  for (let at = 0; at < 256; at += 7)
    expect(await bare.colour(at & 15, at >> 4)).toBe(await noted.colour(at & 15, at >> 4))
})

test('blocks that nobody has heard of keep one colour, unlike their neighbours', async () => {
  const blockAt: WrittenChunk['blockAt'] = (x, y) => (y < 64 ? `strange:thing_${x >> 3}` : 'minecraft:air')
  const drawn = await drawChunks('strange', [{ index: 0, record: recordOf(chunk(0, { blockAt })) }])
  const [one, same, other] = await Promise.all([drawn.colour(2, 8), drawn.colour(5, 3), drawn.colour(12, 8)])
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})

const redOf = (colour: number) => colour >> 16
const greenOf = (colour: number) => (colour >> 8) & 255
const blueOf = (colour: number) => colour & 255
