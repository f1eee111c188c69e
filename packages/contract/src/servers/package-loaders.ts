/** What loads packages, by the names that they are released under, and which engine loads what. */
import { type EngineId, engineIds } from './engine-ids.ts'

export const packageLoaders = [
  'paper',
  'folia',
  'spigot',
  'bukkit',
  'velocity',
  'fabric',
  'quilt',
  'forge',
  'neoforge',
  'vanilla',
  'flying-squid',
] as const
export type PackageLoader = (typeof packageLoaders)[number]

/** The closest first: of two releases that both fit, people mean that one. */
export const loadersOfEngine: Record<EngineId, readonly PackageLoader[]> = {
  'flying-squid': ['flying-squid'],
  paper: ['paper', 'spigot', 'bukkit'],
  purpur: ['paper', 'spigot', 'bukkit'],
  folia: ['folia'],
  fabric: ['fabric'],
  quilt: ['quilt', 'fabric'],
  neoforge: ['neoforge'],
  forge: ['forge'],
  spigot: ['spigot', 'bukkit'],
  // Nobody knows what it is.
  'own-jar': ['paper', 'spigot', 'bukkit', 'fabric', 'forge', 'neoforge', 'quilt'],
  vanilla: ['vanilla'],
  velocity: ['velocity'],
  'bedrock-dedicated': [],
  pocketmine: [],
  nukkit: [],
  powernukkitx: [],
  serenity: [],
}

/** What servers have that is no package of an author's: the game, its engines, what they run on and load. */
const reservedNames = new Set<string>([
  ...'minecraft bedrock engine engines game server world java jre jdk runtime resource-pack'.split(' '),
  ...packageLoaders,
  ...engineIds,
])

/** Whether a package may neither be called so nor say that it provides it. Names with a colon are of other sources. */
export const isReservedName = (name: string): boolean =>
  reservedNames.has(name) || name.includes(':') || /^(java|jre|jdk|temurin)-?\d|^temurin(-|$)/.test(name)
