/** The place in a list as it stands in the address: sort, filters and page. Back works, and a list can be sent to somebody. */
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

export type Sort = { key: string; isDescending: boolean }

/** `?sort=name` rises, `?sort=-name` falls; a column that nobody knows is left out. */
export function readSort(search: URLSearchParams, known: readonly string[]): Sort | null {
  const value = search.get('sort') ?? ''
  const isDescending = value.startsWith('-')
  const key = isDescending ? value.slice(1) : value
  return known.includes(key) ? { key, isDescending } : null
}

/** The words that are looked for, as `<SearchFilter>` keeps them; no more of them than the API takes. */
export function readSearch(search: URLSearchParams): { q?: string } {
  const q = (search.get('q') ?? '').trim().slice(0, 100)
  return q === '' ? {} : { q }
}

/** What was chosen of several, `?name=one,other`. */
export const readChoices = (search: URLSearchParams, name: string): string[] =>
  (search.get(name) ?? '').split(',').filter(Boolean)

/** Ids after which the pages up to here began, `?after=<id>.<id>`: the last one is where we are. None on the first page. */
export function readAfter(search: URLSearchParams): string[] {
  return (search.get('after') ?? '').split('.').filter(Boolean)
}

/** Where the page that is open begins: the row before it; undefined on the first page. */
export const useAfter = (): string | undefined => readAfter(useSearchParams()[0]).at(-1)

/** Number of the page of a list that is loaded whole, from 1. */
export function readPage(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

/** The query with `changes`; null and '' remove. Another order or filter begins at its first page. */
export function withChanges(search: URLSearchParams, changes: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams(search)
  if (!('after' in changes)) next.delete('after')
  if (!('page' in changes)) next.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}

/** Reads the place in a list and goes to another one. */
export function useTableAddress() {
  const [search, setSearch] = useSearchParams()
  return useMemo(
    () => ({
      search,
      /** For a link. */
      to: (changes: Readonly<Record<string, string | null>>) => withChanges(search, changes),
      /** For a control. What is typed replaces the entry: going back does not untype letter by letter. */
      go: (changes: Readonly<Record<string, string | null>>, { replace = false } = {}) =>
        setSearch(withChanges(search, changes), { preventScrollReset: true, replace }),
    }),
    [search, setSearch],
  )
}

/**
 * One page of a keyset list that was asked for with one row more than it shows: the one more tells that it goes on.
 * `idOf` is what the next page is asked by.
 */
export function cutPage<Row>(rows: readonly Row[], size: number, idOf: (row: Row) => string) {
  const last = rows[size - 1]
  return { rows: rows.slice(0, size), next: rows.length > size && last !== undefined ? idOf(last) : undefined }
}
