/**
 * What is sold and what it costs a buyer. Stored prices are net; gross is made here and nowhere else.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type BillingPeriod, type Currency, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { Cost, Product } from '@wakestone/contract/product'
import type { Handle } from '#src/db/client.ts'
import { vatRateOf } from '#src/features/taxes/service.ts'
import { type PriceRow, type ProductRow, selectProducts } from './repo.ts'

export type { ProductRow }

/** Tax on a net amount, in minor units; a half rounds up. */
export function taxOn(net: number, vatRate: number): number {
  // Rates have four decimals at most: whole numbers all the way.
  return Math.floor((net * Math.round(vatRate * 10_000) + 5_000) / 10_000)
}

export async function listProducts(db: Handle, countryCode: string): Promise<Product[]> {
  const [rows, vatRate] = await Promise.all([selectProducts(db), vatRateOf(db, countryCode)])
  return rows.filter(({ prices }) => prices.length > 0).map((row) => describeProduct(row, vatRate))
}

/** @throws DomainError `product_not_found` */
export async function showProduct(db: Handle, id: string, countryCode: string): Promise<Product> {
  const [row, vatRate] = await Promise.all([requireProduct(db, id), vatRateOf(db, countryCode)])
  return describeProduct(row, vatRate)
}

/**
 * What a product costs a buyer of this country, for each cluster and period that fits.
 * @throws DomainError `product_not_found`, `product_has_no_price_for_selected_currency`
 */
export async function quoteCosts(
  db: Handle,
  {
    productId,
    countryCode,
    currency,
    period,
    clusterId,
  }: {
    productId: string
    countryCode: string
    currency: Currency
    period?: BillingPeriod | undefined
    clusterId?: string | undefined
  },
): Promise<Cost[]> {
  const product = await requireProduct(db, productId)
  const vatRate = await vatRateOf(db, countryCode) // not side by side: this also runs inside a purchase's transaction
  const inCurrency = product.prices.filter((price) => price.currency === currency)
  if (inCurrency.length === 0)
    throw new DomainError('product_has_no_price_for_selected_currency', { resource: 'billing_product' })
  return inCurrency
    .filter(
      (price) =>
        (period === undefined || price.period === period) &&
        (clusterId === undefined || price.cluster_id === clusterId),
    )
    .map((price) => describeCost(product.id, price, { countryCode, vatRate }))
}

/** A product that may be bought now, as a base for a game server. */
export async function requireServerProduct(db: Handle, id: string): Promise<ProductRow> {
  const product = await requireProduct(db, id)
  const isForSale = product.visible && product.available && product.availability !== 0 && product.type === 'GAME_SERVER'
  if (!isForSale) throw new DomainError('product_not_available', { resource: 'billing_product' })
  return product
}

async function requireProduct(db: Handle, id: string): Promise<ProductRow> {
  const [row] = await selectProducts(db, { id })
  if (row === undefined) throw new DomainError('product_not_found', { resource: 'billing_product' })
  return row
}

function describeCost(
  productId: string,
  price: PriceRow,
  { countryCode, vatRate }: { countryCode: string; vatRate: number },
): Cost {
  const currency = price.currency as Currency
  const tax = taxOn(price.amount, vatRate)
  return {
    product: productId,
    cluster_id: price.cluster_id,
    period: price.period as BillingPeriod,
    currency,
    product_price: { amount: price.amount, currency },
    tax: { amount: tax, currency },
    gross_price: { amount: price.amount + tax, currency },
    country_tax_rate: { country_code: countryCode, vat_rate: vatRate },
  }
}

function describeProduct(row: ProductRow, vatRate: number): Product {
  const prices = row.prices.map((price) => ({
    cluster_id: price.cluster_id,
    period: price.period as BillingPeriod,
    price: { amount: price.amount, currency: price.currency },
    gross_price: { amount: price.amount + taxOn(price.amount, vatRate), currency: price.currency },
    lowest_price_30d: price.lowest === null ? null : { amount: price.lowest, currency: price.currency },
    lowest_gross_price_30d:
      price.lowest === null ? null : { amount: price.lowest + taxOn(price.lowest, vatRate), currency: price.currency },
  }))
  const pricePerHour: Record<string, number> = {}
  for (const price of prices)
    pricePerHour[price.gross_price.currency] ??= price.gross_price.amount / hoursOfPeriod(price.period)
  return { ...row, prices, pricePerHour }
}
