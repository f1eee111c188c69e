/**
 * Finds the dimensions of a server's worlds, in each of the layouts there are: the game's old one (`world/region`,
 * `world/DIM-1/region`), that of Bukkit (`world_nether/DIM-1/region`), and the one since 26.1 and of data packs
 * (`world/dimensions/minecraft/the_nether/region`).
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { findNbt, type NbtTag } from '@wakestone/minecraft/nbt'
import { readNbtFile } from '@wakestone/minecraft/nbt-file'
import { readProperties } from '@wakestone/minecraft/properties'
import { parseRegionName } from '@wakestone/minecraft/region'
import { mapBounds } from '@wakestone/protocol/map-render'

export type Dimension = {
  /** Safe as the name of a folder, and never another's. */
  id: string
  world: string
  dimension: string
  /** Folder of its regions. */
  path: string
  hasRoof: boolean
  spawn: { x: number; z: number } | null
}

/** Folders looked at for worlds: a server's own files are among them. */
const MOST_FOLDERS = 1000
/** No region lies farther out: the game's border is at thirty million blocks. */
const FARTHEST = 58_600
const MOST_LEVEL_BYTES = 8 * 1024 * 1024
const old = [
  ['overworld', 'region'],
  ['the_nether', 'DIM-1/region'],
  ['the_end', 'DIM1/region'],
] as const
/** Bukkit keeps each of these in a world of its own. */
const parted = [
  ['_nether', 'the_nether'],
  ['_the_end', 'the_end'],
] as const

export function findDimensions(volume: string): Dimension[] {
  const found = new Map<string, Dimension>()
  const folders = findWorlds(volume)
  for (const folder of folders) {
    const { world, own } = nameOf(folder, folders)
    const spawn = readSpawn(join(volume, folder))
    for (const [dimension, path] of listDimensions(join(volume, folder))) {
      if (found.size >= mapBounds.dimensions) return [...found.values()]
      // What is left of another layout in Bukkit's folders is not that world's.
      if (own !== undefined && dimension !== own) continue
      const id = `${safeName(world, 60)}.${safeName(dimension, 60).toLowerCase()}`
      if (found.has(id)) continue
      found.set(id, {
        id,
        world: world.slice(0, 80),
        dimension: dimension.slice(0, 80),
        path,
        hasRoof: dimension === 'the_nether',
        spawn: dimension === 'overworld' ? spawn : null,
      })
    }
  }
  return [...found.values()]
}

/** Regions of a dimension, those nearest to the middle first, and whether there are more than are drawn. */
export function listRegions({ path, spawn }: Dimension): { regions: { x: number; z: number }[]; cut: boolean } {
  const all = listFolder(path)
    .map(({ name }) => parseRegionName(name))
    .filter((region) => region !== null && Math.abs(region.x) <= FARTHEST && Math.abs(region.z) <= FARTHEST)
    .map((region) => region!)
  const middle = { x: (spawn?.x ?? 0) / 512 - 0.5, z: (spawn?.z ?? 0) / 512 - 0.5 }
  const distance = ({ x, z }: { x: number; z: number }) => (x - middle.x) ** 2 + (z - middle.z) ** 2
  const regions = all.toSorted((left, right) => distance(left) - distance(right) || left.x - right.x)
  return { regions: regions.slice(0, mapBounds.regions), cut: regions.length > mapBounds.regions }
}

/** Folders of the volume that are worlds, the one that the server plays first. */
function findWorlds(volume: string): string[] {
  const level = readLevelName(volume)
  const names = listFolder(volume)
    .filter(({ name, isFolder }) => isFolder && !name.startsWith('.'))
    .slice(0, MOST_FOLDERS)
    .map(({ name }) => name)
  const folders = [...new Set([level, ...parted.map(([end]) => `${level}${end}`), ...names])]
  return folders.filter((name) => listDimensions(join(volume, name)).length > 0)
}

/** As `server.properties` names it; it may stand in a folder. */
function readLevelName(volume: string): string {
  const bytes = readSmall(join(volume, 'server.properties'), 1024 * 1024)
  const name = bytes === null ? undefined : readProperties(bytes.toString('utf8')).get('level-name')
  return name === undefined || name === '' || name.split('/').includes('..') ? 'world' : name
}

/** Dimension and folder of its regions: the newer layout where both have some. */
function listDimensions(folder: string): [string, string][] {
  const dimensions = new Map<string, string>()
  for (const { name: space, isFolder } of listFolder(join(folder, 'dimensions')).slice(0, MOST_FOLDERS)) {
    if (!isFolder) continue
    for (const { name } of listFolder(join(folder, 'dimensions', space)).slice(0, MOST_FOLDERS)) {
      const path = join(folder, 'dimensions', space, name, 'region')
      if (hasRegions(path)) dimensions.set(space === 'minecraft' ? name : `${space}:${name}`, path)
    }
  }
  for (const [name, place] of old) {
    const path = join(folder, place)
    if (!dimensions.has(name) && hasRegions(path)) dimensions.set(name, path)
  }
  return [...dimensions]
}

const hasRegions = (path: string) => listFolder(path).some(({ name }) => parseRegionName(name) !== null)

/** Which world a folder belongs to, and where it holds one dimension of it alone, which. */
function nameOf(folder: string, all: string[]): { world: string; own?: string } {
  for (const [end, dimension] of parted) {
    const world = folder.slice(0, -end.length)
    if (folder.endsWith(end) && all.includes(world)) return { world, own: dimension }
  }
  return { world: folder }
}

/** Letters, digits, `_` and `-`; with something of its hash where that is not all. */
function safeName(name: string, most: number): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '-')
  if (plain === name && name.length <= most) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${plain.slice(0, most - 11)}-${hash}`
}

function readSpawn(folder: string): Dimension['spawn'] {
  const bytes = readSmall(join(folder, 'level.dat'), MOST_LEVEL_BYTES)
  if (bytes === null) return null
  try {
    const { tag } = readNbtFile(bytes, { edition: 'java', maxBytes: MOST_LEVEL_BYTES, limits: { tags: 100_000 } })
    const data = findNbt(tag, 'Data')
    const place = findNbt(data, 'spawn', 'pos')
    const [x, , z] = place?.type === 'intArray' ? place.value : [numberOf(data, 'SpawnX'), 0, numberOf(data, 'SpawnZ')]
    const isInside = (value: number | undefined) => value !== undefined && Math.abs(value) <= 30_000_000
    return isInside(x) && isInside(z) ? { x: x!, z: z! } : null
  } catch {
    return null
  }
}

function numberOf(tag: NbtTag | undefined, name: string): number | undefined {
  const found = findNbt(tag, name)
  return found?.type === 'int' ? found.value : undefined
}

/** Empty where it cannot be read. */
function listFolder(path: string): { name: string; isFolder: boolean }[] {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(path, basename(entry.name)))),
    }))
  } catch {
    return []
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** A plain file of at most so many bytes; null for anything else. */
function readSmall(path: string, most: number): Buffer | null {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.size > most) return null
    const bytes = Buffer.alloc(stat.size)
    return bytes.subarray(0, readSync(descriptor, bytes))
  } catch {
    return null
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
