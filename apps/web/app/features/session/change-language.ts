import { setLocale } from '@wakestone/contract/accounts/account-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'
import type { Language } from '#app/i18n/languages.ts'
import { switchLanguage } from '#app/i18n/remembered-language.ts'

/** Shows this page in another language, in which whoever is signed in is written to from then on. */
export async function changeLanguage(language: Language, user: User): Promise<void> {
  // Somebody who looks at another's panel changes nothing there. A page can be read even where nothing can be saved.
  if (user.actor === undefined && user.language !== language)
    await api(setLocale, { params: { id: user.id }, body: { language } }).catch(() => undefined)
  switchLanguage(language)
}
