import { Checkbox, NativeSelect } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import type { Column } from './data-table.tsx'
import classes from './data-table.module.css'
import { type Sort, useTableAddress } from './table-address.ts'
import type { TableSelection } from './table-selection.tsx'

/** Names of the columns; those that can be sorted are links to the list in that order. */
export function TableHead<Row>({
  columns,
  sort,
  selection,
  keys,
}: {
  columns: readonly Column<Row>[]
  sort: Sort | null | undefined
  selection: TableSelection<Row> | undefined
  keys: readonly string[]
}) {
  const { t } = useTranslation()
  const chosen = keys.filter((key) => selection?.selected.has(key)).length
  return (
    <thead>
      <tr>
        {selection !== undefined && (
          <th className={classes['box']} scope="col">
            <Checkbox
              size="xs"
              checked={chosen > 0 && chosen === keys.length}
              indeterminate={chosen > 0 && chosen < keys.length}
              disabled={keys.length === 0}
              onChange={() => selection.setAll(chosen === keys.length ? [] : keys)}
              aria-label={t('table.selectAll')}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            data-align={column.align}
            aria-sort={sort?.key === column.key ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
          >
            {sort === undefined || column.sortBy === undefined ? (
              column.header
            ) : (
              <SortLink column={column} sort={sort} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function SortLink<Row>({ column, sort }: { column: Column<Row>; sort: Sort | null }) {
  const { to } = useTableAddress()
  const isOurs = sort?.key === column.key
  const Icon = !isOurs ? IconSelector : sort.isDescending ? IconArrowDown : IconArrowUp
  return (
    <Link
      to={to({ sort: isOurs && !sort.isDescending ? `-${column.key}` : column.key })}
      className={classes['sort']}
      preventScrollReset
      replace
    >
      {column.header}
      <Icon size={14} aria-hidden="true" />
    </Link>
  )
}

/** The same choice for phones, where the head is not shown. */
export function TableSort<Row>({ columns, sort }: { columns: readonly Column<Row>[]; sort: Sort | null }) {
  const { t } = useTranslation()
  const { go } = useTableAddress()
  return (
    <div className={classes['phoneSort']}>
      <NativeSelect
        label={t('table.sortBy')}
        value={sort === null ? '' : `${sort.isDescending ? '-' : ''}${sort.key}`}
        onChange={(event) => go({ sort: event.currentTarget.value }, { replace: true })}
        data={[
          { value: '', label: t('table.unsorted') },
          ...columns
            .filter((column) => column.sortBy !== undefined)
            .flatMap((column) => [
              { value: column.key, label: t('table.rising', { column: column.header }) },
              { value: `-${column.key}`, label: t('table.falling', { column: column.header }) },
            ]),
        ]}
      />
    </div>
  )
}
