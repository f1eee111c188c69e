/**
 * Amounts of money: whole numbers of a currency's minor unit, never fractions. Safe in a browser.
 */

/** `amount` in minor units of `currency` (grosz, cent); of currencies without minor units, in whole ones. */
export type Money = { readonly amount: number; readonly currency: string }

/**
 * Where a fraction of a minor unit goes: `up` to the greater amount (charges), `down` to the lesser (credits),
 * `half-even` to the nearest, a half to the even one (tax).
 */
export type Rounding = 'up' | 'down' | 'half-even'

/** A mistake in dealing with money: mixed currencies, fractions, amounts that a number cannot hold exactly. */
export class MoneyError extends Error {}

/** Decimal digits of currencies that do not have two; ISO 4217, and Bitcoin. */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
  BTC: 8,
}
/** Smallest amount that can be paid in cash, in minor units, where that is more than one. */
const cashSteps: Readonly<Record<string, number>> = { CHF: 5 }

/** How many decimal digits amounts of a currency have. */
export function exponentOf(currency: string): number {
  return Object.hasOwn(exponents, currency) ? (exponents[currency] as number) : 2
}

/** @throws MoneyError unless the amount is a whole number that is held exactly and the currency three letters. */
export function money(amount: number, currency: string): Money {
  if (!Number.isSafeInteger(amount)) throw new MoneyError(`${amount} is no whole number of minor units`)
  if (!/^[A-Z]{3}$/.test(currency)) throw new MoneyError(`${JSON.stringify(currency)} is no currency`)
  return { amount: amount + 0, currency } // no negative zero
}

function requireSame(left: Money, right: Money): void {
  if (left.currency !== right.currency) throw new MoneyError(`${left.currency} and ${right.currency} do not mix`)
}

export function addMoney(left: Money, right: Money): Money {
  requireSame(left, right)
  return money(left.amount + right.amount, left.currency)
}

export function subtractMoney(left: Money, right: Money): Money {
  requireSame(left, right)
  return money(left.amount - right.amount, left.currency)
}

export function negateMoney({ amount, currency }: Money): Money {
  return money(0 - amount, currency)
}

/** Negative, zero or positive, for sorting. */
export function compareMoney(left: Money, right: Money): number {
  requireSame(left, right)
  return left.amount - right.amount
}

/** `numerator / denominator` as a whole number; exact, whatever the sizes. */
function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  if (denominator < 0n) return divide(-numerator, -denominator, rounding)
  const truncated = numerator / denominator
  const remainder = numerator % denominator
  const floor = remainder < 0n ? truncated - 1n : truncated
  const rest = numerator - floor * denominator // 0 ≤ rest < denominator
  if (rest === 0n || rounding === 'down') return floor
  if (rounding === 'up') return floor + 1n
  const twice = rest * 2n
  if (twice === denominator) return floor % 2n === 0n ? floor : floor + 1n
  return twice > denominator ? floor + 1n : floor
}

/** A decimal number as a ratio of whole numbers, by its digits: 0.23 is 23/100 and nothing else. */
function ratioOf(value: number): { numerator: bigint; denominator: bigint } {
  if (!Number.isFinite(value)) throw new MoneyError(`${value} is no ratio`)
  const [, sign, whole, decimals = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
    String(value),
  ) as RegExpExecArray as unknown as string[]
  const shift = Number(power) - decimals.length
  const digits = BigInt(`${sign}${whole}${decimals}`)
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) }
}

/**
 * Multiplies by `numerator / denominator` exactly and rounds once, as told.
 * Either may be a decimal number (a rate of 0.23): its decimal digits count, not its binary form.
 */
export function multiplyMoney(
  { amount, currency }: Money,
  by: { numerator: number; denominator?: number; rounding: Rounding },
): Money {
  const over = ratioOf(by.numerator)
  const under = ratioOf(by.denominator ?? 1)
  if (under.numerator === 0n) throw new MoneyError('division by zero')
  const result = divide(
    BigInt(amount) * over.numerator * under.denominator,
    over.denominator * under.numerator,
    by.rounding,
  )
  return money(Number(result), currency)
}

