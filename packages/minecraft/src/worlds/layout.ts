/**
 * Where the worlds of a server stand and what belongs to each, in every layout there is: the game's old one (`world/region`,
 * `world/DIM-1/region`), Bukkit's (`world_nether/DIM-1/region`), the one since 26.1 and of data packs
 * (`world/dimensions/minecraft/the_nether/region`), and that of Bedrock Edition (`worlds/NAME/db`).
 */

export const worldLayouts = ['old', 'bukkit', 'dimensions', 'bedrock'] as const
export type WorldLayout = (typeof worldLayouts)[number]

export type Entry = { name: string; isFolder: boolean }
/** What is in a folder; nothing where there is none. */
export type ListFolder = (path: string) => Promise<readonly Entry[]>

export type FoundWorld = {
  /** Path of its folder. */
  folder: string
  /** Folders beside it in which Bukkit keeps its other dimensions. */
  parts: string[]
  layout: WorldLayout
  dimensions: FoundDimension[]
}
export type FoundDimension = {
  /** `overworld`, or with a namespace that is not the game's `name:space`. */
  name: string
  /** The folder that holds its `region`, `entities` and `poi`. */
  folder: string
}

/** What a dimension is made of: without these the game makes it anew. */
export const dimensionFolders = ['region', 'entities', 'poi'] as const

/** More are not looked for. */
export const mostWorlds = 100
const mostDimensions = 50

/** Bukkit keeps each of these in a folder of its own, named by the world. */
export const bukkitParts = [
  ['_nether', 'DIM-1', 'the_nether'],
  ['_the_end', 'DIM1', 'the_end'],
] as const
const oldFolders = [
  ['overworld', ''],
  ['the_nether', 'DIM-1'],
  ['the_end', 'DIM1'],
] as const

const join = (folder: string, name: string) => (folder === '' ? name : name === '' ? folder : `${folder}/${name}`)
const hasFolder = (entries: readonly Entry[], wanted: string) =>
  entries.some(({ name, isFolder }) => isFolder && name === wanted)
const hasFile = (entries: readonly Entry[], wanted: string) =>
  entries.some(({ name, isFolder }) => !isFolder && name === wanted)

/**
 * Worlds of Java Edition among the folders at the top of a server's files.
 * @param active path of the world that the server plays, which may lie in a folder; it comes first
 */
export async function findJavaWorlds(list: ListFolder, active: string): Promise<FoundWorld[]> {
  const names = (await list(''))
    .filter(({ name, isFolder }) => isFolder && !name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
  const found = new Map<string, FoundWorld>()
  for (const folder of new Set([active, ...names])) {
    if (found.size >= mostWorlds) break
    const world = await readWorld(list, folder)
    if (world !== undefined) found.set(folder, world)
  }
  for (const world of found.values()) {
    for (const [end, inner, dimension] of bukkitParts) {
      const part = found.get(world.folder + end)
      const own = part?.dimensions.find(({ folder }) => folder === `${world.folder}${end}/${inner}`)
      if (part === undefined || own === undefined) continue
      found.delete(part.folder)
      world.parts.push(part.folder)
      // What is left of another layout is not what Bukkit plays.
      world.dimensions = [...world.dimensions.filter(({ name }) => name !== dimension), own]
      world.layout = 'bukkit'
    }
  }
  return [...found.values()]
}

/** A folder as a world; undefined where it is none. */
export async function readWorld(list: ListFolder, folder: string): Promise<FoundWorld | undefined> {
  const entries = await list(folder)
  const dimensions = new Map<string, FoundDimension>()
  for (const [name, inner] of oldFolders) {
    const path = join(folder, inner)
    const holds =
      inner === '' ? hasFolder(entries, 'region') : hasFolder(await listIn(list, entries, folder, inner), 'region')
    if (holds) dimensions.set(name, { name, folder: path })
  }
  let layout: WorldLayout = 'old'
  for (const { name: space, isFolder } of await listIn(list, entries, folder, 'dimensions')) {
    if (!isFolder) continue
    for (const entry of await list(`${folder}/dimensions/${space}`)) {
      const path = `${folder}/dimensions/${space}/${entry.name}`
      if (!entry.isFolder || dimensions.size >= mostDimensions || !hasFolder(await list(path), 'region')) continue
      const name = space === 'minecraft' ? entry.name : `${space}:${entry.name}`
      if (space === 'minecraft') layout = 'dimensions'
      dimensions.set(name, { name, folder: path })
    }
  }
  if (dimensions.size === 0 && !hasFile(entries, 'level.dat')) return undefined
  return { folder, parts: [], layout, dimensions: [...dimensions.values()] }
}

async function listIn(list: ListFolder, entries: readonly Entry[], folder: string, name: string) {
  return hasFolder(entries, name) ? list(join(folder, name)) : []
}

/** Worlds of Bedrock Edition, which stand in a folder of their own. */
export async function findBedrockWorlds(list: ListFolder): Promise<FoundWorld[]> {
  const found: FoundWorld[] = []
  for (const { name, isFolder } of await list('worlds')) {
    if (!isFolder || name.startsWith('.') || found.length >= mostWorlds) continue
    const world = await readBedrockWorld(list, `worlds/${name}`)
    if (world !== undefined) found.push(world)
  }
  return found
}

export async function readBedrockWorld(list: ListFolder, folder: string): Promise<FoundWorld | undefined> {
  const entries = await list(folder)
  if (!hasFile(entries, 'level.dat') || !hasFolder(entries, 'db')) return undefined
  return { folder, parts: [], layout: 'bedrock', dimensions: [] }
}

/**
 * Where a world may have one of the files that stand beside `level.dat` since 26.1: Paper keeps them with the overworld.
 * @param name such as `game_rules`
 */
export const partPaths = (folder: string, name: string): string[] => [
  `${folder}/dimensions/minecraft/overworld/data/minecraft/${name}.dat`,
  `${folder}/data/minecraft/${name}.dat`,
  `${folder}/data/${name}.dat`,
]
