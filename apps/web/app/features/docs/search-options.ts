/** How the documentation is indexed by the build and searched by a browser: both have to do it alike. */
import type { Language } from '@wakestone/contract/primitives'
import type { Options } from 'minisearch'
import { stemOf, wordsOf } from './word-stems.ts'

export type DocSection = {
  /** Path below `/docs`, with the heading. */
  id: string
  page: string
  /** Empty for what stands before the first heading. */
  heading: string
  text: string
  /** What readers call it: phrases with `; ` between them. Never shown. */
  also: string
  /** The first words. */
  start: string
}

export const searchOptions = (language: Language): Options<DocSection> => ({
  fields: ['page', 'heading', 'also', 'text'],
  storeFields: ['page', 'heading', 'also', 'start'],
  tokenize: wordsOf,
  processTerm: (word) => stemOf(word, language) || null,
  searchOptions: {
    boost: { page: 2, heading: 4, also: 4 },
    // A word as it was typed comes first, one that only begins so or is nearly so after it.
    weights: { prefix: 0.3, fuzzy: 0.25 },
  },
})
