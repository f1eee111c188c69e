/** Searches the documentation. Loaded with its index once somebody is about to search. */
import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import type { Language } from '@wakestone/contract/primitives'
import type { DocAudience } from './docs-contents.ts'
import { likeness, readQuestion, type Word } from './read-question.ts'
import { type DocSection, searchOptions } from './search-options.ts'

export type FoundSection = Pick<DocSection, 'id' | 'page' | 'heading' | 'start'>
/** What is for the reader, and what else there is. */
export type FoundSections = { own: FoundSection[]; others: FoundSection[] }
type Found = SearchResult & FoundSection & Pick<DocSection, 'also'>

type Filter = (found: SearchResult) => boolean
type Known = Word & { isKnown: boolean }

/** Words that are stems already. */
const asItIs = { tokenize: (stem: string) => [stem], processTerm: (stem: string) => stem }

const mostFound = 8
/** Of others, below what the reader came for. */
const mostOthers = 3
/** What is less like the question than this part of the best answer isn't one. */
const leastPart = 0.3

/** `among`: the audience whose pages the reader is on. Decisions about the code are found among developers' pages alone. */
export type FindSections = (typed: string, among?: DocAudience) => FoundSections

const isIn = (audience: DocAudience) => (found: Pick<SearchResult, 'id'>) =>
  String(found.id).startsWith(`/${audience}/`)
const isInGuide = isIn('guide')

/** @param index as the build wrote it, in `language` */
export function openIndex(index: string, language: Language): FindSections {
  const search = MiniSearch.loadJSON<DocSection>(index, searchOptions(language))

  const has = (stem: string, filter: Filter) => search.search(stem, { ...asItIs, filter }).length > 0

  /** A longer word than anybody wrote is looked for by its beginning: `Schwierigkeitsgrad` as `Schwierigkeit`. */
  function recognise(question: readonly Word[], filter: Filter): Known[] {
    return question.map((word) => {
      if (has(word.stem, filter)) return { ...word, isKnown: true }
      for (let length = word.stem.length - 1; length >= 6; length--) {
        const stem = word.stem.slice(0, length)
        if (has(stem, filter)) return { ...word, stem, isKnown: true }
      }
      return { ...word, isKnown: false }
    })
  }

  /** Words that nobody wrote are mistyped, and the last may not be finished. */
  const queriesFor = (question: readonly Known[]): Query[] =>
    question.map(({ stem, weight, isKnown }, at) => ({
      queries: [stem],
      ...asItIs,
      prefix: at === question.length - 1 || stem.length >= 4,
      fuzzy: !isKnown && stem.length >= 5 && 0.2,
      boostTerm: () => weight,
    }))

  const phrases = new Map<string, Word[][]>()
  function phrasesOf({ id, also }: Found): Word[][] {
    const known = phrases.get(id)
    if (known !== undefined) return known
    const read = also.split('; ').map((phrase) => readQuestion(phrase, language))
    phrases.set(id, read)
    return read
  }

  function searchGuide(asked: readonly Word[]): Found[] {
    const question = recognise(asked, isInGuide)
    const queries = queriesFor(question)
    const found = search.search({ queries, combineWith: 'OR' }, { filter: isInGuide }) as unknown as Found[]
    const best = found[0]?.score ?? 1
    const told = question.filter(({ weight }) => weight === 1)
    const rated = found.flatMap((section) => {
      const { heading, page, terms, queryTerms } = section
      const stems = new Set(terms)
      const like = (phrase: readonly Word[]) => likeness(question, phrase, stems)
      const name = readQuestion(heading === '' ? page : heading, language)
      const named = Math.max(like(name) * 1.05, ...phrasesOf(section).map(like))
      const matched = told.filter(({ stem }) => queryTerms.includes(stem)).length
      // Few of many words are an answer only where it is called nearly so; words that tell little are none.
      if ((matched === 0 && told.length > 0) || (matched * 2 < told.length && named < 0.4)) return []
      return [{ section, rating: section.score / best + 3 * named }]
    })
    const ordered = rated.toSorted((one, other) => other.rating - one.rating)
    const least = (ordered[0]?.rating ?? 0) * leastPart
    return ordered.filter(({ rating }) => rating >= least).map(({ section }) => section)
  }

  return (typed, among = 'guide') => {
    const question = readQuestion(typed, language)
    if (question.length === 0) return { own: [], others: [] }
    const isAllowed = (found: SearchResult) =>
      among === 'developers' || !String(found.id).startsWith('/developers/decisions/')
    const searchAll = (boostDocument?: (id: unknown) => number) => {
      const telling = question.filter(({ weight }) => weight === 1)
      const queries = queriesFor(recognise(telling.length > 0 ? telling : question, isAllowed))
      const options = { filter: isAllowed, ...(boostDocument && { boostDocument }) }
      return search.search({ queries, combineWith: 'AND' }, options)
    }
    if (among !== 'guide') {
      // Operators and developers read each other's pages, and the guide; their own count for more.
      const found = searchAll((id) => (isIn(among)({ id }) ? 3 : 1))
      return { own: toSections(found.slice(0, mostFound)), others: [] }
    }
    const own = searchGuide(question).slice(0, mostFound)
    // The other pages are in English: no help to who reads in another language and has an answer.
    const isAnswered = own.length > 0 && language !== 'en'
    const others = isAnswered ? [] : searchAll().filter((found) => !isInGuide(found))
    return {
      own: toSections(own),
      others: toSections(others.slice(0, own.length === 0 ? mostFound : mostOthers)),
    }
  }
}

const toSections = (found: SearchResult[]) => found as unknown as FoundSection[]

export async function fetchIndex(address: string, language: Language): Promise<FindSections> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the index of the documentation: ${answer.status}`)
  return openIndex(await answer.text(), language)
}
