import { expect, test } from 'vitest'
import { cutPage, readAfter, readPage, readSort, withChanges } from './table-address.ts'

const search = (query: string) => new URLSearchParams(query)

test('the order is read from the address, unknown columns are not', () => {
  expect(readSort(search('sort=name'), ['name'])).toEqual({ key: 'name', isDescending: false })
  expect(readSort(search('sort=-name'), ['name'])).toEqual({ key: 'name', isDescending: true })
  expect(readSort(search('sort=secret'), ['name'])).toBeNull()
  expect(readSort(search(''), ['name'])).toBeNull()
})

test('another filter begins at the first page and keeps the rest', () => {
  expect(withChanges(search('list=payments&after=a.b&page=3'), { level: '40' })).toBe('?list=payments&level=40')
  expect(withChanges(search('level=40&q=x'), { level: '', q: null })).toBe('?')
  expect(withChanges(search('level=40'), { after: 'a.b' })).toBe('?level=40&after=a.b')
})

test('pages are read, nonsense is the first page', () => {
  expect(readAfter(search('after=a.b'))).toEqual(['a', 'b'])
  expect(readAfter(search(''))).toEqual([])
  expect([readPage(search('page=2')), readPage(search('page=-1')), readPage(search('page=x'))]).toEqual([2, 1, 1])
})

test('a list of exactly one page does not go on', () => {
  const rows = Array.from({ length: 3 }, (_, index) => ({ id: String(index) }))
  const idOf = (row: { id: string }) => row.id
  expect(cutPage(rows, 3, idOf)).toEqual({ rows, next: undefined })
  expect(cutPage(rows, 2, idOf)).toEqual({ rows: rows.slice(0, 2), next: '1' })
  expect(cutPage([], 2, idOf)).toEqual({ rows: [], next: undefined })
})
