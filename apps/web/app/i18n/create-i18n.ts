/**
 * Texts by key, in the format of i18next: `{{name}}`, `{{count, number}}`, and plural forms as suffixes of the key.
 * i18next itself weighs more than all pages of this site together; of what it can, this is what texts here use.
 */
import type { Language } from './languages.ts'
import type en from './locales/en.json'
import type { TextKey } from './text-types.ts'

/** All texts of one language, in the form of the English ones. */
export type Texts = typeof en

export type Values = Readonly<Record<string, string | number | null | undefined>>
export type Translate = (key: TextKey, values?: Values) => string

export type I18n = {
  language: Language
  t: Translate
  /** Whether there is a text of this key, for keys that come from elsewhere. */
  exists: (key: string) => boolean
}

/** A translator of one language: it remembers nothing of those who ask, so pages may share it. */
export function createI18n(language: Language, texts: unknown): I18n {
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const known = new Map<string, string>()
  const find = (key: string): string | undefined => known.get(key) ?? look(key)
  const look = (key: string): string | undefined => {
    let found: unknown = texts
    for (const part of key.split('.')) {
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
      found = (found as Record<string, unknown>)[part]
    }
    if (typeof found !== 'string') return undefined
    known.set(key, found)
    return found
  }
  return {
    language,
    exists: (key) => find(key) !== undefined,
    t(key, values = {}) {
      const { count } = values
      const text = (typeof count === 'number' ? find(`${key}_${plurals.select(count)}`) : undefined) ?? find(key)
      // A key on the page is ugly, and found at once.
      if (text === undefined) return key
      if (!text.includes('{{')) return text
      return text.replace(
        /\{\{\s*(\w+)(?:,\s*(number))?\s*\}\}(\.?)/g,
        (_, name: string, format: string, stop: string) => {
          const value = values[name] ?? ''
          const word = format === undefined ? String(value) : numbers.format(Number(value))
          // An abbreviation (`2 Sek.`) ends the sentence with its own full stop.
          return word.endsWith('.') ? word : word + stop
        },
      )
    },
  }
}
