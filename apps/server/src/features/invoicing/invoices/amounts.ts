/** Amounts of a document: made of what the ledger moved, so that the two always agree. Pure. */
import { money, priceFromGross } from '@wakestone/kit/money'

export type Position = { name: string; quantity: number; tax: number; total_price_gross: number }
export type Line = { position: Position; net: number; vat: number; gross: number }

/** The document would say something else than the ledger. */
export class AmountsDiffer extends Error {}

/**
 * Splits the gross of each position into net and VAT. Their sums are those of the ledger: where a sale of several lines
 * was taxed as one, a minor unit per line may be off, and goes to the largest lines.
 * @param ledger what the sale added to revenue and VAT; below zero when it was given back.
 * @throws AmountsDiffer
 */
export function splitPositions(
  positions: readonly Position[],
  { currency, ...ledger }: { currency: string; revenue: number; vat: number },
): Line[] {
  const gross = positions.reduce((sum, { total_price_gross }) => sum + total_price_gross, 0)
  if (gross !== ledger.revenue + ledger.vat)
    throw new AmountsDiffer(`positions of ${gross}, ${ledger.revenue} + ${ledger.vat} posted`)
  const lines = positions.map((position) => {
    const { net, tax } = priceFromGross(money(position.total_price_gross, currency), position.tax)
    return { position, net: net.amount, vat: tax.amount, gross: position.total_price_gross }
  })
  let left = ledger.vat - lines.reduce((sum, { vat }) => sum + vat, 0)
  // Of one line nothing but the ledger decides; a rounding of ours is at most one unit off.
  if (Math.abs(left) > lines.length)
    throw new AmountsDiffer(`VAT of ${ledger.vat} posted, ${ledger.vat - left} by the lines`)
  const bySize = lines
    .filter(({ position }) => position.tax > 0)
    .toSorted((one, other) => Math.abs(other.gross) - Math.abs(one.gross))
  if (left !== 0 && bySize.length === 0) throw new AmountsDiffer('VAT was posted for what has none')
  for (let index = 0; left !== 0; index = (index + 1) % bySize.length) {
    const line = bySize[index] as Line
    const step = Math.sign(left)
    line.vat += step
    line.net -= step
    left -= step
  }
  return lines
}

/** Sums by rate, highest rate first. */
export function sumByRate(
  lines: readonly { rate: number; net: number; vat: number; gross: number }[],
): { rate: number; net: number; vat: number; gross: number }[] {
  const sums = new Map<number, { rate: number; net: number; vat: number; gross: number }>()
  for (const { rate, net, vat, gross } of lines) {
    const sum = sums.get(rate) ?? { rate, net: 0, vat: 0, gross: 0 }
    sums.set(rate, { rate, net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross })
  }
  return [...sums.values()].toSorted((one, other) => other.rate - one.rate)
}

/** An amount in another currency of two decimals, by a rate in decimal text; a half rounds away from zero. */
export function convert(amount: number, rate: string): number {
  const [whole = '0', decimals = ''] = rate.split('.')
  const scale = 10n ** BigInt(decimals.length)
  const product = BigInt(Math.abs(amount)) * BigInt(whole + decimals)
  const rounded = Number((product * 2n + scale) / (scale * 2n))
  return amount < 0 ? -rounded : rounded
}
