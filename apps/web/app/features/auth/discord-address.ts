import type { Language } from '#app/i18n/languages.ts'

/** Where a way to Discord begins. `from`: where to go afterwards. */
export function discordAddress({
  language,
  from,
  link = false,
}: {
  language: Language
  from?: string | null
  link?: boolean
}): string {
  const query = new URLSearchParams({ language })
  if (from != null) query.set('from', from)
  if (link) query.set('link', '1')
  return `/api/v1/users/auth/discord/begin?${query.toString()}`
}
