/**
 * What the time that a service has left is worth, and what a change of its plan therefore costs. Pure rules.
 *
 * The time left is a row of spans, one for each time that was bought. A span knows what it is worth at the price it was
 * got for (hours from a voucher are worth as much as bought ones), and what was really paid for it. Both melt evenly
 * until the span is over. A change to another plan asks for the difference to what that plan costs for the same hours,
 * and the span is then worth what the customer has put in. So only what is held counts, never the last charge:
 *
 * - A → B → C at one instant costs what A → C costs;
 * - A → B → A never yields money, by whatever way and whatever became of prices meanwhile: `known` remembers what a
 *   plan was worth, and a greater one counts for no less;
 * - nothing is ever given back beyond what was paid and is not used up.
 *
 * Whole minor units only: what is asked for rounds up, what is given back rounds down.
 */
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'

/** A part of what was paid for a span, gross, as it was at the span's beginning. */
export type Payment = {
  /** The customer's transaction; null: from before value was kept. */
  transaction: string | null
  amount: number
  vatRate: number
  country: string
}

/** Times in milliseconds since 1970, amounts gross in minor units of the service's currency. */
export type Span = {
  from: number
  until: number
  /** For how long it was bought: longer periods cost less per hour. */
  period: BillingPeriod
  currency: string
  worth: number
  /** That `worth` and `known` are gross at. */
  vatRate: number
  /** By product: what the whole span was worth under plans that it has had before. */
  known: Record<string, number>
  /** Oldest first. */
  payments: Payment[]
}

const hour = 3_600_000

function share(amount: number, part: number, whole: number, rounding: 'up' | 'down'): number {
  if (whole <= 0 || part <= 0) return 0
  const product = BigInt(amount) * BigInt(part)
  const down = product / BigInt(whole)
  return Number(rounding === 'up' && down * BigInt(whole) < product ? down + 1n : down)
}

/** Of a gross price for a period: what these milliseconds of it cost. */
export const priceOfTime = (gross: number, period: BillingPeriod, milliseconds: number): number =>
  share(gross, milliseconds, hoursOfPeriod(period) * hour, 'up')

/** The span without what is over, and without what lies behind the end of the service. */
function cut(span: Span, now: number, end: number): Span {
  const from = Math.max(span.from, now)
  const until = Math.min(span.until, end)
  const whole = span.until - span.from
  const left = (amount: number) => share(amount, until - from, whole, 'down')
  return {
    ...span,
    from,
    until,
    worth: left(span.worth),
    known: Object.fromEntries(
      Object.entries(span.known).map(([product, worth]) => [product, share(worth, until - from, whole, 'up')]),
    ),
    payments: span.payments
      .map((payment) => ({ ...payment, amount: left(payment.amount) }))
      .filter(({ amount }) => amount > 0),
  }
}

/** What is held now: spans that are not over, as far as they are not. */
export function held(spans: readonly Span[], { now, end }: { now: number; end: number }): Span[] {
  return spans.filter((span) => span.until > now && span.from < end).map((span) => cut(span, now, end))
}

/** A stretch of time, in milliseconds since 1970. */
type Stretch = { from: number; until: number }

/** What of the spans lies within a stretch. */
export const within = (spans: readonly Span[], { from, until }: Stretch): Span[] =>
  held(spans, { now: from, end: until })

/** Takes a stretch out: what comes after it begins earlier by as much. */
export function takeOut(spans: readonly Span[], { from, until }: Stretch): Span[] {
  const before = held(spans, { now: -Infinity, end: from })
  const after = held(spans, { now: until, end: Infinity })
  const earlier = (span: Span) => ({ ...span, from: span.from - (until - from), until: span.until - (until - from) })
  return [...before, ...after.map(earlier)]
}

export const paidFor = ({ payments }: Pick<Span, 'payments'>) => payments.reduce((sum, { amount }) => sum + amount, 0)
/** What was paid and is not used up. */
export const paidLeft = (spans: readonly Span[]) => spans.reduce((sum, span) => sum + paidFor(span), 0)
export const worthOf = (spans: readonly Span[]) => spans.reduce((sum, { worth }) => sum + worth, 0)

/** The moment, and the plan and the tax of now. */
export type Present = {
  now: number
  /** Of the service. */
  end: number
  period: BillingPeriod
  currency: string
  /** Of the present plan, gross, for the period. */
  price: number
  vatRate: number
}

/**
 * What is held now, without gaps: time that nobody told the worth of (a gift, a correction) is worth what the present
 * plan costs, and was not paid.
 */
export function heldWithoutGaps(spans: readonly Span[], given: Present): Span[] {
  const { now, end, period, currency, price, vatRate } = given
  const gap = (from: number, until: number): Span => ({
    from,
    until,
    period,
    currency,
    worth: priceOfTime(price, period, until - from),
    vatRate,
    known: {},
    payments: [],
  })
  const whole: Span[] = []
  let at = now
  for (const span of held(spans, { now, end }).toSorted((one, other) => one.from - other.from)) {
    if (span.from > at) whole.push(gap(at, span.from))
    whole.push(taxedAt(span, vatRate))
    at = Math.max(at, span.until)
  }
  if (end > at) whole.push(gap(at, end))
  return whole
}

