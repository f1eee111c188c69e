/** What is sold in a history, at prices that change meanwhile, to buyers of several countries. */
import type pg from 'pg'
import type { Random } from '../random.ts'
import { type Currency, grossOf, monthly, netFor, type Period, periods, type Place } from './rules.ts'

export type Shop = ReturnType<typeof openShop>

export function openShop(client: Pick<pg.Pool, 'query'>) {
  const prices = structuredClone(monthly)
  /** The most that anything of that name ever cost, which is what was paid for some of the time that is left. */
  const highest = structuredClone(monthly)
  const baseOf = (table: typeof prices, product: string, currency: Currency): bigint => {
    const base = table[product]?.[currency]
    if (base === undefined) throw new Error(`no price of ${product} in ${currency}`)
    return base
  }
  return {
    /** What a buyer pays for one period now; `off` is taken off its net price first. */
    priceOf: (product: string, period: Period, currency: Currency, buyer: { place: Place; off?: number }): number =>
      grossOf(netFor(baseOf(prices, product, currency), period), buyer),
    /** Per 720 h, where tax is highest. */
    mostOf: (product: string, currency: Currency): number =>
      grossOf(baseOf(highest, product, currency), { place: 'PL' }),
    /** One price becomes another, for all periods. @returns what it is then. */
    async changePrice(random: Random): Promise<string> {
      const product = random.pick(Object.keys(prices))
      const currency = random.pick(Object.keys(prices[product] ?? {}) as Currency[])
      const first = baseOf(monthly, product, currency)
      const base = (first * BigInt(70 + random.below(80))) / 100n
      for (const period of periods) {
        await client.query('update prices set amount = $1 where product_id = $2 and currency = $3 and period = $4', [
          netFor(base, period).toString(),
          product,
          currency,
          period,
        ])
      }
      Object.assign(prices[product] ?? {}, { [currency]: base })
      if (base > baseOf(highest, product, currency)) Object.assign(highest[product] ?? {}, { [currency]: base })
      return `${product} for ${base} ${currency}`
    },
  }
}
