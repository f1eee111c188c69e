/** Filter, order and pages of a list that is loaded whole, as the address says. */
import { useMemo } from 'react'
import type { Column } from './data-table.tsx'
import { plainText } from './plain-text.ts'
import { readPage, readSort, type Sort, useTableAddress } from './table-address.ts'

/** Rows in the order of a column; equal ones stay as they came. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | null,
): readonly Row[] {
  const by = columns.find((column) => column.key === sort?.key)?.sortBy
  if (by === undefined || sort === null) return rows
  const compare = (left: Row, right: Row) => {
    const [a, b] = [by(left), by(right)]
    return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  }
  return rows.toSorted((left, right) => (sort.isDescending ? compare(right, left) : compare(left, right)))
}

/** `textOf` is what `?q=` looks through. Answers the rows of this page, how many are left by the filter, and the order. */
export function useWholeList<Row>({
  rows,
  columns,
  size,
  textOf,
}: {
  rows: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  size: number
  textOf: (row: Row) => string
}) {
  const { search } = useTableAddress()
  const sort = readSort(
    search,
    columns.filter((column) => column.sortBy !== undefined).map((column) => column.key),
  )
  const words = plainText(search.get('q') ?? '')
  const found = useMemo(
    () => rows?.filter((row) => words === '' || plainText(textOf(row)).includes(words)),
    [rows, words, textOf],
  )
  const ordered = found === undefined ? undefined : sortRows(found, columns, sort)
  const count = ordered?.length ?? 0
  const page = Math.min(readPage(search), Math.max(1, Math.ceil(count / size)))
  return { rows: ordered?.slice((page - 1) * size, page * size), count, sort, isFiltered: words !== '' }
}
