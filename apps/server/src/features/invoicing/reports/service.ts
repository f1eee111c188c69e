/**
 * Reports of revenue and tax. All sums are the ledger's own; only names of products come from customers' transactions.
 */
import type { ReportQuery, RevenueReport, TaxReport } from '@wakestone/contract/invoicing/report'
import type { Context } from '#src/context.ts'
import { findBounds, type Period, sumAccounts, sumGateways, sumProducts, sumTaxes } from './repo.ts'

const day = 86_400_000
/** Longer periods are told by month. */
const mostDays = 92

type Deps = Pick<Context, 'db' | 'settings'>

/** Days are those of the documents of sale. */
async function periodOf({ db, settings }: Deps, { from, to, currency }: ReportQuery): Promise<Period> {
  const timeZone = settings.SELLER_TIME_ZONE
  return { ...(await findBounds(db, { from, to, timeZone })), currency, timeZone }
}

export async function reportRevenue(deps: Deps, query: ReportQuery): Promise<RevenueReport> {
  const { db } = deps
  const period = await periodOf(deps, query)
  const step = (Date.parse(query.to) - Date.parse(query.from)) / day >= mostDays ? 'month' : 'day'
  const [sums, products, moved] = await Promise.all([
    sumAccounts(db, period, step),
    sumProducts(db, period),
    sumGateways(db, period),
  ])
  const sum = (kind: string, among = sums) =>
    among.filter(({ code }) => code.startsWith(`${kind}:`)).reduce((total, { amount }) => total + amount, 0)
  const totals = (among: typeof sums) => {
    const [net, vat] = [sum('revenue', among), sum('vat', among)]
    return { net, vat, gross: net + vat, topped_up: -sum('gateway', among) || 0 }
  }
  return {
    currency: query.currency,
    from: query.from,
    to: query.to,
    total: { ...totals(sums), given_away: -sum('promotion') || 0, credited: -sum('adjustment') || 0 },
    step,
    steps: stepsOf(query, step).map((start) => ({ start, ...totals(sums.filter((row) => row.start === start)) })),
    products,
    gateways: showGateways(moved),
  }
}

type Gateway = RevenueReport['gateways'][number]
type PartKind = Gateway['parts'][number]['kind']

const partOf = (kind: string): PartKind =>
  kind === 'ITEMSHOP_SELL' ? 'shop_sale' : kind === 'REFUND' || kind === 'CHARGEBACK' ? 'return' : 'top_up'

/** Each gateway with what its sum is made of, the largest first. */
function showGateways(moved: Awaited<ReturnType<typeof sumGateways>>): Gateway[] {
  const gateways = Map.groupBy(moved, ({ code }) => code.split(':')[1] ?? '')
  const shown = [...gateways].map(([gateway, rows]): Gateway => {
    const kinds = Map.groupBy(rows, ({ kind }) => partOf(kind))
    const parts = (['top_up', 'shop_sale', 'return'] as const).flatMap((kind) => {
      const some = kinds.get(kind) ?? []
      const amount = -some.reduce((sum, row) => sum + row.amount, 0)
      // Such as of refunds that failed.
      if (amount === 0) return []
      // Refunds wait on an account of their own, which no payment comes in by.
      const came = some.filter(({ code }) => code.split(':')[2] !== 'refunds')
      return [{ kind, amount, count: came.reduce((sum, { count }) => sum + count, 0) }]
    })
    return {
      gateway,
      amount: parts.reduce((sum, { amount }) => sum + amount, 0),
      count: parts.reduce((sum, { count }) => sum + count, 0),
      parts,
    }
  })
  return shown.toSorted((left, right) => right.amount - left.amount)
}

export async function reportTax(deps: Deps, query: ReportQuery): Promise<TaxReport> {
  const rows = await sumTaxes(deps.db, await periodOf(deps, query))
  return {
    currency: query.currency,
    from: query.from,
    to: query.to,
    rows: rows.map((row) => ({ ...row, vat_rate: Number(row.vat_rate), gross: row.net + row.vat })),
  }
}

/** First days of every step that the period touches. */
function stepsOf({ from, to }: ReportQuery, step: 'day' | 'month'): string[] {
  const starts: string[] = []
  const at = new Date(from) // of calendar days alone
  if (step === 'month') at.setUTCDate(1)
  while (at <= new Date(to)) {
    starts.push(at.toISOString().slice(0, 10))
    if (step === 'month') at.setUTCMonth(at.getUTCMonth() + 1)
    else at.setUTCDate(at.getUTCDate() + 1)
  }
  return starts
}
