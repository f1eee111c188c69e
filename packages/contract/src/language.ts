/** Which language a visitor is answered in. Plain, so that pages carry no schema for it. */
import { type Language, languages } from './values.ts'

/** Cookie that remembers the language last seen. */
export const languageCookie = 'ws_language'

/** Full locale of each language, for `Intl`, `lang` and alternates. English writes the day before the month. */
export const localeOf: Record<Language, string> = { en: 'en-GB', pl: 'pl-PL', de: 'de-DE' }

export function isLanguage(value: string | null | undefined): value is Language {
  return languages.includes(value as Language)
}

/** `pl-PL`, `PL`, `pl_PL` → `pl`; undefined when the language is not one of ours. */
export function shortLanguage(locale: string | undefined): Language | undefined {
  const short = /^\s*([a-z]{2})(?:[-_]|\s*$)/i.exec(locale ?? '')?.[1]?.toLowerCase()
  return isLanguage(short) ? short : undefined
}

/**
 * Languages a host speaks: German on the main site and on this machine only.
 * @param hostname without a port
 */
export function languagesOfHost(hostname: string, mainHosts: readonly string[]): readonly Language[] {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  const isThisMachine = /^(?:.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^::1$/.test(host)
  return isThisMachine || mainHosts.includes(host) ? languages : languages.filter((language) => language !== 'de')
}

/** The most wanted language of an `Accept-Language` header among those spoken. */
export function acceptedLanguage(header: string | undefined, spoken: readonly Language[]): Language | undefined {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [locale, ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)/i.exec(parameter)?.[1]).find(Boolean)
      return { language: shortLanguage(locale), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return wanted.map(({ language }) => language).find((language) => language !== undefined && spoken.includes(language))
}
