/** The figures on the first page of the administration follow what happens. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOverview } from '@wakestone/contract/admin/overview-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import { createTransaction } from '@wakestone/contract/money/transactions-routes'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { settled, startPaymentWorld, walletOf, type World } from '../../../../../../tests/support/payment-world.ts'

let world: World
let api: World['api']
let admin: Caller
beforeAll(async () => {
  world = await startPaymentWorld({})
  ;({ api } = world)
  admin = await api.signUp({ admin: true })
})
afterAll(() => world.close())

const read = () => admin.call(getOverview, {})

test('only administrators read it', async () => {
  await expect((await api.signUp()).call(getOverview, {})).rejects.toThrow('insufficient_capabilities')
})

test('who comes and who writes is counted; a ticket that has waited too long is overdue', async () => {
  const before = await read()
  const customer = await api.signUp()
  const body = { topic: 'payments', subject: 'Hello', message: 'Is anybody there?' } as const
  const ticket = await customer.call(createTicket, { body })
  const written = await read()
  expect(written.users).toEqual({ all: before.users.all + 1, new: before.users.new + 1 })
  expect(written.tickets).toEqual({ open: before.tickets.open + 1, overdue: 0 })

  await api.context.db
    .updateTable('support_tickets')
    .set({ waiting_since: new Date(Date.now() - 30 * 86_400_000) })
    .where('number', '=', ticket.number)
    .execute()
  await api.context.db
    .updateTable('users')
    .set({ created_at: new Date(Date.now() - 30 * 86_400_000) })
    .where('id', '=', customer.user.id)
    .execute()
  const later = await read()
  expect(later.tickets).toEqual({ open: before.tickets.open + 1, overdue: 1 })
  expect(later.users).toEqual({ all: before.users.all + 1, new: before.users.new })
})

test('a payment that came through counts with its amount, one that failed counts as failed', async () => {
  const before = (await read()).payments
  const payer = await api.signUp()
  const deposit = (amount: number) =>
    payer.call(createTransaction, {
      body: { action: 'DEPOSIT', provider: 'payu', wallet_id: walletOf(payer), amount, currency: 'PLN' },
      idempotencyKey: randomUUID(),
    })
  const [paid, refused] = [await deposit(5000), await deposit(7000)]
  world.payu.setFaults({ order: refused.id, faults: { mismatch: true } })
  for (const { id } of [paid, refused]) {
    world.payu.pay(world.orderOf(id).orderId)
    await settled(payer, id)
  }
  const sum = before.taken.find(({ currency }) => currency === 'PLN')?.amount ?? 0
  expect((await read()).payments).toEqual({
    completed: before.completed + 1,
    failed: before.failed + 1,
    taken: [{ currency: 'PLN', amount: sum + 5000 }],
  })
})
