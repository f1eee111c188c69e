/** How the documentation is indexed by the build and searched by a browser: both have to do it alike. */
import type { Options } from 'minisearch'
import { plainText } from '#app/ui/plain-text.ts'

export type DocSection = {
  /** Path below `/docs`, with the heading. */
  id: string
  page: string
  /** Empty for what stands before the first heading. */
  heading: string
  text: string
  /** The first words. */
  start: string
}

export const searchOptions: Options<DocSection> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'start'],
  processTerm: (term) => plainText(term) || null,
  searchOptions: {
    boost: { page: 3, heading: 4 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}
