/** Searches the documentation. Loaded with its index once somebody is about to search. */
import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import type { Language } from '@wakestone/contract/primitives'
import type { DocAudience } from './docs-contents.ts'
import { readQuestion } from './read-question.ts'
import { type DocSection, searchOptions } from './search-options.ts'

export type FoundSection = Pick<DocSection, 'id' | 'page' | 'heading' | 'start'>
/** What is for the reader, and what else there is. */
export type FoundSections = { own: FoundSection[]; others: FoundSection[] }

const mostFound = 8
/** Of others, below what the reader came for. */
const mostOthers = 3

/** `among`: the audience whose pages the reader is on. Decisions about the code are found among developers' pages alone. */
export type FindSections = (typed: string, among?: DocAudience) => FoundSections

/** @param index as the build wrote it, in `language` */
export function openIndex(index: string, language: Language): FindSections {
  const search = MiniSearch.loadJSON<DocSection>(index, searchOptions)
  const isIn = (audience: DocAudience) => (found: Pick<SearchResult, 'id'>) =>
    String(found.id).startsWith(`/${audience}/`)
  return (typed, among = 'guide') => {
    const queries = readQuestion(typed, language)
    if (queries.length === 0) return { own: [], others: [] }
    const isAllowed = (found: SearchResult) =>
      among === 'developers' || !String(found.id).startsWith('/developers/decisions/')
    if (among !== 'guide') {
      // Operators and developers read each other's pages, and the guide; their own count for more.
      const boostDocument = (id: unknown) => (isIn(among)({ id }) ? 3 : 1)
      const found = search.search({ queries, combineWith: 'AND' }, { filter: isAllowed, boostDocument })
      return { own: toSections(found.slice(0, mostFound)), others: [] }
    }
    const all = search.search({ queries, combineWith: 'AND' }, { filter: isAllowed })
    const inGuide = all.filter(isIn('guide'))
    const others = all.filter((one) => !isIn('guide')(one))
    const own = (inGuide.length > 0 ? inGuide : searchLoosely(queries, others.length > 0)).slice(0, mostFound)
    return { own: toSections(own), others: toSections(others.slice(0, own.length === 0 ? mostFound : mostOthers)) }
  }

  /** Customers ask in words of their own: better a page of the guide with most of them than none. */
  function searchLoosely(queries: readonly Query[], isKnownElsewhere: boolean): SearchResult[] {
    const filter = isIn('guide')
    if (!isKnownElsewhere) return search.search({ queries: [...queries], combineWith: 'OR' }, { filter })
    if (queries.length < 3) return []
    const allButOne = queries.map((left) => ({
      combineWith: 'AND' as const,
      queries: queries.filter((one) => one !== left),
    }))
    return search.search({ queries: allButOne, combineWith: 'OR' }, { filter })
  }
}

const toSections = (found: SearchResult[]) => found as unknown as FoundSection[]

export async function fetchIndex(address: string, language: Language): Promise<FindSections> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the index of the documentation: ${answer.status}`)
  return openIndex(await answer.text(), language)
}
