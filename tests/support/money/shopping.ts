/**
 * Customers who buy all that is sold, through the front door: each purchase is held against what was said before, the
 * wallet, the transaction and the ledger.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ApiClient } from '@wakestone/contract/client'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import type { GenerateVouchersBody } from '@wakestone/contract/sales/voucher'
import { cookieForYears, signInForYears, type TestApi } from '../api.ts'
import { order } from '../servers.ts'
import { fill, findSale, moveBuyer, soldAddOns } from './sales.ts'

const currencies = ['PLN', 'EUR', 'USD'] as const
type Currency = (typeof currencies)[number]
type Data = GenerateVouchersBody['data']
export type Kind = 'none' | 'price' | 'coupon' | 'hours' | 'both'

export const cheap: Record<Currency, number> = { PLN: 777, EUR: 181, USD: 199 }
const new_cost = currencies.map((currency) => ({ amount: cheap[currency], currency }))
const coupon = { name: 'A third off', expression: 'price * 2 / 3', uses_left: 5 } as Data['coupon']
/** What a code gives that is used in a purchase: a price, hours, and what later renewals cost. */
export const kinds: Record<Kind, (product: string) => Partial<Data> | undefined> = {
  none: () => undefined,
  price: (product) => ({ new_cost, product_id: [product] }),
  coupon: (product) => ({ coupon, product_id: [product] }),
  hours: () => ({ add_hours: 31 }),
  both: (product) => ({ new_cost, add_hours: 7, coupon, product_id: [product] }),
}

export type Combination = {
  product: string
  period: '720h' | '2160h' | '8760h'
  /** A country, or `DE company`. */
  place: string
  currency: Currency
  kind: Kind
}

export type Money = { net: number; vat: number; gross: number }
/** What was paid, in minor units. */
export type Sale = Money & { transactionId: string; country: string; currency: Currency; shopper: Shopper }

export type Shopper = Awaited<ReturnType<typeof createShopper>>

/** Somebody with more money than they can spend. */
export async function createShopper(api: TestApi) {
  const caller = await api.signUp()
  const { user } = caller
  const walletOf = (currency: Currency) => user.wallets.find((one) => one.currency === currency)?.id ?? ''
  for (const currency of currencies) await fill(api.context, walletOf(currency), currency, 2_000_000_000)
  let at = ''
  return {
    user,
    walletOf,
    call: await signInForYears(api, caller),
    cookie: await cookieForYears(api, caller),
    async moveTo(place: string) {
      if (place !== at) await moveBuyer(api.context.db, user.id, place)
      at = place
    },
  }
}

const moneyOf = (cost: {
  product_price: { amount: number }
  tax: { amount: number }
  gross_price: { amount: number }
}): Money => ({ net: cost.product_price.amount, vat: cost.tax.amount, gross: cost.gross_price.amount })

/**
 * Rents, adds all that can be added if wanted, and renews: each is a sale.
 * @param code of a voucher of the combination's kind, if that is one.
 */
export async function sellAll(
  api: TestApi,
  shopper: Shopper,
  { product, period, place, currency, kind }: Combination,
  { code, withAddOns }: { code: string | undefined; withAddOns: boolean },
): Promise<Sale[]> {
  const { call } = shopper
  await shopper.moveTo(place)
  const wallet_id = shopper.walletOf(currency)
  const sales: Sale[] = []
  const sell = async (quoted: Money, buy: () => Promise<string>) => {
    sales.push({ ...(await checkSale(api, shopper, { country: place.slice(0, 2), currency }, quoted, buy)), shopper })
  }

  const [cart] = await call(billings.getProductCost, {
    params: { id: product },
    query: { currency, period, ...(code !== undefined && { vouchers: code }) },
  })
  if (cart === undefined) throw new Error('not for sale')
  if (kind === 'price' || kind === 'both') expect(cart.product_price).toEqual({ amount: cheap[currency], currency })
  let serviceId = ''
  await sell(moneyOf(cart), async () => {
    const body = order(wallet_id, '1.21.4', {
      requested_billing_services: [product],
      billing_period: period,
      currency,
      ...(code !== undefined && { vouchers: [code] }),
    })
    serviceId = (await call(createServer, { body, idempotencyKey: randomUUID() })).service_id
    const shown = await call(billings.getService, { params: { id: serviceId } })
    expect([shown.cost.amount, shown.gross_cost.amount]).toEqual([cart.product_price.amount, cart.gross_price.amount])
    return serviceId
  })
  const params = { id: serviceId }

  if (withAddOns) {
    const { options } = await call(billings.listServiceAddOns, { params })
    const priced = options.filter((one) => one.price_now !== null)
    expect(priced.map((one) => one.product.id).toSorted()).toEqual(
      (await soldAddOns(api.context.db, currency)).toSorted(),
    )
    for (const { product: added } of priced) {
      const { options: now } = await call(billings.listServiceAddOns, { params })
      const gross = now.find((one) => one.product.id === added.id)?.price_now?.amount ?? 0
      const rate = cart.country_tax_rate.vat_rate
      const net = Math.round((gross * 10_000) / (10_000 + Math.round(rate * 10_000)))
      const body = { product_id: added.id, wallet_id }
      await sell({ net, vat: gross - net, gross }, () =>
        call(billings.addServiceAddOn, { params, body }).then(() => serviceId),
      )
    }
  }

  const renewal = (await call(billings.getServiceCost, { params, query: { currency } })).find(
    (one) => one.period === period,
  )
  if (renewal === undefined) throw new Error('no renewal')
  const body = { billing_period: period, wallet_id }
  await sell(moneyOf(renewal), () => call(billings.renewService, { params, body }).then(() => serviceId))
  return sales
}

/** What a purchase took, by its transaction, the wallet and the ledger; `quoted` is what was said before. */
async function checkSale(
  api: TestApi,
  { call, walletOf }: { call: ApiClient; walletOf: (currency: Currency) => string },
  { country, currency }: { country: string; currency: Currency },
  quoted: Money,
  buy: () => Promise<string>,
) {
  const id = await buy()
  const [written] = (await call(billings.listServiceTransactions, { params: { id }, query: { limit: 1 } })).data
  if (written === undefined) throw new Error('nothing was written down')
  expect([written.amount, written.currency, written.country_tax_rate.country_code]).toEqual([
    quoted.gross,
    currency,
    country,
  ])
  expect(written.positions.reduce((sum, { total_price_gross }) => sum + total_price_gross, 0)).toBe(quoted.gross)
  if (quoted.gross > 0) {
    const query = { limit: 1 }
    const [log] = (await call(listWalletLogs, { params: { id: walletOf(currency) }, query })).data
    expect(log?.amount).toEqual({ amount: -quoted.gross, currency })
  }
  expect(await findSale(api.context.database.pool, written.id)).toEqual({ ...quoted, country, currency })
  return { ...quoted, transactionId: written.id, country, currency }
}
