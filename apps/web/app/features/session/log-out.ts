import { logout } from '@wakestone/contract/accounts/users-routes'
import { api } from '#app/api/client.ts'
import type { Language } from '#app/i18n/languages.ts'

/** Ends the session and loads the page anew, so that nothing of it stays in memory. */
export async function logOut(language: Language): Promise<void> {
  await api(logout, {})
  location.assign(`/${language}`)
}
