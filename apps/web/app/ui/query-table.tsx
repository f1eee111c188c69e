/** Tables of what a query answers: while it loads, when it fails, and while it is asked for another page. */
import { DataTable, type DataTableProps } from './data-table.tsx'
import { KeysetPager, Pager } from './pager.tsx'
import { cutPage } from './table-address.ts'

/** As `useQuery` answers. */
type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown; isPlaceholderData: boolean }
type Table<Row> = Omit<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'isWaiting'>

/** `rows` are what is shown of the answer; the pager is a child. */
export function QueryTable<Row>({
  query: { error, refetch, isPlaceholderData },
  ...table
}: Table<Row> & Pick<DataTableProps<Row>, 'rows'> & { query: Query<unknown> }) {
  return <DataTable {...table} error={error} onRetry={() => void refetch()} isWaiting={isPlaceholderData} />
}

/**
 * A list that comes page by page, each after the last row of the one before. It was asked for with one row more than
 * `size`: the one more tells that it goes on. `rowKey` is what the next page is asked by.
 */
export function KeysetTable<Row>({
  query,
  size,
  isAtLeast = false,
  ...table
}: Table<Row> & { query: Query<{ data: readonly Row[]; count?: number }>; size: number; isAtLeast?: boolean }) {
  const page = query.data && cutPage(query.data.data, size, table.rowKey)
  return (
    <QueryTable {...table} query={query} rows={page?.rows}>
      <KeysetPager
        next={page?.next}
        shown={page?.rows.length ?? 0}
        size={size}
        count={query.data?.count}
        isAtLeast={isAtLeast}
      />
    </QueryTable>
  )
}

/** A list that comes by numbered pages of `size` rows. */
export function NumberedTable<Row>({
  query,
  size,
  ...table
}: Table<Row> & { query: Query<{ data: readonly Row[]; count: number }>; size: number }) {
  return (
    <QueryTable {...table} query={query} rows={query.data?.data}>
      <Pager size={size} count={query.data?.count ?? 0} />
    </QueryTable>
  )
}
