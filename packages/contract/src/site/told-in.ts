import type { Language } from '../values.ts'
import type { ToldTexts } from './flags.ts'

/** The words of an announcement for a reader: theirs, else English, else none. Apart from the schemas, which public pages do not load. */
export const toldIn = (texts: ToldTexts, language: Language): string | undefined => texts[language] ?? texts.en
