import { pages, searchAddresses } from 'virtual:docs'
import type { Language } from '#app/i18n/languages.ts'
import { docAudiences, type DocAudience, docEntries, type DocGroup } from './docs-contents.ts'

export type DocLink = { path: string; title: string }
export type DocChapter = { group: DocGroup; pages: DocLink[] }

const linkTo = (path: string, language: Language): DocLink[] => {
  const page = pages[language][path]
  return page === undefined ? [] : [{ path, title: page.title }]
}

function chaptersOf(audience: DocAudience, language: Language): DocChapter[] {
  const entries = docEntries.filter((entry) => entry.audience === audience)
  return [...Map.groupBy(entries, ({ group }) => group)].map(([group, members]) => ({
    group,
    pages: members.flatMap(({ path }) => linkTo(path, language)),
  }))
}

/** All of it, for the first page. */
export function showDocsHome(language: Language) {
  return {
    audiences: docAudiences.map((audience) => ({
      audience,
      chapters: chaptersOf(audience, language),
      /** None of it in the reader's language. */
      isForeign: docEntries.every(
        (entry) => entry.audience !== audience || pages[language][entry.path]?.language !== language,
      ),
    })),
    searchAddress: searchAddresses[language],
  }
}

/** A page with what stands around it; undefined where there is none. */
export function showDocPage(path: string, language: Language) {
  const page = pages[language][path]
  const place = docEntries.findIndex((entry) => entry.path === path)
  const entry = docEntries[place]
  if (page === undefined || entry === undefined) return undefined
  const { audience } = entry
  const neighbour = (step: 1 | -1) => {
    const other = docEntries[place + step]
    return other?.audience === audience ? linkTo(other.path, language)[0] : undefined
  }
  return {
    page,
    audience,
    chapters: chaptersOf(audience, language),
    previous: neighbour(-1),
    next: neighbour(1),
    searchAddress: searchAddresses[language],
  }
}
