/** Pictures of the real regions among the fixtures: all layers side by side, as far as chunks go. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRegion } from '@wakestone/minecraft/region-file'
import { parseRegionName } from '@wakestone/minecraft/region'
import { mapLayers } from '@wakestone/protocol/map-render'
import { PNG } from 'pngjs'
import { createRegionDrawer } from '../draw-region.ts'
import { SIDE } from '../surface.ts'
import { readTile } from '../tiles.ts'

const regions = join(import.meta.dirname, '../../../../tests/fixtures/regions')
export const referencePictures = join(import.meta.dirname, '../../../../tests/fixtures/maps')
export const regionVersions = readdirSync(regions).filter((name) => name.startsWith('1.'))

/** Folder, name and coordinates of a version's region. */
export function findRegion(version: string) {
  const folder = join(regions, version)
  const [file = ''] = readdirSync(folder)
  return { folder, file, ...parseRegionName(file)! }
}

/** Draws a version's region, and puts what it has of each layer into one picture. */
export async function takeRegionPicture(version: string, hasRoof = false): Promise<PNG> {
  const region = findRegion(version)
  const store = mkdtempSync(join(tmpdir(), 'map-picture-'))
  try {
    await createRegionDrawer()({
      path: region.folder,
      folder: store,
      x: region.x,
      z: region.z,
      hasRoof,
      layers: mapLayers,
    })
    const { left, top, width, height } = extentOf(join(region.folder, region.file), region)
    const picture = new PNG({ width: width * mapLayers.length, height })
    for (const [index, layer] of mapLayers.entries()) {
      const tile = await readTile({ folder: store, layer, zoomOut: 0, x: region.x, z: region.z })
      for (let row = 0; row < height; row++) {
        const start = ((top + row) * SIDE + left) * 4
        picture.data.set(tile!.subarray(start, start + width * 4), (row * picture.width + index * width) * 4)
      }
    }
    return picture
  } finally {
    rmSync(store, { recursive: true })
  }
}

/** In pixels of the tile. */
function extentOf(path: string, at: { x: number; z: number }) {
  using region = openRegion(path, at)
  const xs = region.chunks.map(({ index }) => index & 31)
  const zs = region.chunks.map(({ index }) => index >> 5)
  const [west, north] = [Math.min(...xs), Math.min(...zs)]
  return {
    left: west * 16,
    top: north * 16,
    width: (Math.max(...xs) - west + 1) * 16,
    height: (Math.max(...zs) - north + 1) * 16,
  }
}
