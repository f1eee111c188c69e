import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ReportQuery, RevenueReport } from '@wakestone/contract/invoicing/report'
import { gatewayName } from '#app/features/payment/gateway-name.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { revenueQuery } from './report-queries.ts'
import classes from './reports.module.css'

type Product = RevenueReport['products'][number]
type Gateway = RevenueReport['gateways'][number]
/** What the sum of a gateway is made of, and after several of these the sum. */
type GatewayRow = { gateway: string; kind: Gateway['parts'][number]['kind'] | 'sum'; amount: number; count: number }

const rowsOf = ({ gateway, parts, amount, count }: Gateway): GatewayRow[] => [
  ...parts.map((part) => ({ gateway, ...part })),
  ...(parts.length > 1 ? [{ gateway, kind: 'sum' as const, amount, count }] : []),
]

/** Six sums, a chart over the period, and what it was made of. */
export function Revenue({ query }: { query: ReportQuery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useProductName()
  const { data, error, refetch, isPlaceholderData } = useQuery(revenueQuery(query))
  const { currency } = query
  const write = useCallback((amount: number) => format.price({ amount, currency }), [format, currency])
  if (data === undefined)
    return error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const sums = ['gross', 'net', 'vat', 'topped_up', 'given_away', 'credited'] as const
  return (
    <div className={classes['report']} data-waiting={isPlaceholderData}>
      <dl className={classes['sums']}>
        {sums.map((name) => (
          <div key={name}>
            <dt>{t(`reports.sums.${name}`)}</dt>
            <dd className="tabular">{format.money({ amount: data.total[name], currency: data.currency })}</dd>
          </div>
        ))}
      </dl>
      <Card>
        <Chart
          label={t(`reports.by.${data.step}`)}
          times={data.steps.map(({ start }) => Date.parse(start) / 1000)}
          series={[
            { name: t('reports.sums.gross'), colour: 'moss', values: data.steps.map(({ gross }) => gross) },
            { name: t('reports.sums.topped_up'), colour: 'dusk', values: data.steps.map((step) => step.topped_up) },
          ]}
          write={write}
          daily
          emptyText={t('reports.nothing')}
        />
      </Card>
      <div className={classes['tables']}>
        <Card padded={false} title={t('reports.products')}>
          <DataTable
            label={t('reports.products')}
            rows={data.products}
            rowKey={({ name }) => name}
            columns={productColumns(t, nameOf, data.currency)}
            empty={<EmptyState title={t('reports.nothing')} text={t('reports.nothingText')} />}
          />
        </Card>
        <Card padded={false} title={t('reports.gateways')}>
          <DataTable
            label={t('reports.gateways')}
            rows={data.gateways.flatMap(rowsOf)}
            rowKey={({ gateway, kind }) => `${gateway} ${kind}`}
            groupOf={({ gateway }) => ({ key: gateway, label: gatewayName(t, gateway) })}
            columns={gatewayColumns(t, data.currency)}
            empty={<EmptyState title={t('reports.nothing')} text={t('reports.nothingText')} />}
          />
        </Card>
      </div>
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

function productColumns(t: Translate, nameOf: (id: string) => string, currency: string): Column<Product>[] {
  return [
    { key: 'name', header: t('reports.product'), phone: 'title', cell: ({ name }) => nameOf(name) },
    { key: 'count', header: t('reports.count'), align: 'end', cell: ({ count }) => count },
    {
      key: 'gross',
      header: t('reports.sums.gross'),
      align: 'end',
      cell: ({ gross }) => <Money value={{ amount: gross, currency }} />,
    },
  ]
}

function gatewayColumns(t: Translate, currency: string): Column<GatewayRow>[] {
  return [
    {
      key: 'kind',
      header: t('reports.what'),
      phone: 'title',
      cell: ({ kind }) => (kind === 'sum' ? <b>{t('reports.parts.sum')}</b> : t(`reports.parts.${kind}`)),
    },
    {
      key: 'count',
      header: t('reports.payments'),
      align: 'end',
      cell: ({ kind, count }) => (kind === 'return' ? '–' : count),
    },
    {
      key: 'amount',
      header: t('reports.amount'),
      align: 'end',
      cell: ({ amount }) => <Money value={{ amount, currency }} />,
    },
  ]
}
