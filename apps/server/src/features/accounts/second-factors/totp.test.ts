import { expect, test } from 'vitest'
import { stepAt, stepOfCode, toBase32, totpAddress, totpCode } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  expect(totpCode(secret, stepAt(seconds * 1000))).toBe(code)
})

test('a code is good in its step and the two beside it', () => {
  const step = 40_000_000
  const during = (some: number) => some * 30_000 + 12_345
  const code = totpCode(secret, step)
  expect([-2, -1, 0, 1, 2].map((shift) => stepOfCode(secret, code, during(step + shift)))).toEqual([
    undefined,
    step,
    step,
    step,
    undefined,
  ])
  for (const wrong of ['', '12345', `${code}0`, code.replace(/.$/, (last) => String((Number(last) + 1) % 10))])
    expect(stepOfCode(secret, wrong, during(step))).toBeUndefined()
})

/** RFC 4648, section 10. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of "%s"', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})

test('an address names issuer and account', () => {
  const address = new URL(totpAddress({ secret: 'MZXW6YTB', issuer: 'Night & Day', account: 'zosia@example.test' }))
  expect(decodeURIComponent(address.pathname)).toMatch(/\/?Night & Day:zosia@example\.test$/)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ secret: 'MZXW6YTB', issuer: 'Night & Day' })
})
