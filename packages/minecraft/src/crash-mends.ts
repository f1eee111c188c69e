/** What can be done about a crash, by its reason; the most promising first. */
import type { CrashTag } from '@wakestone/contract/values'

export const mends = [
  'more_memory',
  'remove_mod',
  'install_missing',
  'change_engine_version',
  'restore_backup',
  'java',
] as const
export type Mend = (typeof mends)[number]

export const mendsOf: Readonly<Record<CrashTag, readonly Mend[]>> = {
  forge_missing_mod: ['install_missing', 'remove_mod'],
  out_of_memory: ['more_memory', 'remove_mod'],
  forge_mod_load: ['remove_mod', 'change_engine_version'],
  fabric_mod_load: ['remove_mod', 'change_engine_version'],
  fabric_incompatible_mods: ['install_missing', 'remove_mod', 'change_engine_version'],
  version_downgrade: ['change_engine_version', 'restore_backup'],
  wrong_java: ['java', 'change_engine_version'],
  java_options: ['java'],
  java_fault: ['java', 'remove_mod'],
  killed_for_memory: ['more_memory', 'remove_mod'],
  thread_limit: ['remove_mod'],
  watchdog: ['remove_mod', 'more_memory'],
  plugin_missing_dependency: ['install_missing', 'remove_mod'],
  ticking_entity: ['remove_mod', 'restore_backup'],
  port_taken: [],
  eula: [],
  world_locked: [],
  disk_full: [],
  unknown: [],
}
