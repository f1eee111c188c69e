/** What build-steps/docs puts into the build. */
declare module 'virtual:docs' {
  import type { DocPage } from '#app/features/docs/docs-types.ts'
  import type { Language } from '@wakestone/contract/primitives'

  export const pages: Record<Language, Record<string, DocPage>>
  /** Where each language's index is. */
  export const searchAddresses: Record<Language, string>
}
declare module 'virtual:doc-titles' {
  import type { Language } from '@wakestone/contract/primitives'

  /** `words`: what it is also found by. */
  type DocTitle = { path: string; title: string; words: string; readers: 'everyone' | 'administrators' }
  export const docTitles: Record<Language, readonly DocTitle[]>
}
