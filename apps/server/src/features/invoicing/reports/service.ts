/**
 * Reports of revenue and tax. All sums are the ledger's own; only names of products come from customers' transactions.
 */
import type { ReportQuery, RevenueReport, TaxReport } from '@wakestone/contract/invoicing/report'
import type { Context } from '#src/context.ts'
import { findBounds, type Period, sumAccounts, sumProducts, sumTaxes } from './repo.ts'

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
  const [sums, products] = await Promise.all([sumAccounts(db, period, step), sumProducts(db, period)])
  const sum = (kind: string, among = sums) =>
    among.filter(({ code }) => code.startsWith(`${kind}:`)).reduce((total, { amount }) => total + amount, 0)
  const totals = (among: typeof sums) => {
    const [net, vat] = [sum('revenue', among), sum('vat', among)]
    return { net, vat, gross: net + vat, topped_up: -sum('gateway', among) || 0 }
  }
  const gateways = new Map<string, { gateway: string; amount: number; count: number }>()
  for (const { code, amount, count } of sums) {
    const [kind, gateway = '', part] = code.split(':')
    if (kind !== 'gateway') continue
    const known = gateways.get(gateway) ?? { gateway, amount: 0, count: 0 }
    gateways.set(gateway, {
      gateway,
      amount: known.amount - amount,
      count: known.count + (part === 'refunds' ? 0 : count),
    })
  }
  return {
    currency: query.currency,
    from: query.from,
    to: query.to,
    total: { ...totals(sums), given_away: -sum('promotion') || 0, credited: -sum('adjustment') || 0 },
    step,
    steps: stepsOf(query, step).map((start) => ({ start, ...totals(sums.filter((row) => row.start === start)) })),
    products,
    gateways: [...gateways.values()].toSorted((left, right) => right.amount - left.amount),
  }
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
