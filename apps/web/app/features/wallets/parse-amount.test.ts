import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAmount } from './parse-amount.ts'

describe('parseAmount', () => {
  it('takes what people write', () => {
    expect(parseAmount('50', 2)).toBe(5000)
    expect(parseAmount(' 1 000,5 ', 2)).toBe(100_050)
    expect(parseAmount('19.99', 2)).toBe(1999)
    expect(parseAmount('7', 0)).toBe(7)
  })

  it('refuses what is no amount, or has more decimals than the currency', () => {
    for (const text of ['', '-5', '1.234', '1,000.00', '5 zł', '1e3', 'NaN', '.5'])
      expect(parseAmount(text, 2)).toBeNull()
    expect(parseAmount('7.5', 0)).toBeNull()
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        (minor) => parseAmount((minor / 100).toFixed(2).replace('.', ','), 2) === minor,
      ),
    )
  })
})
