/** Messages that come too early, say too little or are not the gateway's: what is made of them, and what is kept. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getReconciliation } from '@wakestone/contract/money/reconciliations-routes'
import { GatewayUnavailable, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import { gatewaysOf } from '#src/adapters/payments/registry.ts'
import { clearOldRecords } from '#src/features/admin/retention/service.ts'
import type { Caller } from '../../../../../../tests/support/api.ts'
import { payuKeys } from '../../../../../../tests/support/gateways.ts'
import { findLedgerFaults } from '../../../../../../tests/support/ledger.ts'
import {
  deposit,
  type Letter,
  movementsOf,
  startPaymentWorld,
  type World,
} from '../../../../../../tests/support/payment-world.ts'
import { standingOf } from '../../../../../../tests/support/status-table.ts'
import { reconcileDay } from '#src/features/money/reconciliation/service.ts'
import { receiveNotification } from './inbox.ts'
import { tidyPayments } from './upkeep.ts'

const forgeries = 5
let world: World
let caller: Caller
let boss: Caller
beforeAll(async () => {
  world = await startPaymentWorld({ jobs: false, paypal: true, env: { LIMIT_FORGERIES: String(forgeries) } })
  caller = await world.signUp()
  boss = await world.signUp({ admin: true })
})
afterAll(async () => {
  const faults = await findLedgerFaults(world.context.database.pool)
  await world.close()
  if (Object.keys(faults).length > 0) throw new Error(`broken rules: ${JSON.stringify(faults)}`)
})

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  world.context.database.pool.query<Row>(text, values)
const letterOf = (content: object, key = payuKeys.secondKey): Letter => {
  const body = JSON.stringify(content)
  const signature = createHash('md5').update(body).update(key).digest('hex')
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'openpayu-signature': `sender=checkout;signature=${signature};algorithm=MD5;content=DOCUMENT`,
    },
  }
}
type Event = { id: string; state: string; note: string | null; raw: Buffer; next_try_at: Date | null }
const lastEvent = async () => {
  const { rows } = await query<Event>('select * from gateway_events order by id desc limit 1')
  const [event] = rows
  if (event === undefined) throw new Error('nothing was told')
  return event
}
/** As if a message had come so much earlier, and its turn were now. */
const letPass = (id: string, hours: number) =>
  query(
    `update gateway_events set received_at = received_at - make_interval(hours => $2), next_try_at = now() where id = $1`,
    [id, hours],
  )

/** A top-up whose money PayU has taken and given back in part, of which nothing was told yet. */
async function refundedThere() {
  const payer = await world.signUp()
  const { id } = await deposit(payer, { provider: 'payu' })
  const { orderId } = world.orderOf(id)
  world.payu.become(orderId, 'COMPLETED')
  world.payu.refundByHand(orderId, 2000)
  world.payu.settleRefunds(orderId)
  const [refund] = world.orderOf(id).refunds
  if (refund === undefined) throw new Error('nothing was given back')
  const { refundId } = refund
  const about = { orderId, extOrderId: id }
  const told = letterOf({ ...about, refund: { refundId, amount: '2000', currencyCode: 'PLN', status: 'FINALIZED' } })
  return { payer, id, orderId, told, refundId }
}

