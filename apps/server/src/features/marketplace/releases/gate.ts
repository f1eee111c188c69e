/** What follows from what the inspector has found: whether a release is published, waits for a person, or is refused. */
import type { Finding } from '@wakestone/contract/marketplace/release'
import { isReservedName } from '@wakestone/contract/servers/package-loaders'
import type { PackageLoader, ProjectType } from '@wakestone/contract/marketplace/values'
import type { ArchiveInspection, FindingRule } from '@wakestone/protocol/inspection'

/** Rules of the inspector, and those that only we know of. */
export type Rule =
  | FindingRule
  | 'loader_missing'
  | 'name_reserved'
  | 'version_differs'
  | 'not_inspected'
  | 'quarantined'
  | 'file_changed'

const levels: Record<Rule, Finding['level']> = {
  archive_damaged: 'refused',
  archive_encrypted: 'refused',
  archive_too_many_entries: 'refused',
  archive_expands: 'refused',
  entry_path: 'refused',
  entry_twice: 'refused',
  entry_link: 'refused',
  entry_differs: 'refused',
  secret_packed: 'refused',
  loader_missing: 'refused',
  name_reserved: 'refused',
  not_inspected: 'refused',
  quarantined: 'refused',
  file_changed: 'refused',
  archive_hides_bytes: 'warning',
  process_start: 'warning',
  native_code: 'warning',
  class_loading: 'warning',
  deserialisation: 'warning',
  obfuscated: 'warning',
  program_packed: 'warning',
  version_differs: 'warning',
  nested_archive: 'note',
  network: 'note',
  ends_game: 'note',
  hosts: 'note',
}

/** Of a loader, the files of which a package for it has one. */
const markersOf: Record<PackageLoader, readonly string[]> = {
  paper: ['paper-plugin.yml', 'plugin.yml'],
  folia: ['paper-plugin.yml', 'plugin.yml'],
  spigot: ['plugin.yml'],
  bukkit: ['plugin.yml'],
  velocity: ['velocity-plugin.json'],
  fabric: ['fabric.mod.json'],
  quilt: ['quilt.mod.json', 'fabric.mod.json'],
  forge: ['META-INF/mods.toml'],
  neoforge: ['META-INF/neoforge.mods.toml', 'META-INF/mods.toml'],
  vanilla: [],
  'flying-squid': [],
}
/** Only of these it is known what has to be in them. */
const loaded: readonly ProjectType[] = ['plugin', 'mod']

export type Inspected = { name: string; found: ArchiveInspection | 'not_inspected' | 'quarantined' | 'file_changed' }

export function judgeFiles(
  files: readonly Inspected[],
  {
    projectType,
    loaders,
    version,
    provides = [],
  }: {
    projectType: ProjectType
    loaders: readonly PackageLoader[]
    version: string
    /** Names that its manifest says that it provides. */
    provides?: readonly string[]
  },
): Finding[] {
  const findings: Finding[] = []
  const add = (rule: Rule, file: string, details: string[]) =>
    findings.push({ rule, level: levels[rule], file, details })
  const markers = new Set<string>()
  for (const { name, found } of files) {
    if (typeof found === 'string') {
      add(found, name, [])
      continue
    }
    for (const { rule, details } of found.findings) add(rule, name, details)
    for (const marker of found.markers) markers.add(marker)
    const stated = found.stated.version
    if (stated !== null && !/[$%{]/.test(stated) && plain(stated) !== plain(version))
      add('version_differs', name, [stated])
  }
  const reserved = provides.filter(isReservedName)
  if (reserved.length > 0) add('name_reserved', '', reserved.slice(0, 20))
  const isWhole = files.every(({ found }) => typeof found !== 'string')
  if (isWhole && loaded.includes(projectType))
    for (const loader of loaders) {
      const wanted = markersOf[loader]
      if (wanted.length > 0 && !wanted.some((marker) => markers.has(marker))) add('loader_missing', '', [loader])
    }
  return findings
}
const plain = (version: string) => version.trim().toLowerCase().replace(/^v/, '')

export type Verdict = 'published' | 'waiting' | 'refused'

/**
 * A person looks at what an author publishes first, and at whatever can do something that nobody has looked at before.
 * @param before rules that were found in the last release that was published
 */
export function decide(
  findings: readonly Finding[],
  { isKnown, before }: { isKnown: boolean; before: readonly string[] },
): Verdict {
  if (findings.some(({ level }) => level === 'refused')) return 'refused'
  if (!isKnown) return 'waiting'
  return findings.some(({ level, rule }) => level === 'warning' && !before.includes(rule)) ? 'waiting' : 'published'
}
