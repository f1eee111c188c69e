import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMoney,
  compareMoney,
  exponentOf,
  formatMoney,
  type Money,
  money,
  MoneyError,
  multiplyMoney,
  negateMoney,
  parseMoney,
  priceFromGross,
  priceFromNet,
  roundToCash,
  splitMoney,
  subtractMoney,
  toDecimal,
} from './money.ts'

const pln = (amount: number) => money(amount, 'PLN')
const amounts = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
const currencies = fc.constantFrom('PLN', 'EUR', 'USD', 'JPY', 'KRW', 'BHD', 'KWD', 'BTC', 'CHF')
const rates = fc.integer({ min: 0, max: 9999 }).map((rate) => rate / 10_000)

test('currencies have their decimals', () => {
  expect(['PLN', 'JPY', 'KRW', 'BHD', 'KWD', 'BTC', 'CHF', 'XYZ'].map(exponentOf)).toEqual([2, 0, 0, 3, 3, 8, 2, 2])
})

test('what is no amount throws', () => {
  for (const amount of [0.5, NaN, Infinity, 2 ** 53, -(2 ** 53)]) expect(() => money(amount, 'PLN')).toThrow(MoneyError)
  for (const currency of ['', 'pln', 'PLNX', '__proto__']) expect(() => money(1, currency)).toThrow(MoneyError)
  expect(() => addMoney(pln(Number.MAX_SAFE_INTEGER), pln(1))).toThrow(MoneyError)
  expect(() => multiplyMoney(pln(Number.MAX_SAFE_INTEGER), { numerator: 2, rounding: 'up' })).toThrow(MoneyError)
  expect(Object.is(negateMoney(pln(0)).amount, 0)).toBe(true)
})

test('currencies do not mix', () => {
  for (const operation of [addMoney, subtractMoney, compareMoney]) {
    expect(() => operation(pln(1), money(1, 'EUR'))).toThrow(MoneyError)
  }
})

test('adding and subtracting undo each other', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      expect(subtractMoney(addMoney(pln(a), pln(b)), pln(b))).toEqual(pln(a))
      expect(addMoney(pln(a), negateMoney(pln(a)))).toEqual(pln(0))
      expect(Math.sign(compareMoney(pln(a), pln(b)))).toBe(Math.sign(a - b))
    }),
  )
})

describe('multiplying', () => {
  test('rounds as told, once, by the digits of the ratio', () => {
    const times = (amount: number, numerator: number, rounding: 'up' | 'down' | 'half-even', denominator = 1) =>
      multiplyMoney(pln(amount), { numerator, denominator, rounding }).amount
    expect([times(5, 0.5, 'half-even'), times(15, 0.5, 'half-even'), times(25, 0.1, 'half-even')]).toEqual([2, 8, 2])
    expect([times(10, 1, 'up', 3), times(10, 1, 'down', 3), times(-10, 1, 'up', 3), times(-10, 1, 'down', 3)]).toEqual([
      4, 3, -3, -4,
    ])
    expect(times(100, 1.1, 'up')).toBe(110) // 1.1 is 11/10; in binary it is more
    expect(times(1_000_000, 1e-7, 'half-even')).toBe(0)
    expect(() => times(1, 1, 'up', 0)).toThrow(MoneyError)
    expect(() => times(1, NaN, 'up')).toThrow(MoneyError)
  })

  test('is within one minor unit of the exact product, on the stated side', () => {
    // The largest product is still one that a number holds exactly; beyond that it is refused, as tested above.
    const whole = fc.integer({ min: 1, max: 9_000 })
    fc.assert(
      fc.property(amounts, whole, whole, (amount, numerator, denominator) => {
        const exact = BigInt(amount) * BigInt(numerator)
        const scaled = (rounding: 'up' | 'down' | 'half-even') =>
          BigInt(multiplyMoney(pln(amount), { numerator, denominator, rounding }).amount) * BigInt(denominator)
        const over = scaled('up') - exact
        const under = exact - scaled('down')
        expect(over >= 0n && over < denominator).toBe(true)
        expect(under >= 0n && under < denominator).toBe(true)
        const off = scaled('half-even') - exact
        expect((off < 0n ? -off : off) * 2n <= denominator).toBe(true)
      }),
    )
  })
})

