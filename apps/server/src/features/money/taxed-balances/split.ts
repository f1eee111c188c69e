/** Which part of a wallet's balance is spent, and which part of a sale is therefore still to be taxed. Pure. */

/** Of a taxed top-up what is left in the wallet, in minor units; oldest first in a list. */
export type TaxedTopUp = { id: string; depositId: string; left_money: number; left_credit: number }
/** What is taken of one of them. */
export type Piece = { topUpId: string; isCredit: boolean; amount: number }

/** Money, and credit that is never paid out. */
type Sum = { money: number; credit: number }
type Kind = keyof Sum

const leftOf = (topUp: TaxedTopUp, kind: Kind) => (kind === 'money' ? topUp.left_money : topUp.left_credit)
export const sumOf = (pieces: readonly { amount: number }[]) => pieces.reduce((sum, { amount }) => sum + amount, 0)

function take(topUps: readonly TaxedTopUp[], kind: Kind, amount: number): Piece[] {
  const pieces: Piece[] = []
  let open = amount
  for (const topUp of topUps) {
    const taken = Math.min(open, leftOf(topUp, kind))
    if (taken > 0) pieces.push({ topUpId: topUp.id, isCredit: kind === 'credit', amount: taken })
    open -= taken
  }
  return pieces
}

/** What a purchase takes of taxed top-ups: of them first, the oldest first, so that as little as can be is taxed now. */
export const piecesSpent = (topUps: readonly TaxedTopUp[], spent: Sum): Piece[] => [
  ...take(topUps, 'credit', spent.credit),
  ...take(topUps, 'money', spent.money),
]

/**
 * What is taken of taxed top-ups where nothing is sold: the top-up that goes back first, then what was never taxed, and
 * then the latest.
 */
export function piecesRemoved(
  topUps: readonly TaxedTopUp[],
  { removed, untaxed, depositId }: { removed: Sum; untaxed: Sum; depositId?: string | undefined },
): Piece[] {
  return (['money', 'credit'] as const).flatMap((kind) => {
    const own = take(
      topUps.filter((topUp) => topUp.depositId === depositId),
      kind,
      removed[kind],
    )
    const open = Math.max(0, removed[kind] - sumOf(own) - untaxed[kind])
    const others = topUps.filter((topUp) => topUp.depositId !== depositId).toReversed()
    return [...own, ...take(others, kind, open)]
  })
}

type Line = { total_price_gross: number }

/**
 * The lines of a sale by as much of it as is still to be taxed: each by its share, whole minor units, the sum exact.
 * @param rest not more than the sum of the lines; both below zero where a sale is given back.
 */
export function scaleLines<T extends Line>(lines: readonly T[], rest: number): T[] {
  const whole = lines.reduce((sum, { total_price_gross }) => sum + total_price_gross, 0)
  if (whole === rest || whole === 0) return [...lines]
  const scaled = lines.map((line) => {
    const product = BigInt(Math.abs(line.total_price_gross)) * BigInt(Math.abs(rest))
    return { line, down: Number(product / BigInt(Math.abs(whole))), remainder: product % BigInt(Math.abs(whole)) }
  })
  let open = Math.abs(rest) - scaled.reduce((sum, { down }) => sum + down, 0)
  for (const one of scaled.toSorted((left, right) => (left.remainder < right.remainder ? 1 : -1))) {
    if (open === 0) break
    one.down += 1
    open -= 1
  }
  const sign = Math.sign(rest)
  return scaled.filter(({ down }) => down > 0).map(({ line, down }) => ({ ...line, total_price_gross: sign * down }))
}
