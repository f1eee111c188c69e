/** Languages in addresses, cookies and headers. */
import { isLanguage, languageCookie, localeOf } from '@wakestone/contract/language'
import type { Language } from '@wakestone/contract/values'

export { isLanguage, type Language, languageCookie, localeOf }

/** How a language calls itself. */
export const languageNames: Record<Language, string> = { en: 'English', pl: 'Polski', de: 'Deutsch' }

/** The same path in another language; query and hash stay. Paths without a language, such as `/s/…`, are returned as they are. */
export function pathInLanguage(path: string, language: Language): string {
  return path.replace(/^\/(?:en|pl|de)(?=[/?#]|$)/, `/${language}`)
}
