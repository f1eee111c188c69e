/** Where Java's game keeps what it knows of one player: since 26.1 in one folder of the world, before in several. */
import { readProperties } from '@wakestone/minecraft/properties'
import { splitPath } from '@wakestone/protocol/file-values'
import type { Volume } from './volume.ts'
import { readWhole } from './write.ts'

const PROPERTIES_LENGTH = 256 * 1024

/** The settings of the game; nothing where they are longer than anybody writes them. */
export function readSettings(volume: Volume): Map<string, string> {
  const text = readWhole(volume, 'server.properties')?.text ?? ''
  return text.length > PROPERTIES_LENGTH ? new Map() : readProperties(text)
}

/** Folder of the world that is played. */
export function worldIn(settings: Map<string, string>): string {
  const name = settings.get('level-name') ?? 'world'
  return name !== '' && splitPath(name) !== undefined ? name : 'world'
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const dataFolders = (world: string) => [`${world}/players/data`, `${world}/playerdata`]
export const statsFolders = (world: string) => [`${world}/players/stats`, `${world}/stats`]
const advancementFolders = (world: string) => [`${world}/players/advancements`, `${world}/advancements`]

/** Whose file it is, by its name. */
export function dataName(name: string): string | undefined {
  const id = name.toLowerCase().replace(/\.dat$/, '')
  return name.endsWith('.dat') && UUID.test(id) ? id : undefined
}

/** The file itself, in the places where it may be. */
export const dataPaths = (world: string, id: string) => dataFolders(world).map((folder) => `${folder}/${id}.dat`)

/** All files that are about one player. */
export const allPaths = (world: string, id: string) => [
  ...dataPaths(world, id),
  ...dataPaths(world, id).map((path) => `${path}_old`),
  ...[...statsFolders(world), ...advancementFolders(world)].map((folder) => `${folder}/${id}.json`),
]
