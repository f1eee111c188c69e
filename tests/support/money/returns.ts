/** What goes back to payers, what they then owe, and what those lose who have brought them. */
import { type Customer, type Deposit, moneyIn, type Purse, type Return, type TopUp } from './model.ts'
import type { Currency } from './rules.ts'

/** What is owed is paid by whatever may be paid out. */
export function settleDebts({ purse }: Customer, currency: Currency): void {
  const own = purse[currency]
  const paid = Math.min(own.owed, moneyIn(own))
  own.balance -= paid
  own.owed -= paid
}

/** The same with what comes in meanwhile, not written down. */
export function ifPaid({ purse }: Customer, currency: Currency, amount: number): Purse {
  const own = { ...purse[currency] }
  if (amount === 0) return own
  own.balance += amount
  const paid = Math.min(own.owed, moneyIn(own))
  return { ...own, balance: own.balance - paid, owed: own.owed - paid }
}

const isActive = ({ state }: Return) => state !== 'back'
/** Of a payment, what is away or on its way back. */
export const backOf = ({ returns }: Deposit) => returns.filter(isActive).reduce((sum, { amount }) => sum + amount, 0)

/** Money leaves: first what may be paid out, then credit; what is not there is owed. */
export function takeBack(customer: Customer, deposit: Deposit, given: Pick<Return, 'id' | 'kind' | 'amount'>): Return {
  const own = customer.purse[deposit.currency]
  const { kind, amount } = given
  const owed = Math.max(0, amount - own.balance)
  const credit = Math.max(0, amount - owed - moneyIn(own))
  own.balance -= amount - owed
  own.credit -= credit
  own.owed += owed
  const made: Return = { ...given, credit, state: kind === 'refund' ? 'under way' : 'gone', isHeld: false }
  deposit.returns.push(made)
  countLosses(deposit)
  return made
}

/** It stayed, or is ours again: it comes in anew, and is a payment as any other for those who brought the payer. */
export function putBack(customer: Customer, deposit: Deposit, made: Return, now: number): void {
  const { currency } = deposit
  const own = customer.purse[currency]
  made.state = 'back'
  own.balance += made.amount
  own.credit += made.credit
  settleDebts(customer, currency)
  deposit.topUps.push({ payment: undefined, currency, amount: made.amount, made: now, lost: 0, earns: undefined })
  countLosses(deposit)
}

/** All that ever went back is lost by the payment first, then by what came back of it. */
function countLosses({ topUps, returns }: Deposit): void {
  let left = returns.reduce((sum, { amount }) => sum + amount, 0)
  const [first] = topUps
  const again = topUps.filter(({ payment }) => payment === undefined)
  for (const topUp of [...(first === undefined ? [] : [first]), ...again]) {
    topUp.lost = Math.min(topUp.amount, left)
    left -= topUp.lost
  }
}

export const keptOf = ({ amount, lost }: TopUp) => amount - lost
export const topUpsOf = ({ deposits }: Customer, currency?: Currency): TopUp[] =>
  deposits.flatMap((one) => (currency === undefined || one.currency === currency ? one.topUps : []))
