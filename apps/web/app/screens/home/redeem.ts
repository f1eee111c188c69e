/** The offer of a trial server, as the address of the home page asks for it. The order form gets its code. */
import type { Product } from '@wakestone/contract/sales/product'
import type { User } from '@wakestone/contract/accounts/user'
import type { Currency } from '@wakestone/contract/values'
import { isForSale, type Plan, plansOf, priceOf } from '#app/features/offers/offer-prices.ts'

export type Redeemable = { kind: 'offer'; plan: Plan } | { kind: 'failed' } | { kind: 'redeemed' }

/** How long a trial counts, and the group of its vouchers: both as the API has them. */
const trialDays = 90
const trialGroup = 'testing-server-'

/** Products that a user has tried lately. */
export function triedProducts(uses: User['voucher_uses'], now: number): string[] {
  return uses.flatMap(({ ts, voucher: { group_id } }) =>
    group_id?.startsWith(trialGroup) === true && now - Date.parse(ts) < trialDays * 86_400_000
      ? [group_id.slice(trialGroup.length)]
      : [],
  )
}

/** What to show for the queries `redeem-free-server` and, to those not signed in, `redeemfreeserver={productId}`. */
export function findRedeemable({
  search,
  products,
  isSignedIn,
  redeemed,
  currency,
}: {
  search: URLSearchParams
  products: readonly Product[] | null
  isSignedIn: boolean
  redeemed: readonly string[]
  currency: Currency
}): Redeemable | null {
  const wanted = search.get('redeemfreeserver')
  const isAsked = search.has('redeem-free-server')
  if (!isAsked && (wanted === null || isSignedIn)) return null
  if (products === null) return { kind: 'failed' }
  const choice = { period: '720h', currency } as const
  const plans = plansOf(products, currency).filter(
    (plan) =>
      plan.trial_hours !== null && isForSale(plan, choice) && (priceOf(plan, choice)?.gross_price.amount ?? 0) > 0,
  )
  if (!isAsked) {
    const plan = plans.find(({ id }) => id === wanted)
    return plan === undefined ? null : { kind: 'offer', plan }
  }
  const gross = (plan: Plan) => priceOf(plan, choice)?.gross_price.amount ?? 0
  const [plan] = plans.filter(({ id }) => !redeemed.includes(id)).toSorted((a, b) => gross(a) - gross(b))
  return plan === undefined ? { kind: 'redeemed' } : { kind: 'offer', plan }
}
