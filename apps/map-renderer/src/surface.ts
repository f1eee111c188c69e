/** What is seen of a region from above: one entry for each of its columns, before anything is painted. */
import type { ChunkReader } from '@wakestone/minecraft/chunk'
import { multiply } from './colours/colour.ts'
import { kinds, tints } from './colours/blocks.ts'
import type { Looks } from './looks.ts'

/** Blocks along a region's side, and pixels along a tile's. */
export const SIDE = 512
export const NO_HEIGHT = -32_768
/** Deeper water shows nothing of its ground. */
const DEEPEST_WATER = 24
const NETHER_ROOF = 127

/** Entries are by `z * 512 + x`. Where nothing is, `height` is `NO_HEIGHT`. */
export type Surface = {
  colours: Uint32Array
  heights: Int16Array
  /** Blocks of water above the ground. */
  depths: Uint8Array
  lights: Uint8Array
  biomes: Uint16Array
  /** Heights of the row north of the region. */
  north: Int16Array
}

export function createSurface(): Surface {
  return {
    colours: new Uint32Array(SIDE * SIDE),
    heights: new Int16Array(SIDE * SIDE),
    depths: new Uint8Array(SIDE * SIDE),
    lights: new Uint8Array(SIDE * SIDE),
    biomes: new Uint16Array(SIDE * SIDE),
    north: new Int16Array(SIDE),
  }
}

export function clearSurface({ heights, north, depths, lights }: Surface) {
  heights.fill(NO_HEIGHT)
  north.fill(NO_HEIGHT)
  depths.fill(0)
  lights.fill(0)
}

/** A column as it was last looked at. */
type Column = { colour: number; height: number; depth: number; light: number; biome: number }

/** @param hasRoof whether the dimension is covered, as the Nether is: one looks from below its roof. */
export function createSurveyor(chunk: ChunkReader, { blocks, biomes }: Looks, { hasRoof }: { hasRoof: boolean }) {
  const column: Column = { colour: 0, height: NO_HEIGHT, depth: 0, light: 0, biome: 0 }

  /** Writes the columns of the chunk that was read last to their places. @param index of the chunk in its region. */
  function survey(surface: Surface, index: number) {
    const corner = (index >> 5) * 16 * SIDE + (index & 31) * 16
    for (let z = 0; z < 16; z++)
      for (let x = 0; x < 16; x++) {
        look(x, z)
        const at = corner + z * SIDE + x
        surface.heights[at] = column.height
        if (column.height === NO_HEIGHT) continue
        surface.colours[at] = column.colour
        surface.depths[at] = column.depth
        surface.lights[at] = column.light
        surface.biomes[at] = column.biome
      }
  }

  /** Only the heights of the southernmost row, for the region that lies south. */
  function surveyNorth(surface: Surface, index: number) {
    const corner = (index & 31) * 16
    for (let x = 0; x < 16; x++) {
      look(x, 15)
      surface.north[corner + x] = column.height
    }
  }

  function look(x: number, z: number) {
    column.height = NO_HEIGHT
    column.depth = 0
    const bottom = chunk.bottom()
    let y = startOf(x, z)
    let red = 0
    let green = 0
    let blue = 0
    /** How much of what is below is seen. */
    let open = 1
    for (; y >= bottom; y--) {
      if ((y & 15) === 15 && chunk.isEmpty(y)) {
        y -= 15
        continue
      }
      y = chunk.belowAir(x, y, z)
      const seen = blocks[chunk.block(x, y, z)]!
      if (seen.kind === kinds.invisible) continue
      if (column.height === NO_HEIGHT) {
        column.biome = chunk.biome(x, y, z)
        column.light = chunk.light(x, y + 1, z)
        column.height = y
      }
      if (seen.kind === kinds.water) {
        column.height = y
        const ground = toGround(x, y, z, bottom)
        if (ground === null) break
        y = ground + 1
        continue
      }
      const colour = seen.tint === tints.none ? seen.colour : tinted(seen.colour, seen.tint)
      const share = seen.kind === kinds.thin ? open * seen.cover : open
      red += ((colour >> 16) & 255) * share
      green += ((colour >> 8) & 255) * share
      blue += (colour & 255) * share
      open -= share
      if (seen.kind === kinds.thin) continue
      if (column.depth === 0) column.height = y
      break
    }
    if (column.height === NO_HEIGHT) return
    // What is left open over nothing, or over water too deep, is filled up by the same colours.
    const whole = open < 1 ? 1 / (1 - open) : 1
    column.colour = ((red * whole) << 16) | ((green * whole) << 8) | (blue * whole)
  }

  const tinted = (colour: number, tint: number) => {
    const { grass, foliage } = biomes[column.biome]!
    return multiply(colour, tint === tints.grass ? grass : foliage)
  }

  /** From below the water's surface at `y`: notes the depth. @returns where the ground is, unless it is hidden. */
  function toGround(x: number, surface: number, z: number, bottom: number): number | null {
    const floor = chunk.floor(x, z)
    const noted = floor !== null && floor < surface && floor >= bottom ? floor : null
    if (noted !== null && blocks[chunk.block(x, noted, z)]!.kind === kinds.opaque) {
      column.depth = Math.min(255, surface - noted)
      return noted
    }
    let y = surface - 1
    while (y >= bottom && surface - y < DEEPEST_WATER && blocks[chunk.block(x, y, z)]!.kind === kinds.water) y--
    column.depth = surface - y
    return column.depth < DEEPEST_WATER && y >= bottom ? y : null
  }

  /** Where to look from: what the game has noted, if it is so, else the top. */
  function startOf(x: number, z: number): number {
    const top = chunk.top()
    if (hasRoof) {
      let y = Math.min(top, NETHER_ROOF)
      const bottom = chunk.bottom()
      while (y > bottom && blocks[chunk.block(x, y, z)]!.kind !== kinds.invisible) y--
      return y
    }
    const noted = chunk.surface(x, z)
    if (noted === null || noted > top || noted < chunk.bottom()) return top
    return blocks[chunk.block(x, noted + 1, z)]!.kind === kinds.invisible ? noted : top
  }

  return { survey, surveyNorth }
}
