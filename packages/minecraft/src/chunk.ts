/**
 * Chunks of Java Edition, 1.8 to 26.1, as far as a view from above needs them. Nothing but that is read out of their NBT,
 * and sections are unpacked when something of them is asked for: most of a chunk is never looked at.
 * @see https://minecraft.wiki/w/Chunk_format
 */
import { createNbtWalk, type NbtWalk, nbtNameKey } from './nbt-walk.ts'
import { ProtocolError } from './protocol-error.ts'

/** Numbers that a reader's owner gives to names, so that columns are compared by number. */
export type ChunkNames = {
  /** Of a block's name, such as `minecraft:stone`. */
  block(name: string): number
  /** Of a block before 1.13. @param data 0–15. */
  oldBlock(id: number, data: number): number
  biome(name: string): number
  /** Of a biome before 1.18. */
  oldBiome(id: number): number
}

/** From here on a value never lies in two longs (1.16). */
const FIRST_WHOLE_LONGS = 2529
/** States in which a chunk has all that it will have on its surface. */
const drawnStates = new Set(['full', 'fullchunk', 'postprocessed', 'mobs_spawned'])
const MOST_SECTIONS = 256
const LONG = 8

const key = nbtNameKey
const names = {
  level: key('Level'),
  dataVersion: key('DataVersion'),
  status: key('Status'),
  populated: key('TerrainPopulated'),
  yPos: key('yPos'),
  sections: key('sections'),
  oldSections: key('Sections'),
  heightmaps: key('Heightmaps'),
  biomes: key('Biomes'),
  newBiomes: key('biomes'),
  worldSurface: key('WORLD_SURFACE'),
  oceanFloor: key('OCEAN_FLOOR'),
  sectionY: key('Y'),
  blockStates: key('block_states'),
  oldBlockStates: key('BlockStates'),
  palette: key('palette'),
  oldPalette: key('Palette'),
  data: key('data'),
  blockLight: key('BlockLight'),
  blocks: key('Blocks'),
  oldData: key('Data'),
  add: key('Add'),
  name: key('Name'),
}

const types = { byte: 1, int: 3, byteArray: 7, string: 8, list: 9, compound: 10, intArray: 11, longArray: 12 } as const

/** An array within the NBT: where its first value lies, and how many there are. */
type Span = { start: number; length: number }
const nowhere = (): Span => ({ start: -1, length: 0 })

type Section = {
  y: number
  palette: number
  states: Span
  biomePalette: number
  biomeData: Span
  light: Span
  blocks: Span
  data: Span
  add: Span
  /** Numbers of what is in the palette; null until it was read. */
  ids: Uint16Array | null
  biomeIds: Uint16Array | null
  bits: number
  biomeBits: number
}

export type ChunkReader = ReturnType<typeof createChunkReader>

/**
 * A reader for one chunk after another: what it holds is of the last one that was read.
 * Coordinates: x and z within the chunk, 0–15; y of the world.
 */
