/** The order of a list of entries, and which of them a filter leaves. */
import type { FileEntry } from '../file-entry.ts'
import { extensionOf } from '../paths.ts'

export const entryOrders = ['name', 'size', 'mtime', 'kind'] as const
export type EntryOrder = { by: (typeof entryOrders)[number]; isDescending: boolean }

/** `10` after `9`, and letters as people order them; made once, since a list may have 100 000 names. */
const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

export const isFolder = ({ type }: Pick<FileEntry, 'type'>): boolean => type === 'folder'

/** Folders first, whatever the order; entries that are equal by it are ordered by name. */
export function sortEntries(entries: readonly FileEntry[], { by, isDescending }: EntryOrder): FileEntry[] {
  const compareNames = (left: FileEntry, right: FileEntry) =>
    byName.compare(left.name, right.name) || (left.name < right.name ? -1 : 1)
  const compare = {
    name: compareNames,
    size: (left: FileEntry, right: FileEntry) => left.size - right.size || compareNames(left, right),
    mtime: (left: FileEntry, right: FileEntry) => left.mtime - right.mtime || compareNames(left, right),
    kind: (left: FileEntry, right: FileEntry) =>
      byName.compare(extensionOf(left.name), extensionOf(right.name)) || compareNames(left, right),
  }[by]
  const sign = isDescending ? -1 : 1
  const ordered = (some: readonly FileEntry[]) => some.toSorted((left, right) => sign * compare(left, right))
  return [...ordered(entries.filter(isFolder)), ...ordered(entries.filter((entry) => !isFolder(entry)))]
}

/** Those whose names have what was typed; `*` stands for anything. */
export function filterEntries(entries: readonly FileEntry[], typed: string): readonly FileEntry[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return entries
  if (!wanted.includes('*')) return entries.filter(({ name }) => name.toLowerCase().includes(wanted))
  const parts = wanted.split('*')
  return entries.filter(({ name }) => hasInOrder(name.toLowerCase(), parts))
}

/** Whether a name begins with the first part, ends with the last, and has the others between in their order. */
function hasInOrder(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const part of rest) {
    const at = name.indexOf(part, from)
    if (at < 0 || at + part.length > name.length - last.length) return false
    from = at + part.length
  }
  return true
}
