/**
 * What else becomes of top-ups that were taxed when they were paid in, through the front door, in two currencies: bills,
 * downgrades, refunds that fail, second payments. Documents, the ledger's VAT and the wallet, to the minor unit.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { upgradeService } from '@wakestone/contract/sales/billings-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { getPayLater, payBill } from '@wakestone/contract/sales/pay-later-routes'
import * as returns from '@wakestone/contract/money/payment-returns-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { deposit, settled, walletOf } from '../../../../../../tests/support/payment-world.ts'
import { order } from '../../../../../../tests/support/servers.ts'
import { startTaxedWorld, type TaxedWorld } from '../../../../../../tests/support/taxed-world.ts'
import { sendDueRefunds } from '#src/features/money/refunds/sending.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let taxed: TaxedWorld
beforeAll(async () => {
  taxed = await startTaxedWorld()
  await taxed.boss.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })
})
afterEach(() => taxed.verify())
afterAll(() => taxed.close())

const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
/** Of a gross amount, with 23 % of VAT. */
const vatIn = (gross: number) => gross - Math.round((gross * 100) / 123)

/** GRASS and AMETHYST for 720 h, with 23 % of VAT. */
describe.each([
  { currency: 'PLN' as const, small: 1844, large: 5534 },
  { currency: 'EUR' as const, small: 429, large: 1290 },
])('in $currency', ({ currency, small, large }) => {
  const wallet = (payer: Caller) => walletOf(payer, currency)
  const balanceOf = (payer: Caller) => taxed.balanceOf(payer, currency)
  async function paid(amount: number, caller?: Caller) {
    const { world } = taxed
    const payer = caller ?? (await world.api.signUp())
    const { id } = await deposit(payer, { provider: 'paynow', amount, currency })
    world.paynow.pay(world.paymentOf(id).paymentId)
    await world.poll(id)
    expect((await settled(payer, id)).status).toBe('COMPLETED')
    return { payer, id }
  }
  const rent = (payer: Caller, product: 'GRASS' | 'AMETHYST', more: object = {}) =>
    payer.call(createServer, {
      body: order(wallet(payer), '1.21.4', { requested_billing_services: [product], currency, ...more }),
    })
  const refund = (id: string, amount: number) =>
    taxed.boss.call(returns.refundTransaction, {
      params: { id },
      body: { amount, reason: 'asked for it' },
      idempotencyKey: randomUUID(),
    })
  const sendRefunds = async () => {
    for (const hour of [0, 1, 2, 3]) await sendDueRefunds(taxed.world.api.context, taxed.world.gateways, hours(hour))
  }
  const stateOf = async (id: string) =>
    (await taxed.boss.call(returns.getTransactionReturns, { params: { id } })).data.map(({ state }) => state)

  test('a bill that taxed money pays: its tax goes back, for what it paid for was taxed already; withdrawn from, it is money', async () => {
    const { payer } = await paid(5000)
    await paid(4000, payer)
    await taxed.world.api.context.db
      .updateTable('users')
      .set({ created_at: hours(-90 * 24) })
      .where('id', '=', payer.user.id)
      .execute()
    const server = await rent(payer, 'GRASS', { payment_method: 'pay-later', immediate: false })
    const bought = [
      ['receipt', 5000],
      ['receipt', 4000],
      ['receipt', small],
    ]
    expect(await taxed.documentsOf(payer)).toEqual(bought)
    expect(await balanceOf(payer)).toEqual([9000, 0])
    expect(await taxed.left(payer)).toEqual([
      [5000, 0, 0],
      [4000, 0, 0],
    ])
    const params = { id: payer.user.id }
    const [bill] = (await payer.call(getPayLater, { params })).bills
    for (let times = 0; times < 2; times++)
      await payer.call(payBill, { params: { ...params, billId: bill?.id ?? '' }, body: {} })
    const paidFor = [...bought, ['credit_note', -small]]
    expect(await taxed.documentsOf(payer)).toEqual(paidFor)
    expect(await balanceOf(payer)).toEqual([9000 - small, 0])
    // Of the latest top-up.
    expect(await taxed.left(payer)).toEqual([
      [5000, 0, 0],
      [4000 - small, 0, small],
    ])
    const vat = vatIn(5000) + vatIn(4000)
    expect(await taxed.booksOf(payer)).toEqual({ net: 9000 - vat, vat, prepaid: 9000 - small, other: 0 })

    await taxed.withdraw(payer, server.service_id)
    expect(await taxed.documentsOf(payer)).toEqual([...paidFor, ['credit_note', -small]])
    expect(await balanceOf(payer)).toEqual([9000, 0])
    const rest = vatIn(5000) + vatIn(4000 - small)
    expect(await taxed.booksOf(payer)).toEqual({
      net: 9000 - small - rest,
      vat: rest,
      prepaid: 9000 - small,
      other: 0,
    })
  })

  test.runIf(isLong)(
    'what a downgrade gives back of taxed money is taxed credit: spent without a document, taken with a credit note',
    async () => {
      const { payer, id } = await paid(2 * large)
      const receipt = ['receipt', 2 * large]
      const server = await rent(payer, 'AMETHYST', { immediate: true })
      const vat = vatIn(2 * large)
      const all = { net: 2 * large - vat, vat, other: 0 }
      expect(await taxed.booksOf(payer)).toEqual({ ...all, prepaid: large })
      const { amount } = await payer.call(upgradeService, {
        params: { id: server.service_id },
        body: { product_id: 'GRASS', wallet_id: wallet(payer) },
        idempotencyKey: randomUUID(),
      })
      const credit = -amount.amount
      expect(Math.abs(credit - (large - small))).toBeLessThanOrEqual(2)
      expect(await balanceOf(payer)).toEqual([large + credit, credit])
      expect(await taxed.left(payer)).toEqual([[large, credit, 0]])
      expect(await taxed.booksOf(payer)).toEqual({ ...all, prepaid: large + credit })
      await rent(payer, 'GRASS')
      expect(await balanceOf(payer)).toEqual([large + credit - small, credit - small])
      expect(await taxed.left(payer)).toEqual([[large, credit - small, 0]])
      expect(await taxed.documentsOf(payer)).toEqual([receipt])

      const taken = await taxed.boss.call(returns.enterChargeback, {
        params: { id },
        body: { amount: 2 * large, case_id: `CB-${id}`, reason: 'a letter of the bank' },
      })
      const held = large + credit - small
      expect(taken.owed.amount).toBe(2 * large - held)
      expect(await balanceOf(payer)).toEqual([0, 0])
      expect(await taxed.documentsOf(payer)).toEqual([receipt, ['credit_note', -held]])
      const used = vatIn(2 * large - held)
      expect(await taxed.booksOf(payer)).toEqual({ net: 2 * large - held - used, vat: used, prepaid: 0, other: 0 })

      await taxed.boss.call(returns.settlePaymentReturn, {
        params: { id: taken.id },
        body: { outcome: 'RETURNED', reason: 'won' },
      })
      expect(await balanceOf(payer)).toEqual([held, credit - small])
      expect((await taxed.documentsOf(payer)).slice(2)).toEqual([
        ['receipt', large],
        ['receipt', credit - small],
      ])
      expect((await taxed.booksOf(payer))?.prepaid).toBe(held)
    },
  )

  test.runIf(isLong)(
    'a refund that fails is taxed again, and leaves later with credit notes that leave nothing',
    async () => {
      const { payer, id } = await paid(5000)
      const { world } = taxed
      const setFaults = (refundFault: 'fail' | undefined) =>
        world.paynow.setFaults({
          order: world.paymentOf(id).externalId,
          faults: { lose: true, ...(refundFault && { refund: refundFault }) },
        })
      setFaults('fail')
      await refund(id, 2001)
      const documents: unknown[] = [
        ['receipt', 5000],
        ['credit_note', -2001],
      ]
      expect(await taxed.documentsOf(payer)).toEqual(documents)
      expect(await balanceOf(payer)).toEqual([2999, 0])
      await sendRefunds()
      expect(await stateOf(id)).toEqual(['FAILED'])
      documents.push(['receipt', 2001])
      expect(await taxed.documentsOf(payer)).toEqual(documents)
      expect(await balanceOf(payer)).toEqual([5000, 0])
      expect(await taxed.left(payer)).toEqual([
        [2999, 0, 2001],
        [2001, 0, 0],
      ])
      const vat = vatIn(2999) + vatIn(2001)
      expect(await taxed.booksOf(payer)).toEqual({ net: 5000 - vat, vat, prepaid: 5000, other: 0 })
      setFaults(undefined)
      await refund(id, 5000)
      await sendRefunds()
      expect((await stateOf(id)).toSorted()).toEqual(['COMPLETED', 'FAILED'])
      documents.push(['credit_note', -2999], ['credit_note', -2001])
      expect(await taxed.documentsOf(payer)).toEqual(documents)
      expect(await balanceOf(payer)).toEqual([0, 0])
      expect(await taxed.booksOf(payer)).toEqual({ net: 0, vat: 0, prepaid: 0, other: 0 })
    },
  )

  test.runIf(isLong)(
    'a second payment for one order is a top-up of its own, taxed as one, and goes back as one',
    async () => {
      const { world } = taxed
      const payer = await world.api.signUp()
      const { id } = await deposit(payer, { provider: 'paynow', amount: 5000, currency })
      const first = world.paymentOf(id)
      const second = world.paynow.abandon(first.paymentId)
      world.paynow.pay(second)
      await world.tell('paynow', world.paynow.letter(second))
      expect(await taxed.documentsOf(payer)).toEqual([['receipt', 5000]])
      // The payer had gone on with the first one in another window.
      world.paynow.settle(first.paymentId, 'CONFIRMED')
      for (let times = 0; times < 2; times++) await world.tell('paynow', world.paynow.letter(first.paymentId))
      const documents: unknown[] = [
        ['receipt', 5000],
        ['receipt', 5000],
      ]
      expect(await taxed.documentsOf(payer)).toEqual(documents)
      expect(await balanceOf(payer)).toEqual([10_000, 0])
      const vat = vatIn(5000)
      expect(await taxed.booksOf(payer)).toEqual({ net: 10_000 - 2 * vat, vat: 2 * vat, prepaid: 10_000, other: 0 })
      const { data } = await payer.call(listWalletTransactions, { params: { id: wallet(payer) } })
      const own = data.find((one) => one.id !== id && one.amount === 5000)
      await refund(own?.id ?? '', 5000)
      await sendRefunds()
      expect(await stateOf(own?.id ?? '')).toEqual(['COMPLETED'])
      documents.push(['credit_note', -5000])
      expect(await taxed.documentsOf(payer)).toEqual(documents)
      expect(await taxed.left(payer)).toEqual([
        [5000, 0, 0],
        [0, 0, 5000],
      ])
      expect(await taxed.booksOf(payer)).toEqual({ net: 5000 - vat, vat, prepaid: 5000, other: 0 })
    },
  )
})
