import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { REGION_HEAD_BYTES, SECTOR_BYTES } from '@wakestone/minecraft/region'
import type { MapLayer } from '@wakestone/protocol/map-render'

/** Counts up when the same region would be drawn in another way. */
const DRAWING = 1
/** Entries of the northern row of a region's two tables, which are next to the region south of it. */
const ROW_START = 31 * 32 * 4
const ROW_BYTES = 32 * 4

/**
 * Changes when a region is to be drawn anew: places and times of its chunks, those of the row to its north (whose heights
 * shade it), the layers, and how they are drawn. Costs two reads of 8 KiB.
 */
export function fingerprintOf(
  path: string,
  { x, z, layers }: { x: number; z: number; layers: readonly MapLayer[] },
): string {
  const north = readHead(join(path, `r.${x}.${z - 1}.mca`))
  return createHash('sha1')
    .update(`${DRAWING} ${layers.join()}\n`)
    .update(readHead(join(path, `r.${x}.${z}.mca`)))
    .update(north.subarray(ROW_START, ROW_START + ROW_BYTES))
    .update(north.subarray(SECTOR_BYTES + ROW_START, SECTOR_BYTES + ROW_START + ROW_BYTES))
    .digest('base64url')
}

/** Shorter where the file is, or is none. */
function readHead(path: string): Buffer {
  let descriptor: number | undefined
  const head = Buffer.alloc(REGION_HEAD_BYTES)
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0))
  } catch {
    return head.subarray(0, 0)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
