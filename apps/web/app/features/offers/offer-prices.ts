/** What is on sale, as the public pages show it. Amounts are the API's; nothing here computes a price to be charged. */
import type { Product } from '@wakestone/contract/sales/product'
import {
  type BillingPeriod,
  billingPeriods,
  type Currency,
  hoursOfPeriod,
  walletCurrencies,
} from '@wakestone/contract/values'

export type OfferChoice = { period: BillingPeriod; currency: Currency }

/** Plans with a text of their own. */
export const describedPlans = ['FREE', 'GRASS', 'AMETHYST'] as const
export type DescribedPlan = (typeof describedPlans)[number]
export type Plan = Product & { id: DescribedPlan }

/** Kinds of add-ons, in the order they are shown. A website is none: it needs no server. */
export const addonTypes = ['EXTRA_MEMORY', 'EXTRA_STORAGE', 'EXTRA_PORTS', 'BACKUP', 'MAPVIEW'] as const
export type AddonType = (typeof addonTypes)[number]

/** Given out by voucher only. */
export const voucherAddOn = 'SPEEDRUN_PROMO_EXTRA_MEMORY_4G'

/** What stands beside a server, on sale. */
export const isAddOn = ({ id, visible, depends_on_products }: Product) =>
  visible && depends_on_products.length > 0 && id !== voucherAddOn

/** Period and currency as the address names them; else the shortest, and the visitor's. */
export function readChoice(search: URLSearchParams, visitorCurrency: string | undefined): OfferChoice {
  const currency = (wanted: string | null | undefined) => walletCurrencies.find((known) => known === wanted)
  return {
    period: billingPeriods.find((known) => known === search.get('period')) ?? '720h',
    currency: currency(search.get('currency')) ?? currency(visitorCurrency) ?? 'EUR',
  }
}

/** A base plan that is shown. */
export const isPlan = (product: Product): product is Plan =>
  product.visible &&
  product.type === 'GAME_SERVER' &&
  product.depends_on_products.length === 0 &&
  product.prices.length > 0 &&
  describedPlans.includes(product.id as DescribedPlan)

/** Base plans that are shown, cheapest first. */
export function plansOf(products: readonly Product[], currency: Currency): Plan[] {
  return products.filter(isPlan).toSorted((a, b) => (a.pricePerHour[currency] ?? 0) - (b.pricePerHour[currency] ?? 0))
}

/** Add-ons of one kind that are shown, smallest first. */
export function addonsOf(products: readonly Product[], type: AddonType): Product[] {
  return products
    .filter((product) => product.visible && product.type === type && product.id !== voucherAddOn)
    .toSorted(
      (a, b) =>
        a.parameters.storage - b.parameters.storage ||
        a.parameters.memory - b.parameters.memory ||
        (a.prices[0]?.price.amount ?? 0) - (b.prices[0]?.price.amount ?? 0),
    )
}

/** The cheapest price of a product for a period and currency. */
export function priceOf(product: Product, { period, currency }: OfferChoice): Product['prices'][number] | undefined {
  return product.prices
    .filter((price) => price.period === period && price.gross_price.currency === currency)
    .toSorted((a, b) => a.gross_price.amount - b.gross_price.amount)[0]
}

export function isForSale(product: Product, choice: OfferChoice): boolean {
  return product.available && product.availability !== 0 && priceOf(product, choice) !== undefined
}

/** By how much a period is cheaper per hour than the shortest one: 0.05 for 5 %. */
export function savingOf(products: readonly Product[], { period, currency }: OfferChoice): number {
  for (const product of products) {
    const short = priceOf(product, { period: '720h', currency })
    const long = priceOf(product, { period, currency })
    if (!short || !long || short.price.amount === 0) continue
    return Math.round(100 * (1 - long.price.amount / hoursOfPeriod(period) / (short.price.amount / 720))) / 100
  }
  return 0
}
