import { Checkbox } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './data-table.module.css'
import { TableHead, TableSort } from './data-table-head.tsx'
import { ErrorNote, ErrorState } from './error-state.tsx'
import { Skeleton } from './skeleton.tsx'
import type { Sort } from './table-address.ts'
import { SelectionBar, type TableSelection } from './table-selection.tsx'

export type Column<Row> = {
  key: string
  header: string
  /** One element or text: on phones it stands beside its header. */
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** What the order of this column goes by. Only lists that are loaded whole can be sorted. */
  sortBy?: (row: Row) => string | number
  /**
   * On phones each row is a card: this heads it, stands beside the heading, is a line of it (as usual), is buttons
   * that need no name, or is left out.
   */
  phone?: 'title' | 'aside' | 'line' | 'buttons' | 'hidden'
}

export type DataTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Neighbouring rows with the same key stand under one heading. */
  groupOf?: (row: Row) => { key: string; label: ReactNode }
  /** What stands here when there are no rows: an `<EmptyState>`. */
  empty: ReactNode
  error?: unknown
  errorTitle?: string
  onRetry?: () => void
  /** The order now; null = as the list comes. Undefined = cannot be sorted. */
  sort?: Sort | null
  selection?: TableSelection<Row>
  /** Older rows are shown until those that were asked for come. */
  isWaiting?: boolean
  skeletonRows?: number
  /** The pager. */
  children?: ReactNode
}

/**
 * A list in one of its states: loading (no rows yet), failed, empty, or full. With `error` beside rows these are shown,
 * and said to be old. Sort, filters and page come from the address (`table-address.ts`).
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  groupOf,
  empty,
  error = null,
  errorTitle,
  onRetry,
  sort,
  selection,
  isWaiting = false,
  skeletonRows = 5,
  children,
}: DataTableProps<Row>) {
  if (rows === undefined && error !== null)
    return (
      <ErrorState
        error={error}
        {...(errorTitle === undefined ? {} : { title: errorTitle })}
        {...(onRetry === undefined ? {} : { onRetry })}
      />
    )
  if (rows?.length === 0)
    return (
      <>
        {empty}
        {children}
      </>
    )
  const keys = rows?.map(rowKey) ?? []
  return (
    <>
      {error !== null && <StaleNote error={error} />}
      {selection !== undefined && <SelectionBar selection={selection} keys={keys} />}
      {sort !== undefined && <TableSort columns={columns} sort={sort} />}
      <div className={classes['frame']}>
        <table
          className={classes['table']}
          aria-label={label}
          aria-busy={rows === undefined || isWaiting || undefined}
          data-waiting={isWaiting || undefined}
        >
          <TableHead columns={columns} sort={sort} selection={selection} keys={keys} />
          <tbody>
            {rows === undefined
              ? Array.from({ length: skeletonRows }, (_, index) => (
                  <tr key={index}>
                    {selection !== undefined && <td className={classes['box']} />}
                    {columns.map((column) => (
                      <Cell key={column.key} column={column}>
                        <Skeleton width={column.align === 'end' ? 70 : index % 2 === 0 ? 150 : 110} height={14} />
                      </Cell>
                    ))}
                  </tr>
                ))
              : rows.map((row, index) => {
                  const group = groupOf?.(row)
                  const before = index === 0 ? undefined : groupOf?.(rows[index - 1]!)
                  return (
                    <Fragment key={rowKey(row)}>
                      {group !== undefined && group.key !== before?.key && (
                        <tr className={classes['group']}>
                          <th scope="rowgroup" colSpan={columns.length + (selection === undefined ? 0 : 1)}>
                            {group.label}
                          </th>
                        </tr>
                      )}
                      <tr data-selected={selection?.selected.has(rowKey(row)) || undefined}>
                        {selection !== undefined && (
                          <td className={classes['box']}>
                            <RowBox selection={selection} row={row} id={rowKey(row)} />
                          </td>
                        )}
                        {columns.map((column) => (
                          <Cell key={column.key} column={column}>
                            {column.cell(row)}
                          </Cell>
                        ))}
                      </tr>
                    </Fragment>
                  )
                })}
          </tbody>
        </table>
      </div>
      {children}
    </>
  )
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  return (
    <td data-label={column.header} data-align={column.align} data-phone={column.phone}>
      {children}
    </td>
  )
}

function RowBox<Row>({ selection, row, id }: { selection: TableSelection<Row>; row: Row; id: string }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      size="xs"
      checked={selection.selected.has(id)}
      onChange={() => selection.toggle(id)}
      aria-label={t('table.selectRow', { name: selection.nameOf(row) })}
    />
  )
}

function StaleNote({ error }: { error: unknown }) {
  const { t } = useTranslation()
  return (
    <div className={classes['stale']}>
      <ErrorNote error={error} title={t('table.stale')} />
    </div>
  )
}
