import { ApiError } from '@wakestone/contract/client'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetPager, Pager } from '#app/ui/pager.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import { DayFilter, SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { useTableSelection } from '#app/ui/table-selection.tsx'
import { useWholeList } from '#app/ui/use-whole-list.ts'
import type { PanelState } from '@wakestone/contract/states'
import { Specimen } from './specimen.tsx'

type Row = { name: string; state: PanelState; made: string; price: number }

const all: Row[] = [
  { name: 'misty-allay', state: 'running', made: '2026-11-20T15:55:00Z', price: 5534 },
  { name: 'brave-axolotl', state: 'sleeping', made: '2026-10-02T08:12:00Z', price: 1844 },
  { name: 'Wiewiórcza chatka', state: 'stopped', made: '2026-09-30T19:40:00Z', price: 0 },
  { name: 'quiet-strider', state: 'crashed', made: '2026-08-11T06:05:00Z', price: 1844 },
  { name: 'old-creeper', state: 'expired', made: '2026-01-04T11:30:00Z', price: 0 },
]
const failure = new ApiError(500, { error: 'internal_error', event_id: 'f212397c42d5' })
const words = {
  servers: 'Servers',
  name: 'Name',
  state: 'State',
  made: 'Made on',
  price: 'A month',
  stop: 'Stop',
  search: 'Search by name',
  from: 'From',
  emptyTitle: 'No server yet',
  emptyText: 'Create one: it is ready in about two minutes.',
}
const columns: Column<Row>[] = [
  { key: 'name', header: words.name, phone: 'title', sortBy: (row) => row.name, cell: (row) => row.name },
  { key: 'state', header: words.state, cell: (row) => <StateBadge state={row.state} size="small" /> },
  {
    key: 'made',
    header: words.made,
    phone: 'hidden',
    sortBy: (row) => row.made,
    cell: (row) => <DateTime value={row.made} />,
  },
  {
    key: 'price',
    header: words.price,
    align: 'end',
    sortBy: (row) => row.price,
    cell: (row) => <Money value={{ amount: row.price, currency: 'PLN' }} />,
  },
]
const textOf = (row: Row) => row.name
const shared = {
  label: words.servers,
  columns,
  rowKey: (row: Row) => row.name,
  empty: <EmptyState title={words.emptyTitle} text={words.emptyText} />,
}

/** Loaded whole: sorted, searched and paged by the address. */
export function WholeTable() {
  const { rows, count, sort } = useWholeList({ rows: all, columns, size: 4, textOf })
  const selection = useTableSelection(
    all.map((row) => row.name),
    ['brave-axolotl'],
  )
  return (
    <Specimen name="full: filters, order, selection, pages" wide>
      <TableFilters names={['q', 'state', 'from']}>
        <SearchFilter label={words.search} />
        <SelectFilter
          name="state"
          label={words.state}
          options={[
            { value: '', label: words.state },
            { value: 'running', label: words.name },
          ]}
        />
        <DayFilter name="from" label={words.from} />
      </TableFilters>
      <Card padded={false}>
        <DataTable
          {...shared}
          rows={rows}
          sort={sort}
          selection={{
            ...selection,
            nameOf: (row) => row.name,
            actions: (
              <Button size="small" look="danger">
                {words.stop}
              </Button>
            ),
          }}
        >
          <Pager size={4} count={count} />
        </DataTable>
      </Card>
    </Specimen>
  )
}

export function TableStates() {
  return (
    <>
      <Specimen name="loading" wide>
        <Card padded={false}>
          <DataTable {...shared} rows={undefined} skeletonRows={3} />
        </Card>
      </Specimen>
      <Specimen name="empty" wide>
        <Card padded={false}>
          <DataTable {...shared} rows={[]} />
        </Card>
      </Specimen>
      <Specimen name="failed" wide>
        <Card padded={false}>
          <DataTable {...shared} rows={undefined} error={failure} onRetry={() => {}} />
        </Card>
      </Specimen>
      <Specimen name="old, since it could not be refreshed" wide>
        <Card padded={false}>
          <DataTable {...shared} rows={all.slice(0, 2)} error={failure} />
        </Card>
      </Specimen>
      <Specimen name="the next page is on its way" wide>
        <Card padded={false}>
          <DataTable {...shared} rows={all.slice(0, 2)} isWaiting>
            <KeysetPager next="b" shown={2} size={2} count={97} />
          </DataTable>
        </Card>
      </Specimen>
    </>
  )
}
