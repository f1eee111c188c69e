/** What somebody typed: the words that say what it is about, and how near they come to what a section is called. */
import type { Language } from '@wakestone/contract/primitives'
import { plainText } from '#app/ui/plain-text.ts'
import { lightWords, negations, stopWords } from './search-words.ts'
import { stemOf, wordsOf } from './word-stems.ts'

export type Word = { typed: string; stem: string; weight: number }

const lightly = 0.3

function weigh(plain: string, language: Language): number {
  if (stopWords[language].has(plain)) return 0
  if (negations[language].has(plain)) return 0.6
  return lightWords[language].has(plain) ? lightly : 1
}

/** Stop words count only where there is nothing else. */
export function readQuestion(typed: string, language: Language): Word[] {
  const all = wordsOf(typed).map((word) => {
    return { typed: word, stem: stemOf(word, language), weight: weigh(plainText(word), language) }
  })
  const telling = all.filter(({ weight }) => weight > 0)
  const read = telling.length > 0 ? telling : all.map((word) => ({ ...word, weight: lightly }))
  return [...new Map(read.map((word) => [word.stem, word])).values()]
}

const sum = (words: readonly Word[]) => words.reduce((total, { weight }) => total + weight, 0)

/** @param found  stems of a section that the question's words led to
 *  @returns 1 where they are the same words, 0 where none is shared. Those that are merely alike count for less. */
export function likeness(question: readonly Word[], phrase: readonly Word[], found: ReadonlySet<string>): number {
  const asked = new Set(question.map(({ stem }) => stem))
  const shared = phrase.reduce(
    (total, { stem, weight }) => total + (asked.has(stem) ? weight : found.has(stem) ? weight * 0.6 : 0),
    0,
  )
  return (2 * Math.min(shared, sum(question))) / (sum(question) + sum(phrase))
}
