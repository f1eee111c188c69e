/** Draws the tiles of one region. What it works in is made once for each thread. */
import { join } from 'node:path'
import { createChunkReader } from '@wakestone/minecraft/chunk'
import { ProtocolError } from '@wakestone/minecraft/protocol-error'
import type { ChunkPlace } from '@wakestone/minecraft/region'
import { openRegion } from '@wakestone/minecraft/region-file'
import { type MapLayer, mapLayers } from '@wakestone/protocol/map-render'
import { paintLayers } from './layers.ts'
import { createLooks } from './looks.ts'
import { clearSurface, createSurface, createSurveyor, SIDE } from './surface.ts'
import { readTile, removeTile, writeTile } from './tiles.ts'

export type RegionWork = {
  /** Folder of the regions, and the dimension's in the store. */
  path: string
  folder: string
  x: number
  z: number
  hasRoof: boolean
  layers: readonly MapLayer[]
}
export type RegionDone = { chunks: number; damaged: number }

const MOST_CHUNK_BYTES = 16 * 1024 * 1024
const NORTHERN_ROW = 31 * 32

export function createRegionDrawer() {
  const looks = createLooks()
  const chunk = createChunkReader(looks)
  const surface = createSurface()
  const pictures = Object.fromEntries(mapLayers.map((layer) => [layer, new Uint8Array(SIDE * SIDE * 4)])) as Record<
    MapLayer,
    Uint8Array
  >

  return async ({ path, folder, x, z, hasRoof, layers }: RegionWork): Promise<RegionDone> => {
    clearSurface(surface)
    const surveyor = createSurveyor(chunk, looks, { hasRoof })
    const drawn = readAll(
      { x, z },
      () => true,
      (place) => surveyor.survey(surface, place.index),
    )
    readAll(
      { x, z: z - 1 },
      ({ index }) => index >= NORTHERN_ROW,
      (place) => surveyor.surveyNorth(surface, place.index),
    )
    const places = layers.map((layer) => ({ folder, layer, zoomOut: 0, x, z }))
    const known = drawn.damaged.length > 0 ? await Promise.all(places.map(readTile)) : []
    if (drawn.chunks === 0 && known.every((tile) => tile === null)) places.forEach(removeTile)
    else {
      paintLayers(surface, looks.biomes, { wanted: layers, pictures })
      // A damaged chunk, or one that the game was just writing, goes on looking as it did.
      known.forEach((tile, index) => tile && keepChunks(tile, pictures[layers[index]!], drawn.damaged))
      await Promise.all(places.map((place) => writeTile(place, pictures[place.layer])))
    }
    return { chunks: drawn.chunks, damaged: drawn.damaged.length }

    /** Reads the chunks of a region that are wanted, one after another. One that is not there has none. */
    function readAll(
      at: { x: number; z: number },
      isWanted: (place: ChunkPlace) => boolean,
      use: (place: ChunkPlace) => void,
    ) {
      const damaged: number[] = []
      let chunks = 0
      try {
        using region = openRegion(join(path, `r.${at.x}.${at.z}.mca`), at)
        damaged.push(...region.damaged)
        for (const place of region.chunks.filter(isWanted)) {
          try {
            if (!chunk.read(region.readChunk(place, MOST_CHUNK_BYTES))) continue
            use(place)
            chunks++
          } catch (error) {
            forgive(error)
            damaged.push(place.index)
          }
        }
      } catch (error) {
        forgive(error)
      }
      return { chunks, damaged }
    }
  }
}

/** Damage and what the system refuses are a world's matter; everything else is a fault of ours. */
function forgive(error: unknown) {
  if (error instanceof ProtocolError || (error as NodeJS.ErrnoException).syscall !== undefined) return
  throw error
}

function keepChunks(from: Uint8Array, to: Uint8Array, chunks: number[]) {
  for (const index of chunks)
    for (let row = 0; row < 16; row++) {
      const start = (((index >> 5) * 16 + row) * SIDE + (index & 31) * 16) * 4
      to.set(from.subarray(start, start + 64), start)
    }
}
