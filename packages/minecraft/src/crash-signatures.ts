/** Why a game crashed, told from the last lines of its console. */

import type { CrashTag } from '@wakestone/contract/values'

const signatureTable: readonly { tag: CrashTag; line: RegExp }[] = [
  { tag: 'out_of_memory', line: /java\.lang\.OutOfMemoryError/ },
  { tag: 'out_of_memory', line: /There is insufficient memory for the Java Runtime Environment/ },
  { tag: 'out_of_memory', line: /FATAL ERROR: .*(?:heap limit|heap out of memory)/ },
  { tag: 'fabric_incompatible_mods', line: /Incompatible mods found!|Incompatible mod set!|Mod resolution failed/ },
  { tag: 'fabric_incompatible_mods', line: /ModResolutionException/ },
  { tag: 'fabric_mod_load', line: /Could not execute entrypoint stage '[^']*' due to errors, provided by/ },
  { tag: 'forge_missing_mod', line: /Missing or unsupported mandatory dependencies:/ },
  { tag: 'forge_missing_mod', line: /Mod ID: '[^']*', Requested by: '[^']*', Expected range:/ },
  { tag: 'forge_missing_mod', line: /Error during pre-loading phase: Mod \S+ requires/ },
  { tag: 'forge_missing_mod', line: /MissingModsException|requires mods \[[^\]]*\] to be available/ },
  { tag: 'forge_missing_mod', line: /Failure message: Mod .* requires .*(?:is not installed|$)/ },
  { tag: 'forge_mod_load', line: /LoadingFailedException: Loading errors encountered|has failed to load correctly/ },
  { tag: 'forge_mod_load', line: /ModLoadingCrashException: Mod loading has failed|Caught exception from / },
  { tag: 'forge_mod_load', line: /Found a duplicate mod|ResolutionException: Modules \S+ and \S+ export package/ },
  { tag: 'forge_mod_load', line: /Mod File .* needs language provider/ },
  { tag: 'version_downgrade', line: /attempted to load chunk saved with newer version of minecraft!/i },
  { tag: 'version_downgrade', line: /This world was created by an incompatible version/ },
]

/**
 * @param lines last lines of the console
 * @returns every tag that fits, the most certain first; `unknown` when none does.
 */
export function findCrashReasons(lines: readonly string[], { killedForMemory = false } = {}): CrashTag[] {
  const found = new Set<CrashTag>(killedForMemory ? ['out_of_memory'] : [])
  for (const { tag, line } of signatureTable) {
    if (!found.has(tag) && lines.some((text) => line.test(text))) found.add(tag)
  }
  // Where a dependency is missing, the failure to load is its consequence.
  if (found.has('forge_missing_mod')) found.delete('forge_mod_load')
  return found.size > 0 ? [...found] : ['unknown']
}