describe('a refund that is told before its payment', () => {
  test('has the payment asked about and credited, and is then taken', async () => {
    const { payer, told } = await refundedThere()
    expect(await world.tell('payu', told)).toBe(200)
    expect(await movementsOf(payer)).toEqual([-2000, 5000])
    expect(await lastEvent()).toMatchObject({ state: 'processed', note: 'applied' })
  })

  test('waits while that is not paid, stands in the nightly report, and is handled later', async () => {
    const { payer, orderId, told, refundId } = await refundedThere()
    world.payu.become(orderId, 'PENDING')
    expect(await world.tell('payu', told)).toBe(200)
    const event = await lastEvent()
    expect(event).toMatchObject({ state: 'verified', note: 'unknown payment' })
    expect(event.next_try_at?.getTime()).toBeGreaterThan(Date.now())
    const payu = world.gateways.find('payu') as PaymentGateway
    const report = async () => {
      const id = await reconcileDay(world.context, payu, { day: new Date(), now: new Date() })
      const { lines } = await boss.call(getReconciliation, { params: { id } })
      return lines.filter(({ gateway_id }) => gateway_id === refundId)
    }
    expect(await report()).toMatchObject([
      { movement: 'refund', kind: 'missing_here', order_id: orderId, their_amount: 2000, healed: false },
    ])
    await letPass(event.id, 2)
    await world.tidy()
    expect(await lastEvent()).toMatchObject({ state: 'verified', note: 'unknown payment' })
    world.payu.become(orderId, 'COMPLETED')
    await letPass(event.id, 2)
    await world.tidy()
    expect(await lastEvent()).toMatchObject({ state: 'processed', note: 'applied' })
    expect(await movementsOf(payer)).toEqual([-2000, 5000])
    expect(await report()).toEqual([])
  })

  test('waits a day, and no longer', async () => {
    const { payer, orderId, told } = await refundedThere()
    world.payu.become(orderId, 'PENDING')
    await world.tell('payu', told)
    const event = await lastEvent()
    world.takeLog()
    await letPass(event.id, 25)
    await world.tidy()
    expect(await lastEvent()).toMatchObject({ state: 'ignored', note: 'unknown payment' })
    expect(world.takeLog()).toMatchObject([{ level: 'error', fields: { event: event.id, gateway: 'payu' } }])
    expect(await movementsOf(payer)).toEqual([])
  })

  test('PayPal, which names our order: the same', async () => {
    const payer = await world.signUp()
    const { id } = await deposit(payer, { provider: 'paypal', currency: 'EUR' })
    const { id: orderId } = world.paypalOrderOf(id)
    world.paypal.become(orderId, { status: 'COMPLETED', capture: 'COMPLETED' })
    world.paypal.setFaults({ faults: { lose: true } })
    world.paypal.refundByHand(orderId, 2000)
    expect(await world.tell('paypal', world.paypal.refundLetter(orderId))).toBe(200)
    expect(await movementsOf(payer, 'EUR')).toEqual([-2000, 5000])
  })
})

test('a refund that PayU tells of and does not list waits for the list, and is believed after a day', async () => {
  const { payer, id, orderId } = await refundedThere()
  await world.poll(id)
  const refund = { refundId: '7100', amount: '1000', currencyCode: 'PLN', status: 'FINALIZED' }
  await world.tell('payu', letterOf({ orderId, extOrderId: id, refund }))
  const event = await lastEvent()
  expect(event).toMatchObject({ state: 'verified', note: 'refund not listed' })
  expect(await movementsOf(payer)).toEqual([5000])
  await letPass(event.id, 25)
  await world.tidy()
  expect(await lastEvent()).toMatchObject({ state: 'processed', note: 'applied' })
  expect(await movementsOf(payer)).toEqual([-1000, 5000])
})

const paidLetter = (id: string, more: object = {}) =>
  letterOf({
    order: {
      orderId: world.orderOf(id).orderId,
      extOrderId: id,
      merchantPosId: payuKeys.posId,
      currencyCode: 'PLN',
      totalAmount: '5000',
      status: 'COMPLETED',
    },
    ...more,
  })

test('one message that cannot be made out stands in the way of no other, nor of the rest of the upkeep', async () => {
  const { id } = await deposit(caller, { provider: 'payu' })
  const paypal = world.gateways.find('paypal') as PaymentGateway
  const payu = world.gateways.find('payu') as PaymentGateway
  const away = {
    ...paypal,
    isSigned: () => Promise.reject(new GatewayUnavailable('no certificate now')),
  } satisfies PaymentGateway
  const forged = { raw: Buffer.from(`{"id":"${randomUUID()}"}`), headers: {} }
  await expect(receiveNotification(world.context, away, forged)).rejects.toThrow('no certificate now')
  const stuck = await lastEvent()
  await letPass(stuck.id, 1)
  expect(await world.deliver('payu', paidLetter(id))).toBe(200)
  await letPass((await lastEvent()).id, 1)
  await query(`insert into gateway_events (gateway, raw, headers, dedupe_key, state, received_at)
    values ('payu', '', '{}', 'old', 'refused', now() - interval '31 days')`)
  await tidyPayments(world.context, gatewaysOf([away, payu]))
  expect(await standingOf(world.context, id)).toMatchObject({ status: 'COMPLETED', credited: [5000] })
  const { rows } = await query<Event>(`select * from gateway_events where id = $1 or dedupe_key = 'old'`, [stuck.id])
  expect(rows).toMatchObject([{ state: 'received' }])
  expect(rows[0]?.next_try_at?.getTime()).toBeGreaterThan(Date.now())
})

