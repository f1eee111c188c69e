/** Withdrawing from what was rented, and from its renewals. */
import { expect } from 'vitest'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { confirmWithdrawal, declareWithdrawal, getWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { type Command, endOf } from './command.ts'
import { absorbPaidBack } from './debt.ts'
import { expectWithin, outcomeOf, type Rented } from './model.ts'
import { day, lengthOf } from './rules.ts'

/** Of a rental what somebody paid with, as far as a withdrawal has not given it back; each the most that it may be. */
const spentOn = ({ spent }: Rented) =>
  spent.reduce((sum, one) => ({ money: sum.money + one.money, credit: sum.credit + one.credit }), {
    money: 0,
    credit: 0,
  })

const withdraw: Command = {
  name: 'withdraw from a rental',
  weight: 12,
  when: ({ customer }) => customer.rented.length > 0,
  async run({ world, customer, random, note }) {
    // Mostly what one may still withdraw from whole.
    const recent = customer.rented.filter(({ created }) => created > world.now() - 14 * day)
    const rented = random.pick(recent.length > 0 && random.chance(0.7) ? recent : customer.rented)
    const { currency, isWhole } = rented
    const params = { id: rented.serviceId }
    const begun = world.now()
    const shown = await customer.call(getWithdrawal, { params })
    const { obstacle, refund, renewal: of } = shown
    const what = of === null ? 'all' : 'a renewal'
    note(`${rented.product}: ${obstacle ?? `${what}, ${refund.amount} ${currency} of ${rented.paid}`}`)
    if (customer.place.endsWith('company')) expect(obstacle).not.toBeNull()
    if (of === null && begun > rented.created + 14 * day + 60_000) expect(obstacle).not.toBeNull()
    if (obstacle !== null) {
      expect(await outcomeOf(customer.call(declareWithdrawal, { params }))).toBe('withdrawal_not_possible')
      return
    }
    const { declaration_id } = await customer.call(declareWithdrawal, { params })
    const confirm = () => customer.call(confirmWithdrawal, { params, body: { declaration_id: declaration_id ?? '' } })
    const answers = await Promise.all(random.chance(0.5) ? [confirm(), confirm()] : [confirm()])
    const back = answers[0]?.refund.amount ?? 0
    expect(new Set(answers.map((one) => one.refund.amount))).toEqual(new Set([back]))
    // Never more than was paid; all of it, unless the buyer had asked to begin at once or has changed the plan since.
    const isAll = of === null && !rented.immediate && isWhole
    expectWithin(back, [isAll ? rented.paid : 0, rented.paid], 'what a withdrawal gives back')
    const owed = await absorbPaidBack(customer, currency)
    expectWithin(owed, [0, back], 'what of it paid bills')
    customer.purse[currency].balance += back - owed
    const { non_refundable } = await customer.call(getWallet, { params: { id: customer.wallets[currency] } })
    const { credit } = customer.purse[currency]
    // What was paid with credit comes back as credit, and so much at least as was not paid with money.
    const paidWith = spentOn(rented)
    const rounded = isAll ? 0 : rented.spent.length // each payment that comes back in part, in favour of credit
    const least = Math.max(0, credit + Math.max(0, back - paidWith.money) - owed)
    // Bills are paid between what comes back.
    const most = credit + Math.min(back, paidWith.credit + rounded) - (isAll ? owed : 0)
    expectWithin(non_refundable.amount, [least, Math.max(least, most)], 'what of it is credit')
    if (owed === 0) {
      const backAsCredit = non_refundable.amount - credit
      rented.spent.push({ money: backAsCredit - back, credit: -backAsCredit })
    }
    customer.purse[currency].credit = non_refundable.amount
    if (back > 0 && (!shown.immediate || rented.spent.length > 1)) customer.asks = true
    if (back > 0 && !shown.immediate && of === null) customer.givenWhole = begun
    // It ends now, or so much earlier as the renewal has left, does not renew itself any more, and may be renewed.
    const expires = await endOf(customer, rented)
    const earliest = Math.min(begun, rented.expires - lengthOf('8760h'))
    expectWithin(expires, of === null ? [begun, world.now()] : [earliest, rented.expires], 'the end without it')
    if (of === null) rented.planned = undefined
    else if (rented.planned !== undefined && rented.planned.at >= expires)
      Object.assign(rented.planned, { at: expires, isPaid: false })
    Object.assign(rented, { expires, auto: false, isWhole: false, paid: rented.paid - back })
  },
}

export const withdrawCommands: readonly Command[] = [withdraw]
