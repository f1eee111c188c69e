/** Searches the documentation. Loaded with its index once somebody is about to search. */
import MiniSearch from 'minisearch'
import type { DocAudience } from './docs-contents.ts'
import { type DocSection, searchOptions } from './search-options.ts'

export type FoundSection = Pick<DocSection, 'id' | 'page' | 'heading' | 'start'>

const mostFound = 8

/** `among`: the audience whose pages the reader is on. Decisions about the code are found among developers' pages alone. */
export type FindSections = (typed: string, among?: DocAudience) => FoundSection[]

/** @param index as the build wrote it */
export function openIndex(index: string): FindSections {
  const search = MiniSearch.loadJSON<DocSection>(index, searchOptions)
  return (typed, among) => {
    const filter = ({ id }: { id: unknown }) =>
      among === 'developers' || !String(id).startsWith('/developers/decisions/')
    // Most who search are customers; what is said to operators about the same comes after that.
    const own = `/${among ?? 'guide'}/`
    const boostDocument = (id: unknown) => (String(id).startsWith(own) ? 3 : 1)
    return search.search(typed, { filter, boostDocument }).slice(0, mostFound) as unknown as FoundSection[]
  }
}

export async function fetchIndex(address: string): Promise<FindSections> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the index of the documentation: ${answer.status}`)
  return openIndex(await answer.text())
}
