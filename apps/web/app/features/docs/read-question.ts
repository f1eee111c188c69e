/** What somebody typed, as a query: without the words that say nothing, and with others that mean the same. */
import type { Query } from 'minisearch'
import type { Language } from '@wakestone/contract/primitives'
import { plainText } from '#app/ui/plain-text.ts'
import { stopWords, synonyms } from './search-words.ts'

/** Shorter words match only themselves: `op` isn't `open`. */
const isStem = (word: string) => word.length >= 4
const isOf = (word: string) => (typed: string) => typed === word || (isStem(word) && typed.startsWith(word))

/** Each part has to be found, in one way or another; undefined where nothing was typed. */
export function readQuestion(typed: string, language: Language): Query[] {
  let text = ` ${plainText(typed)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, ' ')
    .trim()} `
  const parts: Query[] = []
  const groups = new Map<readonly string[], string[]>()
  const add = (group: readonly string[], said: string) => groups.set(group, [...(groups.get(group) ?? []), said])
  for (const group of synonyms[language]) {
    const phrase = group.find((word) => word.includes(' ') && text.includes(` ${word} `))
    if (phrase === undefined) continue
    text = text.replace(` ${phrase} `, ' ')
    add(group, phrase)
  }
  const all = text.split(' ').filter((word) => word !== '')
  const telling = all.filter((word) => !stopWords[language].has(word))
  for (const word of telling.length > 0 || groups.size > 0 ? telling : all) {
    const group = synonyms[language].find((one) => one.some((other) => isOf(other)(word)))
    if (group === undefined) parts.push(word)
    else add(group, word)
  }
  for (const [group, said] of groups) parts.push(anyOf(group, said))
  return parts
}

/** The words that were typed count for more than their synonyms. */
function anyOf(group: readonly string[], said: readonly string[]): Query {
  const others = group.filter((word) => !word.includes(' ') && !said.includes(word))
  return {
    combineWith: 'OR',
    queries: [
      ...said.map((one): Query => {
        const words = one.split(' ')
        return {
          combineWith: 'AND',
          queries: words,
          prefix: isStem(one),
          fuzzy: words.length === 1 && isStem(one) && 0.2,
        }
      }),
      { combineWith: 'OR', queries: others, prefix: isStem, fuzzy: false, boost: { page: 2, heading: 3, text: 0.7 } },
    ],
  }
}
