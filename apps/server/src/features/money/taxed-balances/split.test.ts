/** Which part of a balance is spent or leaves, for any wallet: nothing is lost, and the order is kept. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesRemoved, piecesSpent, scaleLines, sumOf, type TaxedTopUp } from './split.ts'

const amount = fc.integer({ min: 0, max: 5000 })
const topUps = fc
  .array(fc.record({ left_money: amount, left_credit: amount }), { maxLength: 4 })
  .map((rows) => rows.map((row, index): TaxedTopUp => ({ ...row, id: `t${index}`, depositId: `d${index}` })))
const total = (rows: readonly TaxedTopUp[], kind: 'left_money' | 'left_credit') =>
  rows.reduce((sum, row) => sum + row[kind], 0)

test('a purchase takes taxed balance first, the oldest first, and never more than there is', () => {
  fc.assert(
    fc.property(topUps, amount, amount, (rows, money, credit) => {
      const pieces = piecesSpent(rows, { money, credit })
      expect(sumOf(pieces.filter(({ isCredit }) => !isCredit))).toBe(Math.min(money, total(rows, 'left_money')))
      expect(sumOf(pieces.filter(({ isCredit }) => isCredit))).toBe(Math.min(credit, total(rows, 'left_credit')))
      for (const { topUpId, isCredit, amount: taken } of pieces)
        expect(taken).toBeLessThanOrEqual(
          rows.find(({ id }) => id === topUpId)?.[isCredit ? 'left_credit' : 'left_money'] ?? 0,
        )
    }),
  )
})

test('what leaves without a sale is the top-up itself, then what was not taxed, then the latest', () => {
  fc.assert(
    fc.property(topUps, amount, amount, (rows, untaxed, part) => {
      const money = Math.min(part, total(rows, 'left_money') + untaxed)
      const [own] = rows
      const pieces = piecesRemoved(rows, {
        removed: { money, credit: 0 },
        untaxed: { money: untaxed, credit: 0 },
        depositId: own?.depositId,
      })
      const ofOwn = Math.min(money, own?.left_money ?? 0)
      expect(sumOf(pieces.filter(({ topUpId }) => topUpId === own?.id))).toBe(ofOwn)
      expect(sumOf(pieces)).toBe(ofOwn + Math.max(0, money - ofOwn - untaxed))
    }),
  )
})

test('lines are scaled to the minor unit', () => {
  const lines = fc.array(fc.record({ total_price_gross: amount, name: fc.string() }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lines, fc.integer({ min: 0, max: 25_000 }), fc.constantFrom(1, -1), (rows, part, sign) => {
      const signed = rows.map((row) => ({ ...row, total_price_gross: sign * row.total_price_gross }))
      const whole = rows.reduce((sum, row) => sum + row.total_price_gross, 0)
      const rest = Math.min(part, whole)
      const scaled = scaleLines(signed, sign * rest)
      expect(scaled.reduce((sum, row) => sum + row.total_price_gross, 0) + 0).toBe(sign * rest + 0)
      for (const { total_price_gross } of scaled) expect(sign * total_price_gross).toBeGreaterThanOrEqual(0)
    }),
  )
})
