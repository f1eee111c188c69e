/** What administrators enter and end by hand: chargebacks of letters, money given back past us, refunds nobody tells of. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet, topUpWallet } from '@wakestone/contract/money/wallets-routes'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { movementsOf, walletOf } from '../../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { settleAllDebts } from '#src/features/money/debts/service.ts'
import { handleChargeback } from './chargebacks.ts'
import { useRefundWorld } from '../../../../../../tests/support/refund-world.ts'
import { refusalOf } from '../../../../../../tests/support/outcome.ts'

const refundWorld = useRefundWorld()
const { hours, setFaults, paid, refund, returnsOf, stateOf, balanceOf, pass, untilOver, toldOf } = refundWorld

describe('by hand', () => {
  const settle = (id: string, outcome: 'COMPLETED' | 'FAILED' | 'RETURNED') =>
    refundWorld.boss.call(routes.settlePaymentReturn, { params: { id }, body: { outcome, reason: 'told by phone' } })
  const enter = (id: string, amount: number, caseId: string) =>
    refundWorld.boss.call(routes.enterChargeback, {
      params: { id },
      body: { amount, case_id: caseId, reason: 'a letter of the bank' },
    })

  test('a chargeback is taken once, and given again when it is won', async () => {
    const { payer, id } = await paid()
    const [first] = await Promise.all([enter(id, 5000, `CB-${id}`), enter(id, 5000, `CB-${id}`)])
    expect(first).toMatchObject({ kind: 'chargeback', state: 'COMPLETED', owed: { amount: 0 } })
    expect(await refusalOf(enter(id, 4000, `CB-${id}`))).toMatchObject({ error: 'idempotency_key_reused' })
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    expect(await toldOf(payer)).toContain('PAYMENT_TAKEN_BACK')
    await settle(first.id, 'RETURNED')
    await settle(first.id, 'RETURNED')
    expect(await stateOf(id)).toEqual(['chargeback RETURNED'])
    expect(await movementsOf(payer)).toEqual([5000, -5000, 5000])
    expect(await toldOf(payer)).toContain('PAYMENT_RETURNED')
    expect(await refusalOf(settle(first.id, 'FAILED'))).toMatchObject({ error: 'return_is_over' })
  })

  test.runIf(isLong)(
    'what a letter and the provider tell of the same case under two names is booked once, whoever is first',
    async () => {
      const tell = async (id: string, status: 'taken' | 'returned', name: string, at: Date) =>
        handleChargeback(refundWorld.world.api.context, 'payu', {
          chargeback: {
            chargebackId: `${name}-${id}`,
            orderId: refundWorld.world.orderOf(id).orderId,
            externalId: null,
            paymentId: null,
            amount: 2000,
            currency: 'PLN',
            status,
            at,
            reason: null,
          },
          now: new Date(),
        })
      const letterFirst = await paid()
      const entered = await enter(letterFirst.id, 2000, `LETTER-${letterFirst.id}`)
      // By the provider's clock it was before we heard of it.
      expect(await tell(letterFirst.id, 'taken', 'case', hours(-48))).toBe('unchanged')
      expect((await enter(letterFirst.id, 2000, `LETTER-${letterFirst.id}`)).id).toBe(entered.id)
      const messageFirst = await paid()
      expect(await tell(messageFirst.id, 'taken', 'case', hours(-48))).toBe('applied')
      await enter(messageFirst.id, 2000, `LETTER-${messageFirst.id}`)
      for (const { payer, id } of [letterFirst, messageFirst]) {
        expect(await stateOf(id)).toEqual(['chargeback COMPLETED'])
        expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
        // Another case of the same amount is another one, by letter and by message.
        await enter(id, 2000, `SECOND-${id}`)
        expect(await balanceOf(payer)).toEqual({ balance: 1000, owed: 0 })
        await tell(id, 'taken', 'second', hours(-1))
        expect(await balanceOf(payer)).toEqual({ balance: 1000, owed: 0 })
        await tell(id, 'returned', 'won', hours(1))
        expect((await stateOf(id)).toSorted()).toEqual(['chargeback COMPLETED', 'chargeback RETURNED'])
        expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
      }
      const early = await paid()
      await enter(early.id, 2000, `LETTER-${early.id}`)
      expect(await tell(early.id, 'returned', 'won', hours(-1))).toBe('applied') // of a case that was never told
      expect(await balanceOf(early.payer)).toEqual({ balance: 5000, owed: 0 })
    },
  )

  test('a letter and a message that differ are one case by the same name, or where both are more than was paid: the provider is right', async () => {
    const tell = async (id: string, amount: number, name: string, status: 'taken' | 'returned' = 'taken') =>
      handleChargeback(refundWorld.world.api.context, 'payu', {
        chargeback: {
          chargebackId: name,
          orderId: refundWorld.world.orderOf(id).orderId,
          externalId: null,
          paymentId: null,
          amount,
          currency: 'PLN',
          status,
          at: hours(status === 'taken' ? -24 : 24),
          reason: null,
        },
        now: new Date(),
      })
    const standing = async (payer: Caller, id: string) => [
      (await balanceOf(payer)).balance,
      ...(await returnsOf(id)).data.map(({ state, amount }) => [state, amount.amount]).toSorted(),
    ]
    const sameName = await paid()
    const { id: letterId } = await enter(sameName.id, 2000, `CB-${sameName.id}`)
    for (let times = 0; times < 2; times++) await tell(sameName.id, 1900, `CB-${sameName.id}`)
    const put = [3100, ['COMPLETED', 1900], ['RETURNED', 2000]]
    expect(await standing(sameName.payer, sameName.id)).toEqual(put)
    // The letter again is the case as it stands; so is it under the amount that is right.
    for (const amount of [2000, 1900]) {
      const again = await enter(sameName.id, amount, `CB-${sameName.id}`)
      expect([again.amount.amount, again.id === letterId]).toEqual([1900, false])
    }
    await tell(sameName.id, 1900, `WON-${sameName.id}`, 'returned')
    expect(await standing(sameName.payer, sameName.id)).toEqual([5000, ['RETURNED', 1900], ['RETURNED', 2000]])

    const otherName = await paid()
    await enter(otherName.id, 5000, `LETTER-${otherName.id}`)
    expect(await tell(otherName.id, 4800, `TOLD-${otherName.id}`)).toBe('applied')
    expect(await standing(otherName.payer, otherName.id)).toEqual([200, ['COMPLETED', 4800], ['RETURNED', 5000]])
    expect(await refusalOf(enter(otherName.id, 300, `MORE-${otherName.id}`))).toEqual({
      error: 'refund_exceeds_payment',
      fields: { available: 200 },
    })

    const messageFirst = await paid()
    await tell(messageFirst.id, 4800, `TOLD-${messageFirst.id}`)
    for (let times = 0; times < 2; times++)
      expect((await enter(messageFirst.id, 5000, `LETTER-${messageFirst.id}`)).amount.amount).toBe(4800)
    expect(await standing(messageFirst.payer, messageFirst.id)).toEqual([200, ['COMPLETED', 4800]])

    // Both fit into the payment: they may be two, and stay two.
    const two = await paid()
    await enter(two.id, 2000, `LETTER-${two.id}`)
    await tell(two.id, 3000, `TOLD-${two.id}`)
    expect(await standing(two.payer, two.id)).toEqual([0, ['COMPLETED', 2000], ['COMPLETED', 3000]])
  })

  const enterOutside = (id: string, amount: number, caseId: string) =>
    refundWorld.boss.call(routes.enterChargeback, {
      params: { id },
      body: { kind: 'outside', amount, case_id: caseId, reason: 'seen in the panel' },
    })

  test.runIf(isLong)('what was given back past us is entered up to what was paid, and no more', async () => {
    const { payer, id } = await paid()
    await refund(id, 1000)
    await untilOver(id)
    await enterOutside(id, 2500, `ONE-${id}`)
    expect(await refusalOf(enterOutside(id, 1501, `TWO-${id}`))).toEqual({
      error: 'refund_exceeds_payment',
      fields: { available: 1500 },
    })
    await enterOutside(id, 1500, `TWO-${id}`)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    // What a bank takes is another matter: it may take again what was given back.
    await enter(id, 5000, `CB-${id}`)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 })
  })

  test.runIf(isLong)(
    'what was given back past us leaves room for a refund of ours that is still under way',
    async () => {
      const { payer, id } = await paid()
      await refund(id, 4000)
      expect(await refusalOf(enterOutside(id, 1001, `ONE-${id}`))).toEqual({
        error: 'refund_exceeds_payment',
        fields: { available: 1000 },
      })
      await enterOutside(id, 1000, `TWO-${id}`)
      await untilOver(id)
      expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 0 })
    },
  )

  test.runIf(isLong)(
    'a letter about a case that was told and won already takes nothing; the next one is another case',
    async () => {
      const tell = async (id: string, status: 'taken' | 'returned', name: string, amount = 2000) =>
        handleChargeback(refundWorld.world.api.context, 'payu', {
          chargeback: {
            chargebackId: `${name}-${id}`,
            orderId: refundWorld.world.orderOf(id).orderId,
            externalId: null,
            paymentId: null,
            amount,
            currency: 'PLN',
            status,
            at: hours(status === 'taken' ? -48 : -24),
            reason: null,
          },
          now: new Date(),
        })
      const { payer, id } = await paid()
      await tell(id, 'taken', 'case')
      await tell(id, 'returned', 'won')
      for (let times = 0; times < 2; times++)
        expect(await enter(id, 2000, `LETTER-${id}`)).toMatchObject({ state: 'RETURNED' })
      expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
      expect(await enter(id, 2000, `SECOND-${id}`)).toMatchObject({ state: 'COMPLETED' })
      expect(await balanceOf(payer)).toEqual({ balance: 3000, owed: 0 })
      // What a letter said wrongly and was put right is no case of its own.
      const wrong = await paid()
      await enter(wrong.id, 2000, `CB-${wrong.id}`)
      await tell(wrong.id, 'taken', 'CB', 1900)
      await enter(wrong.id, 2000, `OTHER-${wrong.id}`)
      expect(await balanceOf(wrong.payer)).toEqual({ balance: 1100, owed: 0 })
    },
  )

  test.runIf(isLong)('of an empty wallet everything is owed; won, nothing is, and credit is credit again', async () => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    await refundWorld.boss.call(topUpWallet, {
      params: { id: walletOf(payer) },
      body: { amount: 700, reason: 'a gift', refundable: false },
      idempotencyKey: randomUUID(),
    })
    const chargeback = await enter(id, 5000, `CB-${id}`)
    expect(chargeback.owed.amount).toBe(5000 - balance - 700)
    expect(await balanceOf(payer)).toEqual({ balance: 0, owed: 5000 - balance - 700 })
    await settle(chargeback.id, 'RETURNED')
    const wallet = await payer.call(getWallet, { params: { id: walletOf(payer) } })
    expect(wallet).toMatchObject({
      balance: { amount: balance + 700 },
      non_refundable: { amount: 700 },
      owed: { amount: 0 },
    })
  })

  test('what is owed is settled by whatever money comes, but never by credit', async () => {
    const { payer, id } = await paid()
    await payer.call(createServer, { body: order(walletOf(payer), '1.21.4') })
    const { balance } = await balanceOf(payer)
    await enter(id, 5000, `CB-${id}`)
    const owed = 5000 - balance
    const give = (amount: number, isRefundable: boolean) =>
      refundWorld.boss.call(topUpWallet, {
        params: { id: walletOf(payer) },
        body: { amount, reason: 'a gift', refundable: isRefundable },
        idempotencyKey: randomUUID(),
      })
    await give(500, false)
    await settleAllDebts(refundWorld.world.api.context, new Date())
    expect(await balanceOf(payer)).toEqual({ balance: 500, owed })
    await give(owed - 100, true)
    await settleAllDebts(refundWorld.world.api.context, new Date())
    expect(await balanceOf(payer)).toEqual({ balance: 500, owed: 100 })
    await give(300, true)
    await Promise.all([1, 2, 3].map(() => settleAllDebts(refundWorld.world.api.context, new Date())))
    expect(await balanceOf(payer)).toEqual({ balance: 700, owed: 0 })
  })

  test.runIf(isLong)('a refund of which the provider never tells is ended, either way', async () => {
    const { payer, id } = await paid()
    setFaults('payu', id, { refund: 'error' })
    const asked = await refund(id, 1000)
    await pass(hours(1))
    await settle(asked.id, 'FAILED')
    expect(await balanceOf(payer)).toEqual({ balance: 5000, owed: 0 })
    const another = await refund(id, 1000)
    await settle(another.id, 'COMPLETED')
    expect(await balanceOf(payer)).toEqual({ balance: 4000, owed: 0 })
    expect(await pass(hours(9))).toBe(0)
  })
})
