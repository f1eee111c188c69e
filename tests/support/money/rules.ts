/**
 * What things cost and when money moves, written from the rules of the product and not from its code: the model asks
 * here, the product is asked over HTTP, and the two must agree to the minor unit.
 */

export type Currency = 'PLN' | 'EUR' | 'USD'
export type Period = '720h' | '2160h' | '8760h'
export const periods: readonly Period[] = ['720h', '2160h', '8760h']

export const hour = 3_600_000
export const day = 24 * hour
export const lengthOf = (period: Period) => Number.parseInt(period, 10) * hour

/** Net, for 720 h, in minor units. */
export const monthly: Record<string, Partial<Record<Currency, bigint>>> = {
  GRASS: { PLN: 1499n, EUR: 349n, USD: 379n },
  AMETHYST: { PLN: 4499n, EUR: 1049n, USD: 1149n },
  EXTRA_MEMORY_2G: { PLN: 900n, EUR: 209n, USD: 229n },
  EXTRA_MEMORY_4G: { PLN: 1700n, EUR: 399n, USD: 429n },
  EXTRA_STORAGE_10G: { PLN: 500n, EUR: 119n, USD: 129n },
  EXTRA_STORAGE_30G: { PLN: 1200n, EUR: 279n, USD: 299n },
  BASIC_MAPVIEW: { PLN: 400n },
  BACKUP_PLUS: { PLN: 600n },
  BACKUP_PRO: { PLN: 1500n },
}
/** A longer period costs so much of the shortest one's price per hour, in per cent. */
const share: Record<Period, bigint> = { '720h': 100n, '2160h': 95n, '8760h': 85n }

/** Where a buyer lives, and as what. */
export const places = ['PL', 'DE', 'CZ', 'US', 'DE company'] as const
export type Place = (typeof places)[number]
/**
 * What they pay of VAT, in per cent, to a seller in Poland: the rate of their country; nothing outside the EU, and
 * nothing as a company elsewhere in the EU whose VAT id is valid.
 */
const vat: Record<Place, bigint> = { PL: 23n, DE: 19n, CZ: 21n, US: 0n, 'DE company': 0n }

/** Invoice data alone lead nobody out of the EU who has registered there: then they pay as where they registered. */
export const taxedAt = (told: Place, registered: Place): Place =>
  vat[told] === 0n && !told.endsWith('company') && registered !== told ? registered : told

/** A half rounds up. */
const divide = (amount: bigint, by: bigint) => (2n * amount + by) / (2n * by)

/** A period's net price, by that of the shortest one. */
export const netFor = (base: bigint, period: Period): bigint =>
  divide(base * BigInt(Number.parseInt(period, 10)) * share[period], 720n * 100n)

export const withTax = (net: bigint, place: Place = 'PL'): bigint => net + divide(net * vat[place], 100n)

/** `off` is taken off the net price first. */
export function grossOf(net: bigint, { place, off = 0 }: { place: Place; off?: number }): number {
  const left = net - BigInt(off)
  return Number(withTax(left < 0n ? 0n : left, place))
}

/** What a private customer in Poland pays for one period at the prices of the beginning. */
export function priceOf(product: string, period: Period, currency: Currency, off = 0): number {
  const base = monthly[product]?.[currency]
  if (base === undefined) throw new Error(`no price of ${product} in ${currency}`)
  return grossOf(netFor(base, period), { place: 'PL', off })
}

/** Less is no payment. */
export const leastPayment = (currency: Currency) => (currency === 'PLN' ? 500 : 100)
/** Of each top-up of those whom an affiliate has brought, in per cent; for so many days it is held. */
export const commission = { percent: 10, heldDays: 30 }
export const commissionOf = (amount: number) => Math.floor((amount * commission.percent) / 100)
/** Of what was paid in within a year, in per cent, and at most; after two payments, on accounts of some days. */
export const payLater = { percent: 50, most: 10_000, days: 14, payments: 2, accountDays: 3 }
/** For whoever brought somebody, on that somebody's first payment. */
export const hoursForPayment = 72
