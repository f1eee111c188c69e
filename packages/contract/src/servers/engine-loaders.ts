/** What the engines load, by the names that packages are released under. */
import type { PackageLoader } from '../marketplace/values.ts'
import type { EngineId } from './server.ts'

/** The closest first: of two releases that both fit, people mean that one. */
export const loadersOfEngine: Record<EngineId, readonly PackageLoader[]> = {
  'flying-squid': ['flying-squid', 'vanilla'],
  paper: ['paper', 'spigot', 'bukkit', 'vanilla'],
  purpur: ['paper', 'spigot', 'bukkit', 'vanilla'],
  folia: ['folia', 'vanilla'],
  fabric: ['fabric', 'vanilla'],
  quilt: ['quilt', 'fabric', 'vanilla'],
  neoforge: ['neoforge', 'vanilla'],
  forge: ['forge', 'vanilla'],
  vanilla: ['vanilla'],
  // Nobody knows what it is.
  'own-jar': ['paper', 'spigot', 'bukkit', 'fabric', 'forge', 'neoforge', 'quilt', 'vanilla'],
  'bedrock-dedicated': [],
  serenity: [],
}
