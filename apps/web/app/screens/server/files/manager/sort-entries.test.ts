import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileEntry } from '../file-entry.ts'
import { type EntryOrder, entryOrders, filterEntries, isFolder, sortEntries } from './sort-entries.ts'

const entry = (name: string, more: Partial<FileEntry> = {}): FileEntry => ({
  name,
  type: 'file',
  size: 0,
  mtime: 0,
  mode: 0o644,
  ...more,
})
const namesBy = (entries: FileEntry[], by: EntryOrder['by'], isDescending = false) =>
  sortEntries(entries, { by, isDescending }).map(({ name }) => name)

test('folders come first, and numbers in names count as numbers', () => {
  const entries = ['r.10.0.mca', 'r.9.0.mca', 'World', 'bukkit.yml', 'Apple'].map((name) => entry(name))
  const folders = [entry('world', { type: 'folder' }), entry('logs', { type: 'folder' })]
  expect(namesBy([...entries, ...folders], 'name')).toEqual([
    'logs',
    'world',
    'Apple',
    'bukkit.yml',
    'r.9.0.mca',
    'r.10.0.mca',
    'World',
  ])
  expect(namesBy([...entries, ...folders], 'name', true).slice(0, 3)).toEqual(['world', 'logs', 'World'])
})

test('by size, time and kind', () => {
  const entries = [
    entry('b.txt', { size: 3, mtime: 1 }),
    entry('a.txt', { size: 3, mtime: 3 }),
    entry('c.jar', { size: 9, mtime: 2 }),
  ]
  expect(namesBy(entries, 'size')).toEqual(['a.txt', 'b.txt', 'c.jar'])
  expect(namesBy(entries, 'mtime')).toEqual(['b.txt', 'c.jar', 'a.txt'])
  expect(namesBy(entries, 'kind')).toEqual(['c.jar', 'a.txt', 'b.txt'])
})

test('every order keeps every entry, and turned round it is the other way', () => {
  const some = fc.uniqueArray(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 6 }),
      type: fc.constantFrom<FileEntry['type']>('file', 'folder', 'link', 'other'),
      size: fc.nat(3),
      mtime: fc.nat(3),
      mode: fc.constant(0o644),
    }),
    { selector: ({ name }) => name, maxLength: 40 },
  )
  fc.assert(
    fc.property(some, fc.constantFrom(...entryOrders), (entries, by) => {
      const rising = sortEntries(entries, { by, isDescending: false })
      const falling = sortEntries(entries, { by, isDescending: true })
      expect(new Set(rising)).toEqual(new Set(entries))
      const folders = rising.filter(isFolder).length
      expect(rising.slice(0, folders).every(isFolder)).toBe(true)
      expect(falling).toEqual([...rising.slice(0, folders).toReversed(), ...rising.slice(folders).toReversed()])
    }),
  )
})

test('a filter', () => {
  const entries = ['paper-global.yml', 'PAPER.jar', 'spigot.yml', 'yml-notes.txt'].map((name) => entry(name))
  const found = (typed: string) => filterEntries(entries, typed).map(({ name }) => name)
  expect(found(' paper ')).toEqual(['paper-global.yml', 'PAPER.jar'])
  expect(found('*.yml')).toEqual(['paper-global.yml', 'spigot.yml'])
  expect(found('p*l*.yml')).toEqual(['paper-global.yml'])
  expect(found('*')).toHaveLength(4)
  expect(found('')).toHaveLength(4)
  expect(found('nothing')).toEqual([])
})

test('a filter with stars finds what a regular expression does', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(letters, pattern, (name, typed) => {
      fc.pre(typed.includes('*'))
      const oracle = new RegExp(`^${typed.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
      expect(filterEntries([entry(name)], typed).length === 1).toBe(oracle.test(name))
    }),
  )
})
