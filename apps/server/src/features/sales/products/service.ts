/**
 * What is sold and what it costs a buyer. Stored prices are net; gross is made here and nowhere else.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type BillingPeriod, type Currency, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { Cost, Product } from '@wakestone/contract/sales/product'
import type { Handle, Transaction } from '#src/db/client.ts'
import { type TaxedBuyer, taxOf } from '#src/features/money/taxes/service.ts'
import { type PriceRow, type ProductRow, selectProducts, takeOne } from './repo.ts'

export { copyPrices, selectClustersWithPrices } from './repo.ts'
export type { ProductRow }

/** Tax on a net amount, in minor units; a half rounds up. */
export function taxOn(net: number, vatRate: number): number {
  // Rates have four decimals at most: whole numbers all the way.
  return Math.floor((net * Math.round(vatRate * 10_000) + 5_000) / 10_000)
}

/** Somebody whose tax is to be found, or the rate that was found for them. */
type Viewer = TaxedBuyer | { vatRate: number }

const rateOf = async (db: Handle, viewer: Viewer): Promise<number> =>
  'vatRate' in viewer ? viewer.vatRate : (await taxOf(db, viewer)).vat_rate

export async function listProducts(db: Handle, viewer: Viewer): Promise<Product[]> {
  const [rows, rate] = await Promise.all([selectProducts(db), rateOf(db, viewer)])
  return rows.filter(({ prices }) => prices.length > 0).map((row) => describeProduct(row, rate))
}

/** Plans for game servers, as the price list has them. */
export const listServerProducts = async (db: Handle): Promise<ProductRow[]> =>
  (await selectProducts(db)).filter(({ type }) => type === 'GAME_SERVER')

/** @throws DomainError `product_not_found` */
export async function showProduct(db: Handle, id: string, viewer: Viewer): Promise<Product> {
  const [row, rate] = await Promise.all([requireProduct(db, id), rateOf(db, viewer)])
  return describeProduct(row, rate)
}

/** What vouchers and a coupon make of a price. */
export type PriceChange = {
  /** Net, in minor units; never more than it was. */
  net: (net: number, period: BillingPeriod) => number
  addHours: (period: BillingPeriod) => number
}

/**
 * What a product costs this buyer, for each cluster and period that fits.
 * @throws DomainError `product_not_found`, `product_has_no_price_for_selected_currency`
 */
export async function quoteCosts(
  db: Handle,
  {
    productId,
    buyer,
    currency,
    period,
    clusterId,
    change,
  }: {
    productId: string
    buyer: TaxedBuyer
    currency: Currency
    period?: BillingPeriod | undefined
    clusterId?: string | undefined
    change?: PriceChange | undefined
  },
): Promise<Cost[]> {
  const product = await requireProduct(db, productId)
  const tax = await taxOf(db, buyer) // not side by side: this also runs inside a purchase's transaction
  const inCurrency = product.prices.filter((price) => price.currency === currency)
  if (inCurrency.length === 0)
    throw new DomainError('product_has_no_price_for_selected_currency', { resource: 'billing_product' })
  return inCurrency
    .filter(
      (price) =>
        (period === undefined || price.period === period) &&
        (clusterId === undefined || price.cluster_id === clusterId),
    )
    .map((price) => describeCost(product.id, price, { rate: tax, change }))
}

export type NetPrice = { currency: string; period: BillingPeriod; amount: number }

/** Net prices of a product, on sale or not, for all clusters, currencies and periods. */
export async function listNetPrices(db: Handle, productId: string): Promise<NetPrice[]> {
  const { prices } = await requireProduct(db, productId)
  return prices.map(({ currency, period, amount }) => ({ currency, period: period as BillingPeriod, amount }))
}

/** A product that stands beside a plan, on sale or not. @throws DomainError `product_not_found`, `product_not_available` */
export async function requireAddOn(db: Handle, id: string): Promise<void> {
  const { depends_on_products } = await requireProduct(db, id)
  if (depends_on_products.length === 0) throw new DomainError('product_not_available', { resource: 'billing_product' })
}

/** A product that may be bought now, as a base for a game server. */
export const requireServerProduct = (db: Handle, id: string) => requireOnSale(db, id, 'GAME_SERVER')

/** The same for a website. */
export const requireWebsiteProduct = (db: Handle, id: string) => requireOnSale(db, id, 'CRAFTUM')

async function requireOnSale(db: Handle, id: string, type: Product['type']): Promise<ProductRow> {
  const product = await requireProduct(db, id)
  if (!product.visible || !isOnSale(product) || product.type !== type)
    throw new DomainError('product_not_available', { resource: 'billing_product' })
  return product
}

export const isOnSale = ({ available, availability }: Pick<Product, 'available' | 'availability'>) =>
  available && availability !== 0

/**
 * Takes one of what there is only so much of, in the transaction that sells it and before it is charged.
 * @throws DomainError `product_not_available` where others were faster.
 */
export async function takeFromStock(
  trx: Transaction,
  { id, availability }: Pick<Product, 'id' | 'availability'>,
): Promise<void> {
  if (availability !== null && !(await takeOne(trx, id)))
    throw new DomainError('product_not_available', { resource: 'billing_product' })
}

async function requireProduct(db: Handle, id: string): Promise<ProductRow> {
  const [row] = await selectProducts(db, { id })
  if (row === undefined) throw new DomainError('product_not_found', { resource: 'billing_product' })
  return row
}

function describeCost(
  productId: string,
  price: PriceRow,
  { rate, change }: { rate: Cost['country_tax_rate']; change: PriceChange | undefined },
): Cost {
  const currency = price.currency as Currency
  const full = price.amount
  const net = change === undefined ? full : Math.min(full, change.net(full, price.period as BillingPeriod))
  const { country_code, vat_rate } = rate
  const tax = taxOn(net, vat_rate)
  return {
    product: productId,
    cluster_id: price.cluster_id,
    period: price.period as BillingPeriod,
    currency,
    product_price: { amount: net, currency },
    tax: { amount: tax, currency },
    gross_price: { amount: net + tax, currency },
    country_tax_rate: { country_code, vat_rate },
    full_gross_price: net === full ? null : { amount: full + taxOn(full, vat_rate), currency },
    add_hours: change?.addHours(price.period as BillingPeriod) ?? 0,
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
