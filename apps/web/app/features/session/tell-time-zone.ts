import { setLocale } from '@wakestone/contract/accounts/account-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { api } from '#app/api/client.ts'

let told: string | undefined

/** Times in mails are told by the clock of the browser that was last used. */
export async function tellTimeZone(timeZone: string, user: User): Promise<void> {
  if (user.actor !== undefined || told === timeZone) return
  told = timeZone
  await api(setLocale, { params: { id: user.id }, body: { time_zone: timeZone } }).catch(() => (told = undefined))
}