/**
 * Splits without loss: the parts sum to the whole, each within one minor unit of its exact share; what is left after
 * rounding goes to the largest remainders, the earlier one first.
 * @param weights at least one above zero, none below.
 */
export function splitMoney({ amount, currency }: Money, weights: readonly number[]): Money[] {
  if (weights.some((weight) => !(weight >= 0))) throw new MoneyError('a weight is not below zero')
  const ratios = weights.map(ratioOf)
  const common = ratios.reduce((most, { denominator }) => (denominator > most ? denominator : most), 1n) // powers of ten
  const shares = ratios.map(({ numerator, denominator }) => numerator * (common / denominator))
  const total = shares.reduce((sum, share) => sum + share, 0n)
  if (total === 0n) throw new MoneyError('a weight is above zero')
  const sign = amount < 0 ? -1n : 1n
  const whole = BigInt(amount) * sign
  const parts = shares.map((share, index) => ({
    index,
    size: (whole * share) / total,
    remainder: (whole * share) % total,
  }))
  let left = whole - parts.reduce((sum, part) => sum + part.size, 0n)
  for (const part of parts.toSorted((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )) {
    if (left === 0n) break
    part.size += 1n
    left -= 1n
  }
  return parts.map((part) => money(Number(part.size * sign), currency))
}

/** Rounds to what can be paid in cash: Swiss francs to 0.05. */
export function roundToCash(value: Money, rounding: Rounding = 'half-even'): Money {
  const step = cashSteps[value.currency]
  if (step === undefined) return value
  return money(Number(divide(BigInt(value.amount), BigInt(step), rounding)) * step, value.currency)
}

/**
 * Reads a decimal amount as a person types it: `50`, `49,99`, `-3.5`, `1 234.50`.
 * @throws MoneyError for anything else, and for more decimals than the currency has.
 */
export function parseMoney(text: string, currency: string): Money {
  const match = /^(-?)(\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:[.,](\d+))?$/.exec(text.trim())
  if (match === null) throw new MoneyError(`${JSON.stringify(text)} is no amount`)
  const [, sign = '', whole = '', decimals = ''] = match
  const exponent = exponentOf(currency)
  if (decimals.length > exponent) throw new MoneyError(`${currency} has ${exponent} decimals`)
  return money(Number(`${sign}${whole.replace(/\D/g, '')}${decimals.padEnd(exponent, '0')}`), currency)
}

/** The amount as plain decimal text, for machines: `49.99`. People get `formatMoney`. */
export function toDecimal({ amount, currency }: Money): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0')
  const text = exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
  return amount < 0 ? `-${text}` : text
}

/** The amount as a person of this language reads it, with the currency's sign. */
export function formatMoney(value: Money, language: string): string {
  const format = formatOf(value.currency, language)
  return format.format(toDecimal(value) as unknown as number) // exact: formatted from its digits
}

/** Made once for each pair: making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.NumberFormat>()
function formatOf(currency: string, language: string): Intl.NumberFormat {
  const name = `${language} ${currency}`
  const digits = exponentOf(currency)
  const format =
    formats.get(name) ??
    new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  formats.set(name, format)
  return format
}

export type Price = { net: Money; tax: Money; gross: Money }

/** Price with tax from the net amount; tax is rounded half to even, once. */
export function priceFromNet(net: Money, vatRate: number): Price {
  const tax = multiplyMoney(net, { numerator: vatRate, rounding: 'half-even' })
  return { net, tax, gross: addMoney(net, tax) }
}

/** The net amount and the tax that a gross amount contains; net and tax always sum to the gross. */
export function priceFromGross(gross: Money, vatRate: number): Price {
  const { numerator, denominator } = ratioOf(vatRate)
  const tax = money(
    Number(divide(BigInt(gross.amount) * numerator, denominator + numerator, 'half-even')),
    gross.currency,
  )
  return { net: subtractMoney(gross, tax), tax, gross }
}
