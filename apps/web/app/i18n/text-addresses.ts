import type { Language } from './languages.ts'

/** Put in by build-steps/static-locales.ts. */
declare const __TEXT_VERSIONS__: Record<Language, string>

/** Changes with the texts; an answer to an address that carries it may be kept for ever. */
export const textVersions = __TEXT_VERSIONS__

/** Where a browser gets its texts; preloaded by the page. */
export function textAddress(language: Language): string {
  return `/static/locales/${language}.json?v=${textVersions[language]}`
}
