/** Differences as CSV: amounts as decimals with a point, which every spreadsheet reads. */
import type { Difference, Reconciliation } from '@wakestone/contract/money/reconciliation'
import { csvLine } from '@wakestone/kit/csv'
import { toDecimal } from '@wakestone/kit/money'

const columns = [
  'gateway',
  'day',
  'movement',
  'difference',
  'healed',
  'gateway_id',
  'order_id',
  'transaction_id',
  'currency',
  'our_amount',
  'their_amount',
  'our_state',
  'their_state',
] as const

export async function* exportLines(report: Reconciliation & { lines: readonly Difference[] }): AsyncGenerator<string> {
  yield csvLine(columns)
  for (const line of report.lines) {
    const inUnits = (amount: number | null) =>
      amount === null || line.currency === null ? '' : Number(toDecimal({ amount, currency: line.currency }))
    yield csvLine([
      report.gateway,
      report.day,
      line.movement,
      line.kind,
      line.healed ? 'yes' : 'no',
      line.gateway_id ?? '',
      line.order_id ?? '',
      line.transaction_id ?? '',
      line.currency ?? '',
      inUnits(line.our_amount),
      inUnits(line.their_amount),
      line.our_state ?? '',
      line.their_state ?? '',
    ])
  }
}
