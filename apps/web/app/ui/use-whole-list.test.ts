import { expect, test } from 'vitest'
import type { Column } from './data-table.tsx'
import { plainText } from './plain-text.ts'
import { sortRows } from './use-whole-list.ts'

type Row = { name: string; size: number }
const rows: Row[] = [
  { name: 'Żaba', size: 10 },
  { name: 'apple', size: 9 },
  { name: 'Zebra', size: 10 },
]
const columns: Column<Row>[] = [
  { key: 'name', header: '', cell: () => null, sortBy: (row) => row.name },
  { key: 'size', header: '', cell: () => null, sortBy: (row) => row.size },
]
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name)

test('words are ordered as words, numbers as numbers, and equal rows stay', () => {
  expect(names(sortRows(rows, columns, { key: 'name', isDescending: false }))).toEqual(['apple', 'Żaba', 'Zebra'])
  expect(names(sortRows(rows, columns, { key: 'size', isDescending: true }))).toEqual(['Żaba', 'Zebra', 'apple'])
  expect(names(sortRows(rows, columns, { key: 'size', isDescending: false }))).toEqual(['apple', 'Żaba', 'Zebra'])
  expect(sortRows(rows, columns, null)).toBe(rows)
})

test('a search does not mind marks', () => {
  expect(plainText('Łódź Ünter')).toBe('lodz unter')
})
