import type { Language } from '@wakestone/contract/primitives'
import { docEntries, isInEveryLanguage } from './features/docs/docs-contents.ts'

/**
 * Every public page by its path after the language, of the documentation one of each kind. The site map lists those that
 * are indexed; checks of public pages (accessibility, speed, reading without scripts, pictures) walk all of them.
 */
export type PublicPage = { path: string; isIndexed: boolean }

export const publicPages: readonly PublicPage[] = [
  { path: '', isIndexed: true },
  { path: '/offers', isIndexed: true },
  { path: '/offers/create', isIndexed: true },
  { path: '/m', isIndexed: true },
  { path: '/contact', isIndexed: true },
  { path: '/login', isIndexed: true },
  { path: '/register', isIndexed: true },
  { path: '/login/discord', isIndexed: false },
  { path: '/forgot-password', isIndexed: false },
  { path: '/email-login', isIndexed: false },
  { path: '/email-login/complete', isIndexed: false },
  { path: '/change-password/confirm', isIndexed: false },
  { path: '/docs', isIndexed: true },
  { path: '/docs/guide/files', isIndexed: true },
  { path: '/parents', isIndexed: true },
  { path: '/partnership', isIndexed: true },
  { path: '/affiliate', isIndexed: true },
  { path: '/terms-of-service', isIndexed: true },
  { path: '/privacy-policy', isIndexed: true },
  { path: '/terms-and-conditions', isIndexed: true },
  { path: '/store-terms', isIndexed: true },
  { path: '/newsletter-terms', isIndexed: true },
  { path: '/newsletter', isIndexed: true },
  { path: '/newsletter/confirm', isIndexed: false },
  { path: '/newsletter/unsubscribe', isIndexed: false },
  { path: '/messages/register', isIndexed: false },
  { path: '/unauthorized', isIndexed: false },
  { path: '/unauthorized-server', isIndexed: false },
  { path: '/country', isIndexed: false },
  { path: '/server-not-found', isIndexed: false },
]

/** The documentation's other pages: they differ from the ones above in their words alone. */
export const docPaths: readonly string[] = docEntries.map(({ path }) => `/docs${path}`)

/** What search engines are to find: every page in the languages in which it can be read. */
export function listIndexed(languages: readonly Language[]): { path: string; languages: readonly Language[] }[] {
  const indexed = publicPages.filter(({ isIndexed, path }) => isIndexed && !docPaths.includes(path))
  const english = languages.filter((language) => language === 'en')
  return [
    ...indexed.map(({ path }) => ({ path, languages })),
    ...docEntries.map((entry) => ({
      path: `/docs${entry.path}`,
      languages: isInEveryLanguage(entry) ? languages : english,
    })),
  ]
}
