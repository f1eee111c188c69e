/**
 * Pages that look the same to all visitors without a session who have made the same few choices: the host renders such
 * a page once, keeps it, and shows it to all of them. It is rendered from what is named here, and from what the API
 * tells, so nothing else of a visitor can be in it.
 */
import { consentPair, readConsent } from './features/consent/consent.ts'
import { pageUrl } from './features/language/page-url.ts'
import { isLanguage, type Language } from './i18n/languages.ts'
import { timeZonePair } from './i18n/time-zone.ts'
import { docPaths, publicPages } from './public-pages.ts'

/** What search engines may keep and show to everybody. */
const paths = new Set([...publicPages.filter(({ isIndexed }) => isIndexed).map(({ path }) => path), ...docPaths])

/**
 * The page at an address, or its data, if it is such a page; with those of the visitor's cookies that it shows, written
 * in one way.
 * @param address Path and query.
 */
export function findSharedPage(
  address: string,
  cookies: string | null,
): { language: Language; cookies: readonly string[] } | undefined {
  const { pathname, searchParams } = pageUrl({ url: `http://localhost${address}` })
  // Whether an engine is to be had changes with services of others, and nothing here would be told.
  if (searchParams.has('engine')) return undefined
  const [, language, ...rest] = pathname.split('/')
  if (!isLanguage(language) || !paths.has(rest.map((part) => `/${part}`).join(''))) return undefined
  const shown = [consentPair(readConsent(cookies)), timeZonePair(cookies)]
  return { language, cookies: shown.filter((pair) => pair !== undefined) }
}
