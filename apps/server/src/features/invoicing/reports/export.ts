/** Reports as CSV: amounts as decimals with a point, which every spreadsheet reads. */
import type { RevenueReport, TaxReport } from '@wakestone/contract/invoicing/report'
import { csvLine } from '@wakestone/kit/csv'
import { toDecimal } from '@wakestone/kit/money'

export async function* exportRevenue({ currency, steps }: RevenueReport): AsyncGenerator<string> {
  const inUnits = (amount: number) => Number(toDecimal({ amount, currency }))
  yield csvLine(['start', 'currency', 'net', 'vat', 'gross', 'topped_up'])
  for (const { start, net, vat, gross, topped_up } of steps)
    yield csvLine([start, currency, ...[net, vat, gross, topped_up].map(inUnits)])
}

export async function* exportTax({ currency, rows }: TaxReport): AsyncGenerator<string> {
  const inUnits = (amount: number) => Number(toDecimal({ amount, currency }))
  yield csvLine(['country', 'rate', 'currency', 'net', 'vat', 'gross', 'count'])
  for (const { country_code, vat_rate, net, vat, gross, count } of rows)
    yield csvLine([country_code, vat_rate, currency, ...[net, vat, gross].map(inUnits), count])
}
