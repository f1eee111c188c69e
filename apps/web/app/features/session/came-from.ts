import type { Language } from '#app/i18n/languages.ts'

/** Whether an address that came from outside stays on this site. */
export function isOwnPath(path: string): boolean {
  return path.startsWith('/') && !/^\/[/\\]/.test(path) && !/\p{C}/u.test(path)
}

/** Where to go after signing in: the page that asked for it, if it is one of ours. */
export function cameFrom(from: string | null, language: Language): string {
  return from !== null && isOwnPath(from) ? from : `/${language}/s`
}
