import fc from 'fast-check'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ChunkNames, createChunkReader } from './chunk.ts'
import { compoundOf, findNbt, listOf, type NbtTag, readNbt, writeNbt } from './nbt.ts'
import { ProtocolError } from './protocol-error.ts'
import { openRegion } from './region-file.ts'
import { parseRegionName } from './region.ts'
import { writeChunk } from './test-support/chunk-writer.ts'

const regions = join(import.meta.dirname, '../../../tests/fixtures/regions')

/** Gives numbers, and tells what they stand for. */
function createNames() {
  const known = ['']
  const numberOf = (name: string) => {
    if (!known.includes(name)) known.push(name)
    return known.indexOf(name)
  }
  const names: ChunkNames = {
    block: numberOf,
    biome: numberOf,
    oldBlock: (id, data) => numberOf(`${id}:${data}`),
    oldBiome: (id) => numberOf(`biome ${id}`),
  }
  return { names, nameOf: (number: number) => known[number]! }
}

/** The same, out of the whole tree, bit by bit: slow, and nothing of the reader's. */
function createOracle(nbt: Buffer) {
  const root = readNbt(nbt).tag
  const level = findNbt(root, 'Level') ?? root
  const version = Number(findNbt(root, 'DataVersion')?.value ?? 0)
  const list = findNbt(level, 'sections') ?? findNbt(level, 'Sections')
  const sections = list?.type === 'list' ? list.value : []
  const sectionAt = (y: number) => sections.find((one) => findNbt(one, 'Y')?.value === Math.floor(y / 16))
  const nibble = (tag: NbtTag | undefined, index: number) =>
    tag?.type === 'byteArray' ? ((tag.value[index >> 1]! & 255) >> ((index & 1) * 4)) & 15 : 0
  function unpack(tag: NbtTag | undefined, bits: number, index: number): number {
    if (tag?.type !== 'longArray') return 0
    const all = (long: number) => BigInt.asUintN(64, tag.value[long] ?? 0n)
    if (version >= 2529) {
      const per = Math.floor(64 / bits)
      return Number((all(Math.floor(index / per)) >> BigInt((index % per) * bits)) & ((1n << BigInt(bits)) - 1n))
    }
    const long = Math.floor((index * bits) / 64)
    const both = all(long) | (all(long + 1) << 64n)
    return Number((both >> BigInt((index * bits) % 64)) & ((1n << BigInt(bits)) - 1n))
  }
  return {
    block(x: number, y: number, z: number): string {
      const section = sectionAt(y)
      const index = (y & 15) * 256 + z * 16 + x
      const palette = findNbt(section, 'block_states', 'palette') ?? findNbt(section, 'Palette')
      if (palette?.type === 'list') {
        const data = findNbt(section, 'block_states', 'data') ?? findNbt(section, 'BlockStates')
        const bits = Math.max(4, Math.ceil(Math.log2(palette.value.length)))
        return String(findNbt(palette.value[unpack(data, bits, index)], 'Name')?.value ?? '')
      }
      const blocks = findNbt(section, 'Blocks')
      if (blocks?.type !== 'byteArray') return ''
      const id = (blocks.value[index]! & 255) | (nibble(findNbt(section, 'Add'), index) << 8)
      return `${id}:${nibble(findNbt(section, 'Data'), index)}`
    },
    light: (x: number, y: number, z: number) =>
      nibble(findNbt(sectionAt(y), 'BlockLight'), (y & 15) * 256 + z * 16 + x),
    surface(x: number, z: number): number | null {
      const heights = findNbt(level, 'Heightmaps', 'WORLD_SURFACE')
      const bottom = version >= 2860 ? Number(findNbt(root, 'yPos')?.value ?? 0) * 16 : 0
      return heights === undefined ? null : unpack(heights, 9, z * 16 + x) + bottom - 1
    },
  }
}

const versions = readdirSync(regions).filter((name) => name.startsWith('1.'))

test('real regions of twelve versions are there', () => expect(versions).toHaveLength(12))

test.each(versions)('blocks, light and heights of %s are those of the whole tree', (version) => {
  const [file = ''] = readdirSync(join(regions, version))
  const { names, nameOf } = createNames()
  const reader = createChunkReader(names)
  using region = openRegion(join(regions, version, file), parseRegionName(file)!)
  expect(region.damaged).toEqual([])
  const kinds = new Set<string>()
  for (const [number, place] of region.chunks.entries()) {
    const nbt = Buffer.from(region.readChunk(place))
    expect(reader.read(nbt), `chunk ${place.index}`).toBe(true)
    const oracle = createOracle(nbt)
    for (let step = 0; step < 400; step++) {
      // Spread over the chunk, others in each.
      const [x, z] = [(step * 7 + number) & 15, (step * 5 + number * 3) & 15]
      const y = reader.bottom() + ((step * 13 + number) % (reader.top() - reader.bottom() + 1))
      const found = nameOf(reader.block(x, y, z))
      if (found !== '') kinds.add(found)
      expect([found, reader.light(x, y, z)], `${x} ${y} ${z}`).toEqual([oracle.block(x, y, z), oracle.light(x, y, z)])
      expect(reader.surface(x, z)).toEqual(oracle.surface(x, z))
    }
    expect(nameOf(reader.biome(3, 64, 9))).not.toBe('')
  }
  expect(kinds.size).toBeGreaterThan(1)
})

