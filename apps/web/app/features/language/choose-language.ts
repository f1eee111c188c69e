import { isLanguage, type Language } from '#app/i18n/languages.ts'
import { pageUrl } from './page-url.ts'

/** Language of a request: the address, or else what the host found out about the visitor. */
export function chooseLanguage(request: Request, visitors: Language): Language {
  const first = pageUrl(request).pathname.split('/')[1]
  return isLanguage(first) ? first : visitors
}