/** The span with its worth at another rate: what counts is the net price, what was paid stays what it was. */
function taxedAt(span: Span, vatRate: number): Span {
  if (span.vatRate === vatRate) return span
  const tenThousandths = (rate: number) => 10_000 + Math.round(rate * 10_000)
  const anew = (amount: number, rounding: 'up' | 'down') =>
    share(amount, tenThousandths(vatRate), tenThousandths(span.vatRate), rounding)
  return {
    ...span,
    vatRate,
    worth: anew(span.worth, 'down'),
    known: Object.fromEntries(Object.entries(span.known).map(([product, worth]) => [product, anew(worth, 'up')])),
  }
}

/** Who is paid back how much, and of what. */
export type Return = { payment: Payment; amount: number }
export type Change = {
  /** To pay now, or to get back; one of them is zero. */
  charge: number
  credit: number
  returns: Return[]
  /** What is held then. `payment` is what `charge` was paid with; its amount is not looked at. */
  spansAfter(payment: Payment): Span[]
}
export type Plan = {
  product: string
  /** Smaller plans, of which it is an upgrade: it is never worth less than they were. */
  above: readonly string[]
  /** Gross, for a whole period. */
  price(period: BillingPeriod): number
}

/**
 * Another plan for the same hours.
 * @param spans what is held now, without gaps.
 * @param direction `up` never gives back, `down` never asks for more.
 */
export function changePlan(
  spans: readonly Span[],
  { from, to, direction }: { from: string; to: Plan; direction: 'up' | 'down' },
): Change {
  const returns = new Map<Payment['transaction'], Return>()
  const changed = spans.map((span) => {
    const listed = priceOfTime(to.price(span.period), span.period, span.until - span.from)
    const target = Math.max(listed, ...[to.product, ...to.above].map((product) => span.known[product] ?? 0))
    const charge = direction === 'up' ? Math.max(0, target - span.worth) : 0
    const credit = direction === 'down' ? Math.min(Math.max(0, span.worth - target), paidFor(span)) : 0
    const payments = takeBack(span.payments, credit, returns)
    const known = { ...span.known, [from]: Math.max(span.known[from] ?? 0, span.worth) }
    return { span: { ...span, worth: span.worth + charge - credit, known, payments }, charge, credit }
  })
  return {
    charge: changed.reduce((sum, { charge }) => sum + charge, 0),
    credit: changed.reduce((sum, { credit }) => sum + credit, 0),
    returns: [...returns.values()],
    spansAfter: (payment) =>
      changed.map(({ span, charge }) =>
        charge === 0 ? span : { ...span, payments: [...span.payments, { ...payment, amount: charge }] },
      ),
  }
}

/** Gives the newest payments back first, and adds to `returns` what was taken of each. @returns what stays. */
function takeBack(
  payments: readonly Payment[],
  amount: number,
  returns: Map<Payment['transaction'], Return>,
): Payment[] {
  let open = amount
  const kept: Payment[] = []
  for (const payment of payments.toReversed()) {
    const back = Math.min(open, payment.amount)
    open -= back
    if (back > 0) {
      const known = returns.get(payment.transaction)
      returns.set(payment.transaction, { payment, amount: (known?.amount ?? 0) + back })
    }
    if (payment.amount > back) kept.unshift({ ...payment, amount: payment.amount - back })
  }
  return kept
}

/** Everything that was paid and is not used up, given back: for what ends before its time. */
export function giveUp(spans: readonly Span[]): Return[] {
  const returns = new Map<Payment['transaction'], Return>()
  for (const span of spans) takeBack(span.payments, paidFor(span), returns)
  return [...returns.values()]
}

/**
 * Another plan with a period of its own, which begins now: what was paid for the hours that are given up counts.
 * @returns undefined where that is more than the new period costs: time is not sold back.
 */
export function changePeriod(
  spans: readonly Span[],
  given: { from: string; to: Plan; period: BillingPeriod; currency: string; vatRate: number; now: number },
): Change | undefined {
  const { from, to, period, currency, vatRate, now } = given
  const price = to.price(period)
  const charge = price - paidLeft(spans)
  if (charge < 0) return undefined
  const until = now + hoursOfPeriod(period) * hour
  // By the hour as it was: the new span may be longer.
  const known: Record<string, number> = {}
  for (const span of spans) {
    const worths = { ...span.known, [from]: Math.max(span.known[from] ?? 0, span.worth) }
    for (const [product, worth] of Object.entries(worths)) {
      const longer = share(worth, until - now, span.until - span.from, 'up')
      known[product] = Math.max(known[product] ?? 0, longer)
    }
  }
  const payments = spans.flatMap((span) => span.payments)
  return {
    charge,
    credit: 0,
    returns: [],
    spansAfter: (payment) => [
      {
        from: now,
        until,
        period,
        currency,
        worth: price,
        vatRate,
        known,
        payments: charge === 0 ? payments : [...payments, { ...payment, amount: charge }],
      },
    ],
  }
}
