import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import classes from './data-table.module.css'
import { Skeleton } from './skeleton.tsx'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** Left out on phones, where rows become small cards. */
  wideOnly?: boolean
}

/** Rows with a head; on a phone each row becomes a block with the names before the values. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}) {
  return (
    <table className={classes['table']} aria-label={label}>
      <Head columns={columns} />
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.key} data-label={column.header} data-align={column.align} data-wide={column.wideOnly}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.key} scope="col" data-align={column.align} data-wide={column.wideOnly}>
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** The same table before its rows are there. */
export function DataTableSkeleton<Row>({
  label,
  columns,
  rows = 5,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows?: number
}) {
  return (
    <table className={classes['table']} aria-label={label} aria-busy="true">
      <Head columns={columns} />
      <tbody>
        {Array.from({ length: rows }, (_, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column.key} data-align={column.align} data-wide={column.wideOnly}>
                <Skeleton width={column.align === 'end' ? 70 : '70%'} height={14} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/**
 * Newer and older pages of a keyset list. The place is in the address (`?after=<id>`), so that back works
 * and a page can be sent to somebody. `param` tells several lists on one screen apart.
 */
export function Pager({
  next,
  param = 'after',
}: {
  /** Id of the last row, when there are more. */ next: string | undefined
  param?: string
}) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const at = (value: string | undefined) => {
    const copy = new URLSearchParams(search)
    if (value === undefined) copy.delete(param)
    else copy.set(param, value)
    return `?${copy.toString()}`
  }
  const isFirst = !search.has(param)
  if (isFirst && next === undefined) return null
  return (
    <nav className={classes['pager']} aria-label={t('table.pages')}>
      {isFirst ? (
        <span />
      ) : (
        <Link to={at(undefined)} preventScrollReset>
          {t('table.newest')}
        </Link>
      )}
      {next !== undefined && (
        <Link to={at(next)} preventScrollReset rel="next">
          {t('table.older')}
        </Link>
      )}
    </nav>
  )
}
