/** All texts, for rendering on the server; a browser loads one language only. */
import { createI18n, type I18n } from './create-i18n.ts'
import type { Language } from './languages.ts'
import de from './locales/de.json'
import en from './locales/en.json'
import pl from './locales/pl.json'

export const serverTexts: Record<Language, unknown> = { en, pl, de }

/** Translators for rendering on the server, one of each language. */
export const serverI18n: Record<Language, I18n> = {
  en: createI18n('en', en),
  pl: createI18n('pl', pl),
  de: createI18n('de', de),
}
