import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  evaluateExpression,
  ExpressionError,
  expressionFaults,
  findExpressionFault,
  priceByExpression,
} from './coupon-expression.ts'

const values = { price: 4499, hours: 720, used: 2 }

test.each([
  ['price', 4499],
  ['price * 80 / 100', 3599],
  ['price - price / 5', 3600],
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['10 - 4 - 3', 3],
  ['100 / 10 / 5', 2],
  ['-7 / 2', -4],
  ['7 / -2', -4],
  ['-7 / -2', 3],
  ['-7 % 3', 2],
  ['- - 5', 5],
  ['max(price - 1000, 0)', 3499],
  ['min(price, 1999, 2500)', 1999],
  ['if(hours >= 2160, price / 2, price)', 4499],
  ['if(used < 3, price / 2, price)', 2249],
  ['if(hours == 720 and used != 0, 1, 2)', 1],
  ['if(hours == 1 or not used, 1, 2)', 2],
  // Only the branch that is taken is worked out.
  ['if(used == 2, 5, 1 / 0)', 5],
])('%s is %i', (text, result) => expect(evaluateExpression(text, values)).toBe(result))

test.each([
  ['', 'unexpected', 0],
  ['price +', 'unexpected', 7],
  ['price price', 'unexpected', 6],
  ['(price', 'unexpected', 6],
  ['price)', 'unexpected', 5],
  ['price; 1', 'unexpected', 5],
  ['1.5', 'unexpected', 1],
  ['Price', 'unexpected', 0],
  ['balance', 'unknown_name', 0],
  ['constructor', 'unknown_name', 0],
  ['eval(1)', 'unknown_name', 0],
  ['min', 'unexpected', 3],
  ['min()', 'unexpected', 4],
  ['if(1, 2)', 'wrong_arguments', 0],
  ['if(1, 2, 3, 4)', 'wrong_arguments', 0],
  ['9999999999999999', 'number_too_large', 0],
  [`${'('.repeat(40)}1${')'.repeat(40)}`, 'too_deep', 33],
  ['-'.repeat(40) + '1', 'too_deep', 33],
  ['1'.padEnd(201, '+1'), 'too_long', 200],
])('%s is refused', (text, fault, at) => {
  const found = findExpressionFault(text)
  expect(found).toMatchObject({ fault, at })
})

test('what has no result leaves the price as it is', () => {
  for (const text of ['price / (used - 2)', 'price % 0', '999999999 * 999999999 * 999999999'])
    expect(priceByExpression(text, values), text).toBe(4499)
  expect(() => evaluateExpression('price / 0', values)).toThrow(ExpressionError)
})

test('a coupon never makes a renewal dearer, nor pays for one', () => {
  expect(priceByExpression('price + 1', values)).toBe(4499)
  expect(priceByExpression('price - 100000', values)).toBe(0)
})

/** Expressions beside their results by JavaScript’s own arithmetic. */
type Sample = { text: string; result: bigint }
const down = (left: bigint, right: bigint) => {
  const rest = ((left % right) + right) % right
  return (left - rest) / right
}
const { expression } = fc.letrec<{ expression: Sample }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    fc.nat(5000).map((value) => ({ text: String(value), result: BigInt(value) })),
    fc.constantFrom<Sample>(...Object.entries(values).map(([text, value]) => ({ text, result: BigInt(value) }))),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression'))
      .map(([left, operator, right]): Sample => {
        const text = `(${left.text} ${operator}${right.text})`
        if (operator === '+') return { text, result: left.result + right.result }
        return { text, result: operator === '-' ? left.result - right.result : left.result * right.result }
      }),
    fc
      .tuple(tie('expression'), fc.integer({ min: 1, max: 999 }))
      .map(([left, right]): Sample => ({ text: `(${left.text}/${right})`, result: down(left.result, BigInt(right)) })),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]): Sample => ({
      text: `min(${left.text},${right.text})`,
      result: left.result < right.result ? left.result : right.result,
    })),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([when, then, otherwise]): Sample => ({
      text: `if(${when.text} > ${then.text}, ${then.text}, ${otherwise.text})`,
      result: when.result > then.result ? then.result : otherwise.result,
    })),
  ),
}))

describe('whatever is written', () => {
  test('is worked out as arithmetic says, or refused for its size', () => {
    fc.assert(
      fc.property(expression, ({ text, result }) => {
        try {
          expect(evaluateExpression(text, values)).toBe(Number(result))
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error
          expect(['too_long', 'too_deep', 'number_too_large']).toContain(error.fault)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('gives a price between nothing and the full one, or a fault with its place', () => {
    const words = 'price hours used min max if not and or ( ) , + - * / % < <= == != 0 1 100 999999999999999 = ! $ ż'
    const piece = fc.constantFrom(...words.split(' '), ' ', '\n', '\u0000')
    const text = fc.oneof(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      fc.string(),
    )
    const given = fc.record({ price: fc.nat(), hours: fc.nat(10_000), used: fc.nat(1000) })
    fc.assert(
      fc.property(text, given, (written, these) => {
        const fault = findExpressionFault(written)
        if (fault !== null) {
          expect(expressionFaults).toContain(fault.fault)
          expect(fault.at).toBeLessThanOrEqual(written.length)
        }
        const price = priceByExpression(written, these)
        expect(Number.isSafeInteger(price)).toBe(true)
        expect(price).toBeGreaterThanOrEqual(0)
        expect(price).toBeLessThanOrEqual(these.price)
      }),
      { numRuns: 2000 },
    )
  })
})
