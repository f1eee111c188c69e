/** The offer of a trial server, as the address of the home page asks for it. The trial itself comes with the purchase. */
import type { Product } from '@wakestone/contract/product'
import type { Currency } from '@wakestone/contract/values'
import { isForSale, type Plan, plansOf, priceOf } from '#app/features/offers/offer-prices.ts'

export type Redeemable = { kind: 'offer'; plan: Plan } | { kind: 'failed' } | { kind: 'redeemed' }

/** Key in the local storage: ids of products already tried, comma-separated. */
export const redeemedKey = 'redeemed_free_servers'

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
    (plan) => isForSale(plan, choice) && (priceOf(plan, choice)?.gross_price.amount ?? 0) > 0,
  )
  if (!isAsked) {
    const plan = plans.find(({ id }) => id === wanted)
    return plan === undefined ? null : { kind: 'offer', plan }
  }
  const gross = (plan: Plan) => priceOf(plan, choice)?.gross_price.amount ?? 0
  const [plan] = plans.filter(({ id }) => !redeemed.includes(id)).toSorted((a, b) => gross(a) - gross(b))
  return plan === undefined ? { kind: 'redeemed' } : { kind: 'offer', plan }
}
