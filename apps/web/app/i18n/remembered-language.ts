/** The language a browser was last shown, kept in a cookie for the server and in local storage, which lives longer. */
import { readCookie, writePreferenceCookie } from './cookies.ts'
import { isLanguage, type Language, languageCookie, pathInLanguage } from './languages.ts'

const storageKey = 'language'

export function rememberLanguage(language: Language): void {
  if (readCookie(document.cookie, languageCookie) !== language) writePreferenceCookie(languageCookie, language)
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Storage may be switched off; the cookie is enough.
  }
}

/** A language chosen here earlier whose cookie is gone, where the server had to guess: the address named none. */
export function findForgottenLanguage(shown: Language): Language | undefined {
  if (readCookie(document.cookie, languageCookie) !== undefined) return undefined
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isGuess = (visit?.redirectCount ?? 0) > 0 || !pathInLanguage(location.pathname, shown).startsWith(`/${shown}`)
  try {
    const stored = localStorage.getItem(storageKey)
    return isGuess && isLanguage(stored) && stored !== shown ? stored : undefined
  } catch {
    return undefined
  }
}

/** Shows this page in another language: the address changes its first part, the history entry is replaced. */
export function switchLanguage(language: Language): void {
  rememberLanguage(language)
  const here = location.pathname + location.search + location.hash
  const there = pathInLanguage(here, language)
  if (there === here) location.reload()
  else location.replace(there)
}
