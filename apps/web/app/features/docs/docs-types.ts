import type { Language } from '@wakestone/contract/primitives'

export type DocHeading = { id: string; level: number; text: string }
export type DocPage = {
  path: string
  title: string
  lead: string
  html: string
  headings: DocHeading[]
  /** Of its text. */
  language: Language
}