export function createChunkReader(given: ChunkNames) {
  let walk: NbtWalk = createNbtWalk(Buffer.alloc(0))
  let bytes: Buffer = Buffer.alloc(0)
  let version = 0
  let status: string | null = null
  let populated = true
  let yPos: number | null = null
  let sections: Section[] = []
  /** By y of the section minus `lowest`. */
  let bySlot: (Section | undefined)[] = []
  let lowest = 0
  let surface = nowhere()
  let floor = nowhere()
  let biomes = nowhere()
  let biomeWidth = 4
  /** Bits of a height; 0 where there are no heights. */
  let surfaceBits = 0
  let floorBits = 0

  /** @throws ProtocolError when it is damaged. @returns whether it has a surface to be drawn. */
  function read(nbt: Buffer): boolean {
    walk = createNbtWalk(nbt)
    bytes = nbt
    version = 0
    status = null
    populated = true
    yPos = null
    sections = []
    surface = nowhere()
    floor = nowhere()
    biomes = nowhere()
    if (walk.root() !== types.compound) throw new ProtocolError('chunk: no compound')
    readFields()
    if (status !== null && !drawnStates.has(status)) return false
    if (!populated || sections.length === 0) return false
    arrange()
    return true
  }

  function readFields() {
    walk.each((type, name) => {
      if (type === types.compound && name === names.level) readFields()
      else if (type === types.int && name === names.dataVersion) version = walk.int()
      else if (type === types.int && name === names.yPos) yPos = walk.int()
      else if (type === types.string && name === names.status) status = walk.string(64).replace(/^minecraft:/, '')
      else if (type === types.byte && name === names.populated) populated = walk.byte() !== 0
      else if (type === types.list && (name === names.sections || name === names.oldSections)) readSections()
      else if (type === types.compound && name === names.heightmaps) readHeightmaps()
      else if (name === names.biomes && type === types.intArray) biomes = spanOf((biomeWidth = 4))
      else if (name === names.biomes && type === types.byteArray) biomes = spanOf((biomeWidth = 1))
      else walk.skip(type)
    })
  }

  function spanOf(width: number): Span {
    const length = walk.length()
    return { start: walk.take(length * width), length }
  }

  function readHeightmaps() {
    walk.each((type, name) => {
      if (type === types.longArray && name === names.worldSurface) surface = spanOf(LONG)
      else if (type === types.longArray && name === names.oceanFloor) floor = spanOf(LONG)
      else walk.skip(type)
    })
  }

  function readSections() {
    walk.eachOfList(types.compound, () => {
      if (sections.length >= MOST_SECTIONS) throw new ProtocolError('chunk: too many sections')
      const section: Section = {
        y: 0,
        palette: -1,
        states: nowhere(),
        biomePalette: -1,
        biomeData: nowhere(),
        light: nowhere(),
        blocks: nowhere(),
        data: nowhere(),
        add: nowhere(),
        ids: null,
        biomeIds: null,
        bits: 0,
        biomeBits: 0,
      }
      walk.each((type, name) => readSectionField(section, type, name))
      sections.push(section)
    })
  }

  function readSectionField(section: Section, type: number, name: number) {
    if (name === names.sectionY && type === types.byte) section.y = walk.byte()
    else if (name === names.sectionY && type === types.int) section.y = walk.int()
    else if (name === names.blockStates && type === types.compound)
      walk.each((inner, innerName) => {
        if (innerName === names.palette && inner === types.list) section.palette = walk.markAndSkip(inner)
        else if (innerName === names.data && inner === types.longArray) section.states = spanOf(LONG)
        else walk.skip(inner)
      })
    else if (name === names.newBiomes && type === types.compound)
      walk.each((inner, innerName) => {
        if (innerName === names.palette && inner === types.list) section.biomePalette = walk.markAndSkip(inner)
        else if (innerName === names.data && inner === types.longArray) section.biomeData = spanOf(LONG)
        else walk.skip(inner)
      })
    else if (name === names.oldPalette && type === types.list) section.palette = walk.markAndSkip(type)
    else if (name === names.oldBlockStates && type === types.longArray) section.states = spanOf(LONG)
    else if (name === names.blockLight && type === types.byteArray) section.light = spanOf(1)
    else if (name === names.blocks && type === types.byteArray) section.blocks = spanOf(1)
    else if (name === names.oldData && type === types.byteArray) section.data = spanOf(1)
    else if (name === names.add && type === types.byteArray) section.add = spanOf(1)
    else walk.skip(type)
  }

  /** Sections into their places, and how heights are packed. */
  function arrange() {
    lowest = sections.reduce((least, { y }) => Math.min(least, y), Infinity)
    const highest = sections.reduce((most, { y }) => Math.max(most, y), -Infinity)
    if (highest - lowest >= MOST_SECTIONS) throw new ProtocolError('chunk: too high')
    bySlot = Array.from({ length: highest - lowest + 1 })
    for (const section of sections) bySlot[section.y - lowest] = section
    surfaceBits = heightBits(surface.length)
    floorBits = heightBits(floor.length)
  }

  /** Of 256 heights in so many longs; the game picks the bits by the height of the world. */
  function heightBits(longs: number): number {
    if (version < FIRST_WHOLE_LONGS) return longs === 36 ? 9 : 0
    for (const bits of [9, 8, 10, 11, 12]) if (Math.ceil(256 / Math.floor(64 / bits)) === longs) return bits
    return 0
  }

  /** Value of a packed array. */
  function unpack(start: number, bits: number, index: number): number {
    let position: number
    if (version >= FIRST_WHOLE_LONGS) {
      const perLong = (64 / bits) | 0
      const long = (index / perLong) | 0
      position = long * 64 + (index - long * perLong) * bits
    } else position = index * bits
    const long = position >>> 6
    const shift = position & 63
    const at = start + long * LONG
    const low = word(at + 4)
    const high = word(at)
    const mask = (1 << bits) - 1
    if (shift >= 32) {
      const value = high >>> (shift - 32)
      const have = 64 - shift
      return (have >= bits ? value : value | (word(at + LONG + 4) << have)) & mask
    }
    const have = 32 - shift
    return (have >= bits ? low >>> shift : shift === 0 ? low : (low >>> shift) | (high << have)) & mask
  }

  const word = (at: number) =>
    ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0

  /** Reads a section's palette. @returns what may be asked for by `ids` then. */
  function load(section: Section): Uint16Array {
    const ids = section.palette < 0 ? new Uint16Array(0) : readPalette(section.palette, true)
    section.ids = ids
    section.bits = bitsOf(section.states.length, 4096, ids.length, 4)
    return ids
  }

  /** How many bits a value takes: by the size of the palette, and not more than lie there. 0: all are the first one. */
  function bitsOf(longs: number, values: number, size: number, least: number): number {
    if (longs === 0 || size === 0) return 0
    if (version < FIRST_WHOLE_LONGS) return Math.min(12, Math.floor((longs * 64) / values))
    const bits = Math.max(least, 32 - Math.clz32(size - 1))
    if (longs < Math.ceil(values / Math.floor(64 / bits))) throw new ProtocolError('chunk: a section is cut off')
    return bits
  }

  function readPalette(mark: number, isOfBlocks: boolean): Uint16Array {
    const inner = createNbtWalk(bytes, mark)
    const ids: number[] = []
    if (!isOfBlocks) inner.eachOfList(types.string, () => void ids.push(given.biome(inner.string(128))))
    else
      inner.eachOfList(types.compound, () => {
        let id = given.block('')
        inner.each((type, name) => {
          if (type === types.string && name === names.name) id = given.block(inner.string(128))
          else inner.skip(type)
        })
        ids.push(id)
      })
    if (ids.length > 4096) throw new ProtocolError('chunk: too many kinds of blocks')
    return Uint16Array.from(ids)
  }

  const sectionAt = (y: number) => bySlot[(y >> 4) - lowest]
  const indexOf = (x: number, y: number, z: number) => ((y & 15) << 8) | (z << 4) | x

  return {
    read,
    /** Of the highest block and the lowest that may be there. */
    top: () => (lowest + bySlot.length) * 16 - 1,
    bottom: () => lowest * 16,
    /** Whether nothing at all can be in the section of that height. */
    isEmpty(y: number): boolean {
      const section = sectionAt(y)
      return section === undefined || (section.palette < 0 && section.blocks.start < 0)
    },

    /** The next height, from `y` down to the end of its section, at which the block may be more than air. */
    belowAir(x: number, y: number, z: number): number {
      const section = sectionAt(y)
      if (section === undefined || section.palette >= 0 || section.blocks.length < 4096) return y
      const bottom = y & ~15
      let at = section.blocks.start + indexOf(x, y, z)
      while (y > bottom && bytes[at] === 0) {
        y--
        at -= 256
      }
      return y
    },

    /** Number of a block; that of the name `` where nothing is. */
    block(x: number, y: number, z: number): number {
      const section = sectionAt(y)
      if (section === undefined) return given.block('')
      const index = indexOf(x, y, z)
      if (section.palette >= 0) {
        const ids = section.ids ?? load(section)
        return ids[section.bits === 0 ? 0 : unpack(section.states.start, section.bits, index)] ?? given.block('')
      }
      if (section.blocks.length < 4096) return given.block('')
      const low = bytes[section.blocks.start + index]!
      const high = section.add.length < 2048 ? 0 : nibble(section.add.start, index)
      const data = section.data.length < 2048 ? 0 : nibble(section.data.start, index)
      return given.oldBlock(low | (high << 8), data)
    },

    biome(x: number, y: number, z: number): number {
      if (biomes.length > 0) return oldBiome(x, y, z)
      const section = sectionAt(Math.min(Math.max(y, lowest * 16), (lowest + bySlot.length) * 16 - 1))
      if (section === undefined || section.biomePalette < 0) return given.biome('')
      const ids = (section.biomeIds ??= loadBiomes(section))
      const index = ((y & 12) << 2) | (z & 12) | (x >> 2)
      return (
        ids[section.biomeBits === 0 ? 0 : unpack(section.biomeData.start, section.biomeBits, index)] ?? given.biome('')
      )
    },

    /** Light of torches and their like, 0–15. */
    light(x: number, y: number, z: number): number {
      const section = sectionAt(y)
      if (section === undefined || section.light.length < 2048) return 0
      return nibble(section.light.start, indexOf(x, y, z))
    },

    /** Of the highest block that is no air, as the game has noted it; null where it has not. */
    surface(x: number, z: number): number | null {
      return surfaceBits === 0 ? null : heightAt(surface, surfaceBits, x, z)
    },
    /** Of the highest block that is neither air nor a fluid nor walked through. */
    floor(x: number, z: number): number | null {
      return floorBits === 0 ? null : heightAt(floor, floorBits, x, z)
    },
  }

  function loadBiomes(section: Section): Uint16Array {
    const ids = readPalette(section.biomePalette, false)
    section.biomeBits = bitsOf(section.biomeData.length, 64, ids.length, 1)
    return ids
  }

  function nibble(start: number, index: number): number {
    const byte = bytes[start + (index >> 1)]!
    return index & 1 ? byte >> 4 : byte & 15
  }

  function heightAt(span: Span, bits: number, x: number, z: number): number {
    return unpack(span.start, bits, (z << 4) | x) + (yPos ?? 0) * 16 - 1
  }

  /** 256 columns until 1.14, then cells of four blocks, from the world's bottom. */
  function oldBiome(x: number, y: number, z: number): number {
    const isColumns = biomes.length <= 256
    const cell = Math.max(0, Math.min(y >> 2, (biomes.length >> 4) - 1))
    const index = isColumns ? (z << 4) | x : (cell << 4) | (z & 12) | (x >> 2)
    if (index >= biomes.length) return given.biome('')
    return given.oldBiome(biomeWidth === 1 ? bytes[biomes.start + index]! : word(biomes.start + index * 4))
  }
}
