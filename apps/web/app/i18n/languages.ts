/** Languages in addresses, cookies and headers. */
import { type Language, languages } from '@wakestone/contract/values'

export { type Language, languages }

/** Full locale of each language, for `Intl`, `lang` and alternates. */
export const localeOf: Record<Language, string> = { en: 'en-GB', pl: 'pl-PL', de: 'de-DE' }
/** How a language calls itself. */
export const languageNames: Record<Language, string> = { en: 'English', pl: 'Polski', de: 'Deutsch' }

export const languageCookie = 'ws_language'

export function isLanguage(value: string | null | undefined): value is Language {
  return languages.includes(value as Language)
}

/** `pl-PL` → `pl`; undefined when the language is not one of ours. */
export function shortLanguage(locale: string | undefined): Language | undefined {
  const short = locale?.trim().slice(0, 2).toLowerCase()
  return isLanguage(short) ? short : undefined
}

/** What a first path segment must look like to be taken for a language: `fr`, `en-US`. */
export function looksLikeLanguage(segment: string): boolean {
  return /^[a-z]{2}(?:[-_][a-z]{2})?$/i.test(segment)
}

/** First language of an `Accept-Language` header that we have. */
export function acceptedLanguage(header: string | null): Language | undefined {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [locale, ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)/.exec(parameter)?.[1]).find(Boolean)
      return { locale, quality: quality === undefined ? 1 : Number(quality) }
    })
    .toSorted((a, b) => b.quality - a.quality)
  for (const { locale } of wanted) {
    const language = shortLanguage(locale)
    if (language !== undefined) return language
  }
  return undefined
}

/** The same path in another language; the query stays. Paths without a language, such as `/s/…`, are returned as they are. */
export function pathInLanguage(path: string, language: Language): string {
  return path.replace(/^\/(?:en|pl|de)(?=\/|\?|$)/, `/${language}`)
}
