import { pageUrl } from './page-url.ts'
import { readCookie } from '#app/i18n/cookies.ts'
import { acceptedLanguage, isLanguage, type Language, languageCookie } from '#app/i18n/languages.ts'

/** Language of a request: the address, what was chosen here before, the account's, the browser's. */
export function chooseLanguage(request: Request, guess: Language | undefined): Language {
  const first = pageUrl(request).pathname.split('/')[1]
  if (isLanguage(first)) return first
  const chosen = readCookie(request.headers.get('cookie'), languageCookie)
  if (isLanguage(chosen)) return chosen
  return guess ?? acceptedLanguage(request.headers.get('accept-language')) ?? 'en'
}
