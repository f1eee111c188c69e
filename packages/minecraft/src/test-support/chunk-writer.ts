/** Writes chunks as the game does since 1.18, for tests: out of functions that tell what stands where. */
import { compoundOf, listOf, type NbtTag, writeNbt } from '../nbt.ts'

export type WrittenChunk = {
  /** Chunk coordinates. */
  x: number
  z: number
  /** Coordinates of the world. */
  blockAt: (x: number, y: number, z: number) => string
  biome?: string
  /** 0–15, of a block. */
  lightAt?: (x: number, y: number, z: number) => number
  /** 4903 is 26.2. */
  dataVersion?: number
  bottom?: number
  top?: number
  status?: string
  heightmaps?: boolean
}

const text = (value: string): NbtTag => ({ type: 'string', value })
const int = (value: number): NbtTag => ({ type: 'int', value })
const isAir = (name: string) => name === 'minecraft:air'
const isFluid = (name: string) => name === 'minecraft:water'

/** @returns uncompressed NBT. */
export function writeChunk({
  x,
  z,
  blockAt,
  biome = 'minecraft:plains',
  lightAt,
  dataVersion = 4903,
  bottom = -64,
  top = 320,
  status = 'minecraft:full',
  heightmaps = true,
}: WrittenChunk): Buffer {
  const at = (index: number, y: number) => blockAt(x * 16 + (index & 15), y, z * 16 + (index >> 4))
  const highest = (counts: (name: string) => boolean) =>
    Array.from({ length: 256 }, (_, index) => {
      let y = top - 1
      while (y >= bottom && !counts(at(index, y))) y--
      return y + 1 - bottom
    })
  const sections = Array.from({ length: (top - bottom) / 16 }, (_, slot) => {
    const y = bottom / 16 + slot
    const names = Array.from({ length: 4096 }, (_none, index) => at(index & 255, y * 16 + (index >> 8)))
    const palette = [...new Set(names)]
    const numbers = names.map((name) => palette.indexOf(name))
    const states: Record<string, NbtTag> = { palette: listOf(palette.map((name) => compoundOf({ Name: text(name) }))) }
    if (palette.length > 1)
      states['data'] = { type: 'longArray', value: pack(numbers, Math.max(4, Math.ceil(Math.log2(palette.length)))) }
    return compoundOf({
      Y: { type: 'byte', value: y },
      block_states: compoundOf(states),
      biomes: compoundOf({ palette: listOf([text(biome)]) }),
      ...(lightAt && { BlockLight: { type: 'byteArray', value: lightOf(lightAt, { x, z, y }) } }),
    })
  })
  const heights: Record<string, NbtTag> = {
    WORLD_SURFACE: {
      type: 'longArray',
      value: pack(
        highest((name) => !isAir(name)),
        9,
      ),
    },
    OCEAN_FLOOR: {
      type: 'longArray',
      value: pack(
        highest((name) => !isAir(name) && !isFluid(name)),
        9,
      ),
    },
  }
  return writeNbt(
    compoundOf({
      DataVersion: int(dataVersion),
      xPos: int(x),
      yPos: int(bottom / 16),
      zPos: int(z),
      Status: text(status),
      sections: listOf(sections),
      Heightmaps: compoundOf(heightmaps ? heights : {}),
    }),
  )
}

function lightOf(
  lightAt: NonNullable<WrittenChunk['lightAt']>,
  { x, z, y }: { x: number; z: number; y: number },
): Int8Array {
  const bytes = new Uint8Array(2048)
  for (let index = 0; index < 4096; index++) {
    const light = lightAt(x * 16 + (index & 15), y * 16 + (index >> 8), z * 16 + ((index >> 4) & 15))
    bytes[index >> 1]! |= light << ((index & 1) * 4)
  }
  return new Int8Array(bytes.buffer)
}

/** As many in each long as go in whole. */
function pack(values: number[], bits: number): BigInt64Array {
  const perLong = Math.floor(64 / bits)
  const longs = new BigInt64Array(Math.ceil(values.length / perLong))
  values.forEach((value, index) => {
    longs[Math.floor(index / perLong)]! |= BigInt.asIntN(64, BigInt(value) << BigInt((index % perLong) * bits))
  })
  return longs
}
