/** Where the browser gets its texts: one JSON file per language, preloaded by the page. */
import type { Language } from './languages.ts'
import de from './locales/de.json?url'
import en from './locales/en.json?url'
import pl from './locales/pl.json?url'

export const textAddresses: Record<Language, string> = { en, pl, de }
