/** All texts, for rendering on the server; a browser loads one language only. */
import { createI18n, type I18n } from './create-i18n.ts'
import type { Language } from './languages.ts'
import de from './locales/de.json'
import en from './locales/en.json'
import pl from './locales/pl.json'

export const serverTexts: Record<Language, unknown> = { en, pl, de }

const made = new Map<Language, I18n>()

/** The translator for rendering on the server: one of each language. */
export function serverI18n(language: Language): I18n {
  const i18n = made.get(language) ?? createI18n(language, serverTexts[language])
  made.set(language, i18n)
  return i18n
}
