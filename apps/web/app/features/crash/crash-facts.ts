/** What a crash tells, ready to be put into words. */
import { type CrashTag, crashTags } from '@wakestone/contract/values'

export type CrashLike = {
  tag: string
  details: Readonly<Record<string, unknown>>
  exit: { code: number | null; signal: string | null }
}

/** Which details the exact words about a reason need, by the holes of those words. Reasons without have general words only. */
const holesOf = {
  forge_missing_mod: { mod: 'dependant_mod', needed: 'required_mods' },
  forge_mod_load: { mod: 'mod_name' },
  fabric_mod_load: { mod: 'mod_name' },
  fabric_incompatible_mods: { mod: 'dependant_mod', needed: 'required_mods' },
  version_downgrade: { world: 'world_version', server: 'server_version' },
  wrong_java: { needed: 'required_java', java: 'java' },
  java_options: { option: 'option' },
  watchdog: { seconds: 'seconds' },
  plugin_missing_dependency: { needed: 'required_plugins' },
} as const satisfies Partial<Record<CrashTag, Record<string, string>>>
export type NamedTag = keyof typeof holesOf
export const namedTags = Object.keys(holesOf) as NamedTag[]

const isNamed = (tag: CrashTag): tag is NamedTag => tag in holesOf

/** Reasons of a newer supervisor are not known. */
export const knownTag = (tag: string): CrashTag => crashTags.find((known) => known === tag) ?? 'unknown'

const NAMES_SHOWN = 5

/** A detail in words; undefined where nobody has told. */
function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    const names = value.map(textOf).filter((name) => name !== undefined)
    if (names.length === 0) return undefined
    return names.slice(0, NAMES_SHOWN).join(', ') + (names.length > NAMES_SHOWN ? ' …' : '')
  }
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || text === 'unknown' ? undefined : text
}

/** The values of the exact words; null where one is missing, so that only the general words fit. */
export function readNames({ tag, details }: Pick<CrashLike, 'tag' | 'details'>): {
  tag: NamedTag
  values: Record<string, string>
} | null {
  const known = knownTag(tag)
  if (!isNamed(known)) return null
  const values: Record<string, string> = {}
  for (const [hole, detail] of Object.entries(holesOf[known])) {
    const text = textOf(details[detail])
    if (text === undefined) return null
    values[hole] = text
  }
  return { tag: known, values }
}

/** The mod at fault, and what is missing, where they are told. */
export const culpritOf = ({ details }: Pick<CrashLike, 'details'>) => ({
  mod: textOf(details['mod_name']) ?? textOf(details['dependant_mod']),
  needed: textOf(details['required_mods']) ?? textOf(details['required_plugins']),
  error: textOf(details['error']),
})

const signalOfCode: Readonly<Record<number, string>> = {
  130: 'SIGINT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
}

export const exitKinds = ['none', 'inOrder', 'code', 'killed', 'asked', 'broken', 'signal'] as const
export type ExitKind = (typeof exitKinds)[number]

/** How a game ended. Shells and Java tell a signal as 128 and its number. */
export function readExit({ code, signal }: CrashLike['exit']): { kind: ExitKind; values: Record<string, string> } {
  const name = signal ?? signalOfCode[code ?? 0] ?? null
  if (name === null) {
    if (code === null) return { kind: 'none', values: {} }
    return { kind: code === 0 ? 'inOrder' : 'code', values: { code: String(code) } }
  }
  const kind =
    name === 'SIGKILL'
      ? 'killed'
      : name === 'SIGTERM' || name === 'SIGINT'
        ? 'asked'
        : ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE'].includes(name)
          ? 'broken'
          : 'signal'
  return { kind, values: { signal: code === null ? name : `${name}, ${code}` } }
}
