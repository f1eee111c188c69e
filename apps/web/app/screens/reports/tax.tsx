import { useQuery } from '@tanstack/react-query'
import type { ReportQuery, TaxReport } from '@wakestone/contract/invoicing/report'
import { useCountryName } from '#app/features/location/use-country-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { taxQuery } from './report-queries.ts'

type Row = TaxReport['rows'][number]

/** What was sold to each country at each rate, and the VAT of it. */
export function Tax({ query }: { query: ReportQuery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const countryName = useCountryName()
  const list = useQuery(taxQuery(query))
  const amounts = (['net', 'vat', 'gross'] as const).map((name): Column<Row> => ({
    key: name,
    header: t(`reports.sums.${name}`),
    align: 'end',
    cell: (row) => <Money value={{ amount: row[name], currency: query.currency }} />,
  }))
  const columns: Column<Row>[] = [
    { key: 'country', header: t('reports.country'), phone: 'title', cell: (row) => countryName(row.country_code) },
    { key: 'rate', header: t('reports.rate'), align: 'end', cell: (row) => format.percent(row.vat_rate) },
    { key: 'count', header: t('reports.transactions'), align: 'end', cell: ({ count }) => count },
    ...amounts,
  ]
  return (
    <Card padded={false} title={t('reports.kinds.tax')}>
      <QueryTable
        query={list}
        label={t('reports.kinds.tax')}
        rows={list.data?.rows}
        rowKey={(row) => `${row.country_code} ${row.vat_rate}`}
        columns={columns}
        empty={<EmptyState title={t('reports.nothing')} text={t('reports.nothingText')} />}
      />
    </Card>
  )
}