test('a chunk of 26.1 is read back as it was written', () => {
  const palette = ['stone', 'dirt', 'grass_block', 'water', 'oak_log', 'sand', 'clay'].map(
    (name) => `minecraft:${name}`,
  )
  const blockAt = (x: number, y: number, z: number) =>
    y > 70 + (x & 3) ? 'minecraft:air' : palette[Math.abs(x * 31 + y * 17 + z * 7) % palette.length]!
  const { names, nameOf } = createNames()
  const reader = createChunkReader(names)
  const nbt = writeChunk({ x: -3, z: 7, blockAt, biome: 'minecraft:swamp', lightAt: (x) => x & 15 })
  expect(reader.read(nbt)).toBe(true)
  for (let step = 0; step < 2000; step++) {
    const [x, y, z] = [step & 15, -64 + (step % 384), (step * 3) & 15]
    expect(nameOf(reader.block(x, y, z))).toBe(blockAt(-48 + x, y, 112 + z))
    expect(reader.light(x, y, z)).toBe((-48 + x) & 15)
    expect(reader.surface(x, z)).toBe(70 + (x & 3))
  }
  expect(nameOf(reader.biome(0, 70, 0))).toBe('minecraft:swamp')
  expect(nameOf(reader.block(0, 5000, 0))).toBe('')
})

test('chunks that are half made have no surface', () => {
  const reader = createChunkReader(createNames().names)
  const blockAt = () => 'minecraft:stone'
  expect(reader.read(writeChunk({ x: 0, z: 0, blockAt, status: 'minecraft:noise' }))).toBe(false)
  expect(reader.read(writeNbt(compoundOf({ DataVersion: { type: 'int', value: 4903 } })))).toBe(false)
  const empty: NbtTag = { type: 'byte', value: 0 }
  expect(
    reader.read(
      writeNbt(compoundOf({ Level: compoundOf({ TerrainPopulated: empty, Sections: listOf([compoundOf({})]) }) })),
    ),
  ).toBe(false)
})

test('hostile chunks are a clear error', () => {
  const reader = createChunkReader(createNames().names)
  const section = (y: number, more: Record<string, NbtTag> = {}) =>
    compoundOf({ Y: { type: 'int', value: y }, ...more })
  const hostile = {
    'too many sections': listOf(Array.from({ length: 300 }, (_, y) => section(y))),
    'too far apart': listOf([section(-2_000_000_000), section(2_000_000_000)]),
  }
  for (const [name, sections] of Object.entries(hostile))
    expect(() => reader.read(writeNbt(compoundOf({ sections }))), name).toThrow(ProtocolError)
  const cutOff = section(0, {
    block_states: compoundOf({
      palette: listOf([compoundOf({}), compoundOf({})]),
      data: { type: 'longArray', value: new BigInt64Array(1) },
    }),
  })
  reader.read(writeNbt(compoundOf({ DataVersion: { type: 'int', value: 4903 }, sections: listOf([cutOff]) })))
  expect(() => reader.block(0, 0, 0)).toThrow(ProtocolError)
  const deep = Buffer.concat([Buffer.from([10, 0, 0]), Buffer.alloc(300_000, Buffer.from([10, 0, 0]))])
  expect(() => reader.read(deep)).toThrow(ProtocolError)
})

test('whatever is changed in a real chunk, it is read or a clear error', () => {
  const { names } = createNames()
  const reader = createChunkReader(names)
  const chunks = ['1.8.9', '1.14.4', '1.21.1'].map((version) => {
    const [file = ''] = readdirSync(join(regions, version))
    using region = openRegion(join(regions, version, file), parseRegionName(file)!)
    return Buffer.from(region.readChunk(region.chunks[0]!))
  })
  const changes = fc.array(fc.tuple(fc.nat({ max: 4000 }), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(fc.constantFrom(...chunks), changes, fc.nat(), (chunk, some, end) => {
      const bytes = Buffer.from(chunk.subarray(0, end % 3 === 0 ? end % chunk.length : chunk.length))
      for (const [at, value] of some) if (at < bytes.length) bytes[at] = value
      try {
        if (!reader.read(bytes)) return
        for (let y = reader.bottom(); y <= reader.top(); y += 3) {
          reader.block(y & 15, y, 5)
          reader.light(y & 15, y, 5)
          reader.biome(y & 15, y, 5)
        }
        reader.surface(1, 1)
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 300 },
  )
})
