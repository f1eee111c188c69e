/**
 * Cuts endings, so that a word is found in whatever form it was typed: `wtyczki` and `wtyczkę`, `kündigen` and `kuendige`.
 * A stem need not be a word, only the same for the index and for what is looked for.
 */
import type { Language } from '@wakestone/contract/primitives'
import { plainText } from '#app/ui/plain-text.ts'
import { negations } from './search-words.ts'

const not: Record<Language, string> = { en: 'not', pl: 'nie', de: 'nicht' }

function english(word: string): string {
  return word
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=(?:s|x|z|ch|sh))es$/, '')
    .replace(/(?<=..[^su])s$/, '')
    .replace(/(?<=...)(?:ing|ed)$/, '')
    .replace(/([^aeiou0-9])\1$/, '$1')
    .replace(/(?<=..)e$/, '')
}

const polishEndings =
  /(?<=...)(?:owaniem|owania|owanie|owac|ywac|iwac|aniem|ania|anie|ujemy|ujesz|ujcie|uje|uja|uj|ami|ach|owi|ego|emu|ymi|imi|ych|ich|ala|alo|ali|ila|ilo|ili|yla|ylo|iem|ac|ic|yc|ec|al|il|yl|am|asz|amy|aja|isz|imy|ow|om|em|ym|im|ej|ie|ia|iu|a|e|i|o|u|y)$/

function polish(word: string): string {
  return word.replace(polishEndings, '')
}

function german(word: string): string {
  let stem = word.replaceAll('ß', 'ss').replaceAll(/(?<![aeiouq])([aou])e(?=.)/g, '$1')
  for (let pass = 0; pass < 2; pass++)
    stem = stem.replace(/(?<=....)(?:ungen|ung|ern|est|em|er|et|te|st|t)$|(?<=...)(?:en|es|e|n|s)$/, '')
  return stem
}

const stemmers: Record<Language, (word: string) => string> = { en: english, pl: polish, de: german }

export function stemOf(word: string, language: Language): string {
  const plain = plainText(word)
  if (negations[language].has(plain)) return not[language]
  return /\d/.test(plain) ? plain : stemmers[language](plain)
}

/** Words of a text, as they are. What stands on both sides of an apostrophe is one. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, '')
    .split(/[\n\r\p{Z}\p{P}|]+/u)
    .filter((word) => word !== '')
}
