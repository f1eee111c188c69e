/** Where each mend is done: screens of the server, with what is meant already chosen there. */
import type { EngineId } from '@wakestone/contract/servers/server'
import type { Mend } from '@wakestone/minecraft/crash-mends'
import type { TextKey } from '#app/i18n/text-types.ts'
import type { CrashLike } from './crash-facts.ts'

export type MendPlace = {
  /** Below `/s/{identity}`. */
  to: string
  label: TextKey
  values?: Record<string, string>
}

/** The first of them, as it is searched for: versions and what else stands behind a name belong to no name. */
function firstName(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first !== 'string') return undefined
  const [name] = /[\p{L}\p{N}][\p{L}\p{N}_.:-]*/u.exec(first) ?? []
  return name === undefined || name === 'unknown' ? undefined : name
}

export function placesOf(
  mend: Mend,
  { details }: Pick<CrashLike, 'details'>,
  { engine }: { engine: EngineId },
): readonly MendPlace[] {
  switch (mend) {
    case 'remove_mod':
      // What was not installed as a package lies in a folder.
      return [
        { to: '/m?view=installed', label: 'crash.place.installed' },
        { to: engine === 'paper' ? '/files/plugins' : '/files', label: 'crash.place.files' },
      ]
    case 'install_missing': {
      const name = firstName(details['required_mods']) ?? firstName(details['required_plugins'])
      if (name === undefined) return [{ to: '/m', label: 'crash.place.search' }]
      return [{ to: `/m?${new URLSearchParams({ q: name })}`, label: 'crash.place.searchFor', values: { name } }]
    }
    case 'change_engine_version': {
      const version = firstName(details['world_version'])
      const query = version === undefined ? '' : `?${new URLSearchParams({ version })}`
      return [{ to: `/settings/engine${query}`, label: 'crash.place.engine' }]
    }
    case 'restore_backup':
      return [{ to: '/backups', label: 'crash.place.backups' }]
    case 'java':
      return [{ to: '/settings#start_flags', label: 'crash.place.flags' }]
    case 'more_memory':
      return []
  }
}
