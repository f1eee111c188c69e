/** When another plan begins, and what that costs. */
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { ChangeObstacle, UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'

/** Now with the end as it is, at the end of what is paid for, or now with a new period of this length. */
export type Choice = 'now' | 'period_end' | BillingPeriod

export type Way = {
  choice: Choice
  /** Gross: what is paid; minus comes back. Null: not for sale this way. */
  amount: { amount: number; currency: string } | null
  obstacle: ChangeObstacle | 'planned' | null
}

/** All ways to a plan, those that cannot be taken with what stands in the way. */
export function waysTo(
  target: UpgradeTarget,
  { currency, planned }: Pick<UpgradeQuote, 'currency' | 'planned'>,
): Way[] {
  const { upgrade_price: price, credit, obstacle } = target
  const isPlanned = planned?.details.product_id === target.product.id
  const periods = target.direction === 'up' && obstacle === null ? target.billing_periods : []
  return [
    {
      choice: 'now',
      amount: price === null ? null : { amount: price.amount - (credit?.amount ?? 0), currency },
      obstacle,
    },
    {
      choice: 'period_end',
      amount: { amount: 0, currency },
      obstacle: isPlanned ? 'planned' : target.planned_obstacle,
    },
    ...periods.flatMap(({ period, upgrade_price }) =>
      upgrade_price === null ? [] : [{ choice: period, amount: upgrade_price, obstacle: null }],
    ),
  ]
}

/** Until when the plan is paid for then, if it changes at `at`; null: without an end. */
export function endOf(choice: Choice, { expires }: Pick<UpgradeQuote, 'expires'>, at: number): string | null {
  return choice === 'now' || choice === 'period_end'
    ? expires
    : new Date(at + hoursOfPeriod(choice) * 3_600_000).toISOString()
}

const day = 86_400_000

/** Without the new terms that end within a day of the time left and cost as much or more: they are no choice. */
function withoutTwins(ways: readonly Way[], quote: UpgradeQuote, at: number): Way[] {
  const now = ways.find(({ choice, obstacle }) => choice === 'now' && obstacle === null)?.amount
  const end = endOf('now', quote, at)
  if (now == null || end === null) return [...ways]
  const isTwin = ({ choice, amount }: Way) =>
    choice !== 'now' &&
    choice !== 'period_end' &&
    amount !== null &&
    // Within 1 %, it costs as much.
    amount.amount * 100 >= now.amount * 99 &&
    Math.abs(Date.parse(endOf(choice, quote, at) ?? '') - Date.parse(end)) <= day
  return ways.filter((way) => !isTwin(way))
}

/** The plan and the way that an address names, or the first upgrade that can be had: a smaller plan is nobody's suggestion. */
export function choiceIn(
  search: URLSearchParams,
  quote: UpgradeQuote,
  /** When the quote was made. */
  at: number,
): { target: UpgradeTarget; ways: Way[]; way: Way | undefined } | null {
  const { upgrade_targets: targets } = quote
  const target =
    targets.find(({ product }) => product.id === search.get('plan')) ??
    targets.find(({ direction, obstacle }) => direction === 'up' && obstacle === null)
  if (target === undefined) return null
  const ways = withoutTwins(waysTo(target, quote), quote, at)
  const open = ways.filter(({ obstacle }) => obstacle === null)
  return { target, ways, way: open.find(({ choice }) => choice === search.get('when')) ?? open[0] }
}
