/**
 * Finds chunks near which players hardly were, and lays regions aside that do without them. A region in which anything is
 * damaged stays as it is.
 */
import { closeSync, fstatSync, fsyncSync, readSync, writeSync } from 'node:fs'
import { ProtocolError } from '@wakestone/minecraft/protocol-error'
import {
  type ChunkPlace,
  externalChunkName,
  parseRegionName,
  readRegionHead,
  REGION_HEAD_BYTES,
  SECTOR_BYTES,
} from '@wakestone/minecraft/region'
import { openRegion } from '@wakestone/minecraft/region-file'
import { readInhabitedTime } from '@wakestone/minecraft/worlds/inhabited'
import { dimensionFolders } from '@wakestone/minecraft/worlds/layout'
import { readNames } from '../list.ts'
import { createFile } from '../own.ts'
import { lookAt } from '../placing.ts'
import { type Folder, openFolderIn, openPlainFile, type Volume } from '../volume.ts'
import type { PrunedRegion } from './order.ts'

type Kind = (typeof dimensionFolders)[number]
type Folders = { [One in Kind]?: Folder }

export async function* pruneDimension(
  volume: Volume,
  { folder, ticks, stage }: { folder: string; ticks: number; stage: string | null },
): AsyncGenerator<PrunedRegion> {
  using own = volume.openFolder(folder, 'read')
  using target = stage === null ? undefined : volume.openFolder(stage, 'own')
  const folders = openFolders(own)
  try {
    if (folders.region === undefined) return
    const names: string[] = []
    for await (const some of readNames(folders.region))
      for (const name of some) if (typeof name === 'string' && parseRegionName(name) !== null) names.push(name)
    for (const name of names.toSorted()) yield pruneRegion(folders, { name, ticks, target, regions: names.length })
  } finally {
    for (const one of Object.values(folders)) one[Symbol.dispose]()
  }
}

function openFolders(own: Folder): Folders {
  const found: Folders = {}
  for (const kind of dimensionFolders)
    if (lookAt(own, kind)?.isDirectory() === true) found[kind] = openFolderIn(own, kind)
  return found
}

function pruneRegion(
  folders: Folders,
  { name, ticks, target, regions }: { name: string; ticks: number; target: Folder | undefined; regions: number },
): PrunedRegion {
  const told: PrunedRegion = { name, regions, chunks: 0, unused: 0, bytes: 0, isDamaged: false, files: [] }
  const unused = findUnused(folders.region!, name, ticks, told)
  if (unused === undefined) return { ...told, isDamaged: true }
  told.unused = unused.size
  if (unused.size === 0) return told
  for (const [kind, folder] of Object.entries(folders) as [Kind, Folder][]) {
    try {
      cutFile(folder, { kind, name, unused, target, told })
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return { ...told, unused: 0, bytes: 0, files: [], isDamaged: true }
    }
  }
  return told
}

/** Places of chunks to do without; undefined where something is damaged. */
function findUnused(folder: Folder, name: string, ticks: number, told: PrunedRegion): Set<number> | undefined {
  const unused = new Set<number>()
  try {
    using region = openRegion(String(folder.at(name)), parseRegionName(name)!)
    told.chunks = region.chunks.length + region.damaged.length
    if (region.damaged.length > 0) return undefined
    for (const place of region.chunks) {
      const time = readInhabitedTime(region.readChunk(place))
      if (time !== null && time <= ticks) unused.add(place.index)
    }
    return unused
  } catch (error) {
    if (error instanceof ProtocolError || (error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}

/** Counts what goes of one file, and lays the rest aside. Entities and points of interest stand by the same names. */
function cutFile(
  folder: Folder,
  given: { kind: Kind; name: string; unused: Set<number>; target: Folder | undefined; told: PrunedRegion },
): void {
  const { kind, name, unused, target, told } = given
  if (lookAt(folder, name)?.isFile() !== true) return
  const { fd } = openPlainFile(folder.at(name))
  try {
    const { size } = fstatSync(fd)
    const head = Buffer.alloc(Math.min(REGION_HEAD_BYTES, size))
    readSync(fd, head, 0, head.length, 0)
    const { chunks, damaged } = readRegionHead(head, size)
    if (damaged.length > 0) throw new ProtocolError('region: a chunk is damaged')
    const kept = chunks.filter(({ index }) => !unused.has(index))
    if (kept.length === chunks.length) return
    const region = parseRegionName(name)!
    for (const { index } of chunks) {
      const external = unused.has(index) ? externalChunkName(region, index) : undefined
      const stats = external === undefined ? undefined : lookAt(folder, external)
      if (stats?.isFile() !== true) continue
      told.bytes += stats.size
      told.files.push({ kind, name: external!, staged: null, written: 0 })
    }
    const rest = REGION_HEAD_BYTES + kept.reduce((sum, { room }) => sum + roundUp(room), 0)
    const written = kept.length === 0 ? 0 : rest
    told.bytes += Math.max(0, size - written)
    const staged = kept.length === 0 || target === undefined ? null : `${kind}-${name}`
    if (staged !== null) copyChunks(fd, kept, target!, staged)
    told.files.push({ kind, name, staged, written })
  } finally {
    closeSync(fd)
  }
}

const roundUp = (bytes: number) => Math.ceil(bytes / SECTOR_BYTES) * SECTOR_BYTES

/** A region of these chunks as they are, one behind the other; one chunk is in memory at a time. */
function copyChunks(from: number, chunks: ChunkPlace[], target: Folder, name: string): void {
  const head = Buffer.alloc(REGION_HEAD_BYTES)
  const to = createFile(target, name)
  try {
    let sector = REGION_HEAD_BYTES / SECTOR_BYTES
    for (const { index, offset, room, timestamp } of chunks) {
      const bytes = Buffer.alloc(roundUp(room))
      for (let at = 0; at < room;) {
        const count = readSync(from, bytes, at, room - at, offset + at)
        if (count === 0) throw new ProtocolError('region: it is cut off')
        at += count
      }
      writeAll(to, bytes, sector * SECTOR_BYTES)
      const sectors = bytes.length / SECTOR_BYTES
      head.writeUInt32BE(sector * 256 + sectors, index * 4)
      head.writeUInt32BE(timestamp, SECTOR_BYTES + index * 4)
      sector += sectors
    }
    writeAll(to, head, 0)
    fsyncSync(to)
  } finally {
    closeSync(to)
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, position + at)
}
