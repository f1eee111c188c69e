/** Fields of a flag's value in a form, instead of JSON: what is typed, as the flag's schema wants it. */
import type { FlagKey } from '@wakestone/contract/site/flags'
import { languages } from '@wakestone/contract/primitives'
import { fromClock, toClock } from '#app/i18n/time-zone.ts'
import type { Language } from '#app/i18n/languages.ts'

export type FlagField = {
  /** Where it stands in the value, such as `text.pl`; '' is the value itself. */
  path: string
  kind: 'yes' | 'line' | 'lines' | 'list' | 'time'
  label: 'yes' | 'title' | 'text' | 'to' | 'community' | 'endsAt' | 'name' | 'code' | 'projects'
  language?: Language
}
export type FlagDraft = Record<string, string>

const inAll = (path: 'title' | 'text', kind: FlagField['kind']): FlagField[] =>
  languages.map((language) => ({ path: `${path}.${language}`, kind, label: path, language }))
const yes: FlagField[] = [{ path: '', kind: 'yes', label: 'yes' }]

export const flagFields: Record<FlagKey, readonly FlagField[]> = {
  'contest-event': yes,
  'nps-age-input': yes,
  'pay-later': yes,
  'redeem-free-server': yes,
  'featured-projects': [{ path: '', kind: 'list', label: 'projects' }],
  'demo-server': [{ path: '', kind: 'line', label: 'name' }],
  'redirect-modal': [...inAll('title', 'line'), ...inAll('text', 'lines'), { path: 'to', kind: 'line', label: 'to' }],
  'promotion-extra-code': [{ path: '', kind: 'line', label: 'code' }],
  'promotion-banner': [
    ...inAll('text', 'lines'),
    { path: 'to', kind: 'line', label: 'to' },
    { path: 'ends_at', kind: 'time', label: 'endsAt' },
  ],
  'panel-announcement': [...inAll('text', 'lines'), { path: 'community_url', kind: 'line', label: 'community' }],
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function at(value: unknown, path: string): unknown {
  if (path === '') return value
  return path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)
}

/** @returns what its fields show of a value, by path */
export function draftOf(fields: readonly FlagField[], value: unknown, timeZone: string): FlagDraft {
  const entries = fields.map(({ path, kind }): [string, string] => {
    const found = at(value, path)
    if (kind === 'list') return [path, Array.isArray(found) ? found.join('\n') : '']
    if (kind === 'yes') return [path, found === true ? 'yes' : '']
    if (typeof found !== 'string') return [path, '']
    return [path, kind === 'time' ? toClock(found, timeZone) : found]
  })
  return Object.fromEntries(entries)
}

/** @returns the value, perhaps not a good one: what is empty is left out, and where all is empty it is null */
export function valueOf(fields: readonly FlagField[], draft: FlagDraft, timeZone: string): unknown {
  const read = ({ path, kind }: FlagField) => {
    const text = draft[path] ?? ''
    if (kind === 'list')
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    if (kind === 'yes') return text === 'yes'
    return kind === 'time' ? fromClock(text, timeZone) : text
  }
  const [first] = fields
  if (first?.path === '') return read(first)
  const value: Record<string, unknown> = {}
  for (const field of fields) {
    const found = read(field)
    if (found === '' || found === undefined) continue
    const [outer = '', inner] = field.path.split('.')
    if (inner === undefined) value[outer] = found
    else value[outer] = { ...(isObject(value[outer]) ? value[outer] : {}), [inner]: found }
  }
  return Object.keys(value).length === 0 ? null : value
}