test('a split loses nothing and is within one unit of each exact share', () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 })
    .filter((all) => all.some(Boolean))
  fc.assert(
    fc.property(amounts, weights, (amount, shares) => {
      const parts = splitMoney(pln(amount), shares)
      expect(parts.reduce(addMoney)).toEqual(pln(amount))
      const total = BigInt(shares.reduce((sum, share) => sum + share))
      for (const [index, part] of parts.entries()) {
        const off = BigInt(part.amount) * total - BigInt(amount) * BigInt(shares[index] as number)
        expect((off < 0n ? -off : off) < total).toBe(true)
      }
    }),
  )
  expect(splitMoney(pln(100), [1, 1, 1]).map(({ amount }) => amount)).toEqual([34, 33, 33])
  expect(splitMoney(pln(-100), [1, 1, 1]).map(({ amount }) => amount)).toEqual([-34, -33, -33])
  expect(splitMoney(pln(10), [0.1, 0.25]).map(({ amount }) => amount)).toEqual([3, 7])
  for (const bad of [[], [0, 0], [1, -1], [NaN]]) expect(() => splitMoney(pln(1), bad)).toThrow(MoneyError)
})

describe('text', () => {
  test('what was written is read again, in every currency', () => {
    fc.assert(
      fc.property(amounts, currencies, (amount, currency) => {
        const value: Money = money(amount, currency)
        expect(parseMoney(toDecimal(value), currency)).toEqual(value)
      }),
    )
  })

  test('people’s ways of writing are read; more decimals than the currency has are an error', () => {
    expect(
      ['50', '49,99', '49.9', ' 1 234.50 ', '-3.5', '1\u00a0000'].map((text) => parseMoney(text, 'PLN').amount),
    ).toEqual([5000, 4999, 4990, 123_450, -350, 100_000])
    expect(parseMoney('1.234', 'BHD').amount).toBe(1234)
    expect(parseMoney('0.00000001', 'BTC').amount).toBe(1)
    for (const [text, currency] of [
      ['1.001', 'PLN'],
      ['1.0', 'JPY'],
      ['1.2345', 'KWD'],
      ['', 'PLN'],
      ['1e3', 'PLN'],
      ['1,234.50', 'PLN'],
      ['12 34', 'PLN'],
      ['.5', 'PLN'],
      ['99999999999999999', 'PLN'],
    ] as const) {
      expect(() => parseMoney(text, currency)).toThrow(MoneyError)
    }
  })

  test('people read it in their language', () => {
    const plain = (text: string) => text.replace(/\s/g, ' ')
    expect(plain(formatMoney(pln(123_450), 'pl'))).toBe('1234,50 zł')
    expect(plain(formatMoney(money(123_450, 'EUR'), 'de'))).toBe('1.234,50 €')
    expect(formatMoney(money(-500, 'USD'), 'en')).toBe('-$5.00')
    expect(formatMoney(money(500, 'JPY'), 'en')).toBe('¥500')
  })
})

test('francs are paid in steps of 0.05', () => {
  const francs = (amount: number) => roundToCash(money(amount, 'CHF')).amount
  expect([1, 2, 3, 102, 103, 107, 108, -3].map(francs)).toEqual([0, 0, 5, 100, 105, 105, 110, -5])
  expect(roundToCash(pln(103))).toEqual(pln(103))
})

test('net and tax always sum to the gross, from either end', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const up = priceFromNet(pln(amount), rate)
      expect(addMoney(up.net, up.tax)).toEqual(up.gross)
      const down = priceFromGross(pln(amount), rate)
      expect(addMoney(down.net, down.tax)).toEqual(pln(amount))
      expect(Math.abs(priceFromGross(up.gross, rate).net.amount - amount)).toBeLessThanOrEqual(1)
    }),
  )
  expect(priceFromNet(pln(1499), 0.23)).toEqual({ net: pln(1499), tax: pln(345), gross: pln(1844) })
  expect(priceFromGross(pln(1844), 0.23)).toEqual({ net: pln(1499), tax: pln(345), gross: pln(1844) })
})
