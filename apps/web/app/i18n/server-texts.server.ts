/** All texts, for rendering on the server; a browser loads one language only. */
import type { Language } from './languages.ts'
import de from './locales/de.json'
import en from './locales/en.json'
import pl from './locales/pl.json'

export const serverTexts: Record<Language, unknown> = { en, pl, de }
