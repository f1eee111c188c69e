import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BillingPeriod, billingPeriods, hoursOfPeriod } from '@wakestone/contract/primitives'
import {
  type Payment,
  type Plan,
  type Span,
  changePeriod,
  changePlan,
  giveUp,
  heldWithoutGaps,
  paidLeft,
  priceOfTime,
  takeOut,
  within,
  worthOf,
} from './value.ts'
import { taxWithin } from '#src/features/money/taxes/tax-within.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
const paid = (amount: number, transaction = 't0'): Payment => ({ transaction, amount, vatRate: 0.23, country: 'PL' })
/** Plans are ordered as the alphabet is. */
const planOf = (product: string, month: number): Plan => ({
  product,
  above: ['1', '2', 'A', 'B', 'C'].filter((other) => other < product),
  price: (period) => Math.ceil((month * hoursOfPeriod(period)) / 720),
})

/** Rentals of one plan: spans one after the other, each bought for money, partly for money, or for nothing. */
const rental = fc
  .record({
    month: fc.integer({ min: 1, max: 20_000 }),
    spans: fc.array(fc.record({ period: fc.constantFrom(...billingPeriods), paidShare: fc.constantFrom(0, 0.5, 1) }), {
      minLength: 1,
      maxLength: 3,
    }),
    usedShare: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
  .map(({ month, spans, usedShare }) => {
    const plan = planOf('A', month)
    let from = start
    const bought = spans.map(({ period, paidShare }, index): Span => {
      const until = from + hoursOfPeriod(period) * hour
      const worth = plan.price(period)
      const payments = paidShare === 0 ? [] : [paid(Math.floor(worth * paidShare), `t${index}`)]
      const span = { from, until, period, currency: 'PLN', worth, vatRate: 0.23, known: {}, payments }
      from = until
      return span
    })
    const now = start + Math.floor((from - start) * usedShare)
    const price = plan.price('720h')
    return {
      plan,
      now,
      end: from,
      bought,
      held: heldWithoutGaps(bought, { now, end: from, period: '720h', currency: 'PLN', vatRate: 0.23, price }),
    }
  })
const month = fc.integer({ min: 0, max: 60_000 })
const move = (spans: Span[], from: Plan, to: Plan) => {
  // The catalogue says which way leads up; here the dearer one is above.
  const direction = to.price('8760h') >= from.price('8760h') ? ('up' as const) : ('down' as const)
  const change = changePlan(spans, { from: from.product, to, direction })
  return { ...change, net: change.charge - change.credit, spans: change.spansAfter(paid(0, `to-${to.product}`)) }
}

describe('a change for the hours left', () => {
  test('in two steps costs what it costs in one, at one instant', () => {
    fc.assert(
      fc.property(rental, month, month, ({ plan, held }, b, c) => {
        fc.pre(b >= plan.price('720h') && c >= b) // up and up
        const first = move(held, plan, planOf('B', b))
        const second = move(first.spans, planOf('B', b), planOf('C', c))
        expect(first.net + second.net).toBe(move(held, plan, planOf('C', c)).net)
      }),
    )
    fc.assert(
      fc.property(rental, month, month, ({ plan, held }, b, c) => {
        const up = planOf('B', plan.price('720h') + b)
        const down = planOf('1', Math.min(c, plan.price('720h')))
        const first = move(held, plan, up)
        const second = move(first.spans, up, down)
        const direct = move(held, plan, down).net
        expect(first.net + second.net).toBeGreaterThanOrEqual(direct)
        // A smaller plan that is worth more than what is held, after prices rose, is not charged for by going down.
        const costs = ({ period, from, until }: Span) => priceOfTime(down.price(period), period, until - from)
        if (held.every((span) => span.worth >= costs(span))) expect(first.net + second.net).toBe(direct)
      }),
    )
  })

  const listed = fc.array(fc.record({ product: fc.constantFrom('A', 'B', 'C', '1', '2'), month }), {
    minLength: 1,
    maxLength: 8,
  })
  test('and back never yields money, by whatever way and whatever became of prices', () => {
    fc.assert(
      fc.property(rental, listed, month, ({ plan, held }, steps, last) => {
        let spans = held
        let present = plan
        let net = 0
        for (const step of [...steps, { product: 'A', month: last }]) {
          if (step.product === present.product) continue
          const to = planOf(step.product, step.month)
          // The catalogue says which of two is the greater plan, whatever they cost by now: here the alphabet does.
          const direction = to.product > present.product ? 'up' : 'down'
          const change = changePlan(spans, { from: present.product, to, direction })
          spans = change.spansAfter(paid(0, 'step'))
          net += change.charge - change.credit
          present = to
        }
        expect(net).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('up, and down again after a while, time and again, never yields money', () => {
    const rounds = fc.array(fc.record({ up: month, home: month, wait: fc.double({ min: 0, max: 0.5, noNaN: true }) }), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(rental, rounds, ({ plan, now, end, held }, given) => {
        let spans = held
        let at = now
        let net = 0
        for (const { up, home, wait } of given) {
          const change = changePlan(spans, { from: 'A', to: planOf('B', up), direction: 'up' })
          at += Math.floor((end - at) * wait)
          const later = {
            now: at,
            end,
            period: '720h' as const,
            currency: 'PLN',
            vatRate: 0.23,
            price: plan.price('720h'),
          }
          spans = heldWithoutGaps(change.spansAfter(paid(0, 'up')), later)
          const back = changePlan(spans, { from: 'B', to: planOf('A', home), direction: 'down' })
          spans = back.spansAfter(paid(0))
          net += change.charge - back.credit
          expect(net).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('never gives back more than was paid and is not used up; what came by a voucher was not paid', () => {
    fc.assert(
      fc.property(rental, fc.array(month, { minLength: 1, maxLength: 6 }), ({ plan, held }, months) => {
        let spans = held
        let present = plan
        let put = paidLeft(held)
        for (const [index, one] of months.entries()) {
          const to = planOf(`P${index}`, one)
          const moved = move(spans, present, to)
          expect(moved.credit).toBeLessThanOrEqual(paidLeft(spans))
          expect(moved.returns.reduce((sum, { amount }) => sum + amount, 0)).toBe(moved.credit)
          put += moved.net
          spans = moved.spans
          present = to
          expect(paidLeft(spans)).toBe(put)
          expect(put).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })

  test('asks and gives whole units, charges up and credits down', () => {
    const spans: Span[] = [
      {
        from: start,
        until: start + 720 * hour,
        period: '720h',
        currency: 'PLN',
        worth: 1844,
        vatRate: 0.23,
        known: {},
        payments: [paid(1844)],
      },
    ]
    const now = start + 240 * hour // two thirds are left: 1229.33 of 1844, 3689.33 of 5534
    const held = heldWithoutGaps(spans, {
      now,
      end: start + 720 * hour,
      period: '720h',
      currency: 'PLN',
      vatRate: 0.23,
      price: 1844,
    })
    expect(worthOf(held)).toBe(1229)
    const up = move(held, planOf('GRASS', 1844), planOf('AMETHYST', 5534))
    expect([up.charge, up.credit]).toEqual([3690 - 1229, 0])
    const down = move(up.spans, planOf('AMETHYST', 5534), planOf('GRASS', 1844))
    expect([down.charge, down.credit]).toEqual([0, 3690 - 1230])
  })
})

test('a stretch that is taken out leaves no gap, and no money is made of it', () => {
  const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(rental, shares, ({ bought, end }, [one, other]) => {
      const at = (share: number) => start + Math.floor((end - start) * share)
      const stretch = { from: at(Math.min(one, other)), until: at(Math.max(one, other)) }
      const left = takeOut(bought, stretch)
      const out = within(bought, stretch)
      expect(paidLeft(left) + paidLeft(out)).toBeLessThanOrEqual(paidLeft(bought))
      expect(paidLeft(left) + paidLeft(out)).toBeGreaterThanOrEqual(paidLeft(bought) - 2 * bought.length)
      const gone = stretch.until - stretch.from
      expect(left.reduce((sum, span) => sum + span.until - span.from, 0)).toBe(end - start - gone)
      const inOrder = left.toSorted((first, second) => first.from - second.from)
      for (const [index, span] of inOrder.slice(1).entries()) expect(span.from).toBe(inOrder[index]?.until)
    }),
  )
})

describe('a new period', () => {
  test('counts what was paid, no more, and is refused where that is more', () => {
    fc.assert(
      fc.property(
        rental,
        month,
        fc.constantFrom(...billingPeriods),
        ({ plan, now, held }, b, period: BillingPeriod) => {
          const to = planOf('B', b)
          const change = changePeriod(held, { from: plan.product, to, period, currency: 'PLN', vatRate: 0.23, now })
          expect(change === undefined).toBe(to.price(period) < paidLeft(held))
          if (change === undefined) return
          expect(change.charge).toBe(to.price(period) - paidLeft(held))
          const after = change.spansAfter(paid(0, 'new'))
          expect(paidLeft(after)).toBe(to.price(period))
          // And back to the old plan: no money is made of it.
          const back = changePlan(after, { from: 'B', to: planOf('A', 0), direction: 'down' })
          expect(back.credit).toBeLessThanOrEqual(change.charge + paidLeft(held))
        },
      ),
    )
  })
})

test('what ends before its time gives back what is not used up, by payment', () => {
  fc.assert(
    fc.property(rental, ({ held }) => {
      expect(giveUp(held).reduce((sum, { amount }) => sum + amount, 0)).toBe(paidLeft(held))
    }),
  )
})

test('melts: later never holds more than before, and nothing at the end', () => {
  fc.assert(
    fc.property(rental, fc.double({ min: 0, max: 1, noNaN: true }), ({ bought, now, end }, share) => {
      const later = now + Math.floor((end - now) * share)
      const at = (moment: number) =>
        heldWithoutGaps(bought, { now: moment, end, period: '720h', currency: 'PLN', vatRate: 0.23, price: 0 })
      expect(paidLeft(at(later))).toBeLessThanOrEqual(paidLeft(at(now)))
      expect(paidLeft(at(end))).toBe(0)
    }),
  )
})

test('hours of which nothing is known are worth the plan and were not paid', () => {
  const [gap, ...more] = heldWithoutGaps([], {
    now: start,
    end: start + 72 * hour,
    period: '720h',
    currency: 'PLN',
    vatRate: 0.23,
    price: 1844,
  })
  expect(more).toEqual([])
  expect(gap).toMatchObject({ worth: 185, payments: [] })
})

test('the price of a time rounds up, and is exact for amounts that floats are not', () => {
  expect(priceOfTime(1844, '720h', 1)).toBe(1)
  expect(priceOfTime(1844, '720h', 720 * hour)).toBe(1844)
  expect(priceOfTime(9_007_199_254_740_991, '720h', 720 * hour)).toBe(9_007_199_254_740_991)
})

test('the VAT within a price is that on its net', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.constantFrom(0, 0.05, 0.19, 0.23, 0.255), (net, rate) => {
      const tax = Math.floor((net * Math.round(rate * 10_000) + 5_000) / 10_000)
      expect(taxWithin(net + tax, rate)).toBe(tax)
    }),
  )
})

test('a buyer whose tax has changed is charged the difference of net prices', () => {
  const spans: Span[] = [
    {
      from: start,
      until: start + 720 * hour,
      period: '720h',
      currency: 'PLN',
      worth: 1844,
      vatRate: 0.23,
      known: {},
      payments: [paid(1844)],
    },
  ]
  const now = { now: start, end: start + 720 * hour, period: '720h' as const, currency: 'PLN', price: 1499, vatRate: 0 }
  const held = heldWithoutGaps(spans, now)
  expect([worthOf(held), paidLeft(held)]).toEqual([1499, 1844])
  expect(changePlan(held, { from: 'A', to: planOf('B', 4499), direction: 'up' }).charge).toBe(3000)
})
