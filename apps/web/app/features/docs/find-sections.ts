/** Searches the documentation. Loaded with its index once somebody is about to search. */
import MiniSearch from 'minisearch'
import { type DocSection, searchOptions } from './search-options.ts'

export type FoundSection = Pick<DocSection, 'id' | 'page' | 'heading' | 'start'>

const mostFound = 8

/** @param index as the build wrote it */
export function openIndex(index: string): (typed: string) => FoundSection[] {
  const search = MiniSearch.loadJSON<DocSection>(index, searchOptions)
  return (typed) => search.search(typed).slice(0, mostFound) as unknown as FoundSection[]
}

export async function fetchIndex(address: string): Promise<(typed: string) => FoundSection[]> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the index of the documentation: ${answer.status}`)
  return openIndex(await answer.text())
}
