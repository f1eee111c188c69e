import type { Language } from '#app/i18n/languages.ts'

/** What the large previews of social networks take. */
export const socialImageSize = { width: 1200, height: 630 } as const

/** Path of the picture that is shown where a page is shared. */
export function socialImagePath(language: Language, page: string): string {
  return `/og/${language}/${page}.png`
}
