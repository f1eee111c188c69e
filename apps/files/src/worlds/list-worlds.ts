/** The worlds of a volume, or of an archive that was unpacked, with what each tells of itself. */
import { readProperties } from '@wakestone/minecraft/properties'
import { readBedrockLevel } from '@wakestone/minecraft/worlds/bedrock-level'
import {
  bukkitParts,
  findBedrockWorlds,
  findJavaWorlds,
  type FoundWorld,
  type ListFolder,
  partPaths,
  readBedrockWorld,
  readWorld,
} from '@wakestone/minecraft/worlds/layout'
import {
  type LevelInfo,
  type LevelPart,
  levelParts,
  type LevelParts,
  readLevel,
} from '@wakestone/minecraft/worlds/level'
import type { World } from '@wakestone/protocol/worlds'
import type { WorldEdition } from '@wakestone/protocol/world-values'
import { archiveDepth } from '@wakestone/protocol/file-values'
import { FileError } from '../errors.ts'
import { lookAt } from '../placing.ts'
import type { Volume } from '../volume.ts'
import type { WorldInArchive } from './order.ts'
import { lister, readNbt, readSmall } from './read-files.ts'

const MOST_PROPERTIES = 1024 * 1024
/** Folders of an archive in which a world is looked for. */
const MOST_FOLDERS = 20_000

export async function listWorlds(volume: Volume, edition: WorldEdition): Promise<{ active: string; worlds: World[] }> {
  const list = lister(volume, 'read')
  const active = readActive(volume, edition)
  const found = edition === 'java' ? await findJavaWorlds(list, active) : await findBedrockWorlds(list)
  return { active, worlds: found.map((world) => describe(volume, world)) }
}

/** Path of the folder that the game plays, as `server.properties` names it. */
function readActive(volume: Volume, edition: WorldEdition): string {
  const bytes = readSmall(volume, 'server.properties', 'read', MOST_PROPERTIES)
  const level = (bytes && readProperties(bytes.toString('utf8')).get('level-name')) || ''
  if (edition === 'bedrock') return `worlds/${level === '' || level.includes('/') ? 'Bedrock level' : level}`
  const names = level.split('/').filter((name) => name !== '' && name !== '.')
  return names.length === 0 || names.includes('..') || level.startsWith('/') ? 'world' : names.join('/')
}

function describe(volume: Volume, { folder, parts, layout, dimensions }: FoundWorld): World {
  let level: LevelInfo | undefined
  let isDamaged = false
  try {
    level = layout === 'bedrock' ? readBedrock(volume, folder) : readJava(volume, folder)?.info
  } catch {
    isDamaged = true
  }
  return {
    folder,
    parts,
    layout,
    level: level ?? null,
    isDamaged,
    openedAt: timeOf(volume, `${folder}/session.lock`),
    bytes: null,
    dimensions: dimensions.map((dimension) => ({ ...dimension, bytes: null })),
  }
}

function readBedrock(volume: Volume, folder: string): LevelInfo | undefined {
  const file = readNbt(volume, `${folder}/level.dat`, 'bedrock')
  return file && readBedrockLevel(file.tag)
}

/** `level.dat` and the files beside it, with their paths. */
export function readJava(volume: Volume, folder: string) {
  const path = `${folder}/level.dat`
  const level = readNbt(volume, path, 'java')
  if (level === undefined) return undefined
  const trees: LevelParts = {}
  const files = new Map<LevelPart, { path: string; file: NonNullable<ReturnType<typeof readNbt>> }>()
  for (const [part, name] of Object.entries(levelParts) as [LevelPart, string][]) {
    for (const one of partPaths(folder, name)) {
      const file = readNbt(volume, one, 'java')
      if (file === undefined) continue
      trees[part] = file.tag
      files.set(part, { path: one, file })
      break
    }
  }
  return { path, level, trees, files, info: readLevel(level.tag, trees) }
}

function timeOf(volume: Volume, path: string): number | null {
  try {
    using place = volume.find(path, 'read')
    return Math.trunc(lookAt(place.folder, place.name)?.mtimeMs ?? 0) || null
  } catch {
    return null
  }
}

/**
 * The world below a folder of ours, however deep: the one nearest to the top.
 * @throws FileError invalid_file where there is none, or several beside each other
 */
export async function findInArchive(
  volume: Volume,
  { within, edition }: { within: string; edition: WorldEdition },
): Promise<WorldInArchive> {
  const list = lister(volume, 'own')
  const read = edition === 'java' ? readWithLevel : readBedrockWorld
  let left = MOST_FOLDERS
  let level = [within]
  for (let depth = 0; level.length > 0 && depth <= archiveDepth; depth++) {
    const found: FoundWorld[] = []
    const next: string[] = []
    for (const folder of level) {
      if (left-- <= 0) throw new FileError('invalid_file', { reason: 'no_world' })
      const world = await read(list, folder)
      if (world !== undefined) found.push(world)
      else for (const { name, isFolder } of await list(folder)) if (isFolder) next.push(`${folder}/${name}`)
    }
    if (found.length > 0) return pickWorld(found)
    level = next
  }
  throw new FileError('invalid_file', { reason: 'no_world' })
}

/** A part of a world has regions too. */
async function readWithLevel(list: ListFolder, folder: string): Promise<FoundWorld | undefined> {
  const hasLevel = (await list(folder)).some(({ name, isFolder }) => name === 'level.dat' && !isFolder)
  return hasLevel ? readWorld(list, folder) : undefined
}

/** Bukkit's other folders belong to the one that they are named by. */
function pickWorld(found: FoundWorld[]): WorldInArchive {
  const isPart = ({ folder }: FoundWorld) =>
    bukkitParts.some(([end]) => found.some((other) => other.folder + end === folder))
  const [world, ...others] = found.filter((one) => !isPart(one))
  if (world === undefined || others.length > 0) throw new FileError('invalid_file', { reason: 'several_worlds' })
  const parts = bukkitParts.flatMap(([end]) =>
    found.some(({ folder }) => folder === world.folder + end) ? [{ folder: world.folder + end, end }] : [],
  )
  return { folder: world.folder, parts }
}
