/** Values of dumped rows. */
import { DumpError, type Row } from '#src/adapters/dumps/mysql-dump.ts'

export function textOf(row: Row, column: string): string | null {
  const value = row[column] ?? null
  return Buffer.isBuffer(value) ? value.toString() : value
}

export const wordsOf = (row: Row, column: string): string => textOf(row, column) ?? ''

/** @throws DumpError for a column that has to hold one and does not */
export function numberOf(row: Row, column: string): number {
  const number = Number(textOf(row, column) ?? Number.NaN)
  if (!Number.isSafeInteger(number))
    throw new DumpError(`a row holds ${textOf(row, column)} for ${column}, which is no number`)
  return number
}

export const isSet = (row: Row, column: string): boolean => !['', '0', 'off', 'false'].includes(wordsOf(row, column))

/** Rows by what one column holds. */
export function groupBy(rows: readonly Row[], column: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = wordsOf(row, column)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

export const indexBy = (rows: readonly Row[], column: string): Map<string, Row> =>
  new Map(rows.map((row) => [wordsOf(row, column), row]))

/** Without what changes by itself. */
export const withoutTimes = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !/(_at|_run_at|remember_token)$/.test(column)))