test('a message that was refused is taken when it comes again and what was wrong here is mended', async () => {
  const { id } = await deposit(caller, { provider: 'payu' })
  const payu = world.gateways.find('payu') as PaymentGateway
  const letter = paidLetter(id, { localReceiptDateTime: 'x'.repeat(3000) })
  const wrongKey = { ...payu, isSigned: async () => false } satisfies PaymentGateway
  const notification = { raw: Buffer.from(letter.body), headers: letter.headers }
  expect(await receiveNotification(world.context, wrongKey, notification)).toBe(false)
  const refused = await lastEvent()
  expect(refused).toMatchObject({ state: 'refused', note: 'signature' })
  expect(refused.raw).toHaveLength(1024)
  expect(await receiveNotification(world.context, wrongKey, notification)).toBe(false)
  expect(await world.tell('payu', letter)).toBe(200)
  expect(await standingOf(world.context, id)).toMatchObject({ status: 'COMPLETED', credited: [5000] })
  expect(await lastEvent()).toMatchObject({ id: refused.id, state: 'processed' })
})

describe('what is not the gateway’s', () => {
  test('of a certificate that PayPal does not have is refused, and not asked about again', async () => {
    const { id } = await deposit(caller, { provider: 'paypal', currency: 'EUR' })
    const letter = world.paypal.letter(world.paypalOrderOf(id).id, { status: 'APPROVED' })
    const headers = { ...letter.headers, 'paypal-cert-url': `${world.paypal.url}/v1/notifications/certs/nope` }
    expect(await world.deliver('paypal', { ...letter, headers })).toBe(403)
    expect(await lastEvent()).toMatchObject({ state: 'refused' })
  })

  test('is counted for its address, and then not looked at; what is true counts nothing', async () => {
    const { app } = world.api.api
    const send = async (remoteAddress: string, { body: payload, headers }: Letter) => {
      const url = '/api/v1/payments/payu/notify'
      return (await app.inject({ method: 'POST', url, headers, payload, remoteAddress })).statusCode
    }
    const { id } = await deposit(caller, { provider: 'payu' })
    const forged = () => letterOf({ order: { orderId: randomUUID() } }, 'another key')
    for (let times = 0; times < 3 * forgeries; times++) expect(await send('8.8.8.8', paidLetter(id))).toBe(200)
    world.takeLog()
    for (let times = 0; times < forgeries; times++) expect(await send('8.8.8.8', forged())).toBe(403)
    expect(world.takeLog().at(-1)).toMatchObject({ level: 'warn', fields: { ip: '8.8.8.8', gateway: 'payu' } })
    const { id: last } = await lastEvent()
    expect(await send('8.8.8.8', forged())).toBe(429)
    expect((await lastEvent()).id).toBe(last)
    expect(await send('8.8.4.4', forged())).toBe(403)
  })
})

test('what is done with is forgotten after its time; what waits is not', async () => {
  const insert = (key: string, state: string) =>
    query(
      `insert into gateway_events (gateway, raw, headers, dedupe_key, state, received_at)
       values ('other', 'x', '{}', $1, $2, now() - interval '91 days')`,
      [key, state],
    )
  await insert('a', 'processed')
  await insert('b', 'ignored')
  await insert('c', 'verified')
  await insert('d', 'received')
  const { rows: before } = await query<{ n: number }>(`select count(*)::int as n from gateway_events`)
  await clearOldRecords(world.context)
  const { rows } = await query<{ state: string }>(`select state from gateway_events where gateway = 'other' order by 1`)
  expect(rows.map(({ state }) => state)).toEqual(['received', 'verified'])
  const { rows: after } = await query<{ n: number }>(`select count(*)::int as n from gateway_events`)
  expect((before[0]?.n ?? 0) - (after[0]?.n ?? 0)).toBe(2)
})
