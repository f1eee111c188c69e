import type { PackageLoader } from '@wakestone/contract/marketplace/values'
import type { EngineId } from '@wakestone/contract/servers/server'

/** What packages can be for that an engine loads, its own kind first. */
const byEngine: Partial<Record<EngineId, readonly PackageLoader[]>> = {
  paper: ['paper', 'spigot', 'bukkit'],
  vanilla: ['vanilla'],
  'flying-squid': ['vanilla'],
}
export const loadersOf = (engine: EngineId): readonly PackageLoader[] => byEngine[engine] ?? []
