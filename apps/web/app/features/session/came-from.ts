import type { Language } from '#app/i18n/languages.ts'

/** Where to go after signing in: the page that asked for it, if it is one of ours. */
export function cameFrom(from: string | null, language: Language): string {
  const isLocal = from !== null && from.startsWith('/') && !/^\/[/\\]/.test(from) && !/\p{C}/u.test(from)
  return isLocal ? from : `/${language}/s`
}
