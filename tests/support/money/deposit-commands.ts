/** Top-ups by every provider, in every currency they take. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createTransaction } from '@wakestone/contract/money/transactions-routes'
import { topUpWallet } from '@wakestone/contract/money/wallets-routes'
import { anyCurrency, type Command, type Step } from './command.ts'
import { currencies, type Deposit, give, outcomeOf } from './model.ts'
import type { Currency } from './rules.ts'
import type { World } from './world.ts'

const methods = [
  { provider: 'payu', currencies: ['PLN'], weight: 6 },
  { provider: 'paynow', currencies: ['PLN', 'EUR'], weight: 3 },
  { provider: 'paypal', currencies: ['PLN', 'EUR', 'USD'], weight: 3 },
] as const
/** Codes of the sandbox: accepted, refused by the bank, no good. */
const codes = ['111111', '666666', '333333'] as const

/** Where its payer was sent. There may be another order, whose answer was lost: nobody knows where to pay that. */
const payable = (world: World, { id, where }: Deposit) =>
  world.providers.paymentsOf(id).filter((payment) => payment.isOpen() && where?.includes(payment.id) === true)

const openPayments = ({ world, customer }: Step) =>
  customer.deposits
    .flatMap((one) => payable(world, one))
    // PayPal knows an order for some hours only, and it is for its payer to come back there.
    .filter(({ gateway }) => gateway !== 'paypal')

const begun = (given: Pick<Deposit, 'id' | 'currency' | 'amount' | 'made' | 'where'>): Deposit => ({
  ...given,
  settled: false,
  topUps: [],
  returns: [],
})

function amountOf({ random }: Step, currency: Currency): number {
  const most = random.chance(0.2) ? 60_000 : 12_000
  return 500 + random.below(currency === 'PLN' ? most : Math.floor(most / 4))
}

const deposit: Command = {
  name: 'top up',
  weight: 26,
  async run(step) {
    const { world, customer, random, note } = step
    const currency = anyCurrency(random)
    const able = methods.filter((method) => (method.currencies as readonly string[]).includes(currency))
    let ticket = random.below(able.reduce((sum, { weight }) => sum + weight, 0))
    const { provider } = able.find(({ weight }) => (ticket -= weight) < 0) ?? methods[0]
    const amount = amountOf(step, currency)
    const body = { action: 'DEPOSIT' as const, provider, wallet_id: customer.wallets[currency], amount, currency }
    const made = world.now()
    const choice = random.next()
    const what = choice < 0.06 && provider === 'paynow' ? 'begun anew' : choice < 0.8 ? 'paid' : 'cancelled'
    note(`${amount} ${currency} by ${provider}, ${choice < 0.9 ? what : 'left'}`)
    const answer = await customer.call(createTransaction, { body, idempotencyKey: randomUUID() })
    const top = begun({ id: answer.id, currency, amount, made, where: answer.redirect_url })
    customer.deposits.push(top)
    // It may be paid before the answer came.
    for (const payment of payable(world, top)) {
      if (choice < 0.06 && payment.payAnew !== undefined) payment.payAnew({ both: choice < 0.02 })
      else if (choice < 0.8) payment.pay()
      else if (choice < 0.9) payment.cancel()
    }
  },
}

const blik: Command = {
  name: 'top up by a code',
  weight: 5,
  async run(step) {
    const { customer, random, note, world } = step
    const code = random.chance(0.6) ? codes[0] : random.pick(codes)
    const amount = amountOf(step, 'PLN')
    note(`${amount} by ${code}`)
    const wallet_id = customer.wallets.PLN
    const body = { action: 'DEPOSIT' as const, provider: 'blik' as const, wallet_id, amount, currency: 'PLN', code }
    const made = world.now()
    const idempotencyKey = randomUUID()
    const outcome = await outcomeOf(
      customer.call(createTransaction, { body, idempotencyKey }).then(({ id }) => {
        customer.deposits.push(begun({ id, currency: 'PLN', amount, made, where: null }))
      }),
    )
    expect(outcome).toBe(code === '333333' ? 'blik_code_invalid' : 'done')
  },
}

const payLate: Command = {
  name: 'pay what was left',
  weight: 30,
  when: (step) => openPayments(step).length > 0,
  async run(step) {
    const left = step.random.pick(openPayments(step))
    step.note(`${left.amount} ${left.currency} at ${left.gateway}`)
    left.pay()
    for (const one of step.customer.deposits) if (one.id === left.transactionId) one.settled = false
  },
}

const forge: Command = {
  name: 'forge a notification',
  weight: 15,
  when: (step) => openPayments(step).length > 0,
  async run(step) {
    const kind = step.random.pick(['signature', 'amount', 'currency'] as const)
    const target = step.random.pick(openPayments(step))
    step.note(`${kind} at ${target.gateway}`)
    target.forge(kind)
  },
}

const byHand: Command = {
  name: 'top up by hand',
  weight: 3,
  async run({ world, customer, random, note }) {
    const currency = random.pick(currencies)
    const amount = 100 + random.below(4000)
    const refundable = random.chance(0.5)
    note(`${amount} ${currency}${refundable ? '' : ' as credit'}`)
    const body = { amount, reason: 'a test of everything', refundable }
    const idempotencyKey = randomUUID()
    const ask = (more: object = {}) =>
      outcomeOf(
        world.admin.call(topUpWallet, {
          params: { id: customer.wallets[currency] },
          body: { ...body, ...more },
          idempotencyKey,
        }),
      )
    expect(await Promise.all([ask(), ask()])).toEqual(['done', 'done'])
    if (random.chance(0.3)) expect(await ask({ amount: amount + 1 })).toBe('idempotency_key_reused')
    give(customer, currency, amount, { isCredit: !refundable })
  },
}

export const depositCommands: readonly Command[] = [deposit, blik, payLate, forge, byHand]
