/** Tiles in the store: `<dimension>/<layer>/<zoom out>/<x>.<z>.webp`. Each is there whole or not at all. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { MapLayer } from '@wakestone/protocol/map-render'
import sharp from 'sharp'
import { SIDE } from './surface.ts'

sharp.cache(false)
sharp.concurrency(1)

/** @param folder of the dimension in the store. */
export type TilePlace = { folder: string; layer: MapLayer; zoomOut: number; x: number; z: number }

export const tilePath = ({ folder, layer, zoomOut, x, z }: TilePlace) =>
  join(folder, layer, String(zoomOut), `${x}.${z}.webp`)

/** @param picture 512 × 512 pixels, RGBA. */
export async function writeTile(place: TilePlace, picture: Uint8Array): Promise<void> {
  const bytes = await sharp(picture, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .webp({ lossless: true, effort: 1 })
    .toBuffer()
  const path = tilePath(place)
  const draft = `${path}.${threadId}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, bytes)
  renameSync(draft, path)
}

export function removeTile(place: TilePlace): void {
  rmSync(tilePath(place), { force: true })
}

/** 512 × 512 pixels, RGBA; null where there is no such tile. */
export async function readTile(place: TilePlace): Promise<Uint8Array | null> {
  try {
    const bytes = await readFile(tilePath(place))
    const { data, info } = await sharp(bytes, { limitInputPixels: SIDE * SIDE })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return info.width === SIDE && info.height === SIDE && info.channels === 4 ? data : null
  } catch {
    return null // what cannot be read is drawn anew
  }
}

/**
 * Makes a tile out of the four of the next zoom, each pixel the mean of four; of what nothing is drawn does not count.
 * Where none of the four is there, neither is it.
 */
export async function writeZoomOut(place: TilePlace): Promise<void> {
  const picture = new Uint8Array(SIDE * SIDE * 4)
  let isEmpty = true
  for (let quarter = 0; quarter < 4; quarter++) {
    const [right, down] = [quarter & 1, quarter >> 1]
    const part = await readTile({ ...place, zoomOut: place.zoomOut - 1, x: place.x * 2 + right, z: place.z * 2 + down })
    if (part === null) continue
    isEmpty = false
    shrink(part, picture, (down * SIDE * SIDE) / 2 + (right * SIDE) / 2)
  }
  if (isEmpty) removeTile(place)
  else await writeTile(place, picture)
}

/** @param corner of the target, in pixels. */
function shrink(source: Uint8Array, target: Uint8Array, corner: number) {
  for (let z = 0; z < SIDE / 2; z++)
    for (let x = 0; x < SIDE / 2; x++) {
      const first = (z * 2 * SIDE + x * 2) * 4
      let red = 0
      let green = 0
      let blue = 0
      let count = 0
      for (let pixel = 0; pixel < 4; pixel++) {
        const at = first + (pixel & 1) * 4 + (pixel >> 1) * SIDE * 4
        if (source[at + 3] === 0) continue
        red += source[at]!
        green += source[at + 1]!
        blue += source[at + 2]!
        count++
      }
      if (count === 0) continue
      const at = (corner + z * SIDE + x) * 4
      target[at] = red / count
      target[at + 1] = green / count
      target[at + 2] = blue / count
      target[at + 3] = 255
    }
}
