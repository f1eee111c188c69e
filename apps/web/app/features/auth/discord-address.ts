import type { Language } from '#app/i18n/languages.ts'

/** Where a login by Discord begins. `from`: where to go afterwards. */
export function discordAddress({ language, from }: { language: Language; from: string | null }): string {
  const query = new URLSearchParams({ language })
  if (from !== null) query.set('from', from)
  return `/api/v1/users/auth/discord/begin?${query.toString()}`
}
