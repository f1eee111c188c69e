/** Very many asking for the same thing at the same moment. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getService, renewService } from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { hour, priceOf } from '../support/money/rules.ts'
import { order, topUp } from '../support/servers.ts'
import { outcomeOf } from '../support/outcome.ts'

/** The smaller number is still more than are answered in time. */
const renewals = isLong ? 1_000 : 100
const month = priceOf('GRASS', '720h', 'PLN')
let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const stateOf = async (owner: Caller, walletId: string) => ({
  balance: (await owner.call(getWallet, { params: { id: walletId } })).balance.amount,
  purchases: (await owner.call(listWalletTransactions, { params: { id: walletId } })).count,
  faults: await findLedgerFaults(api.context.database.pool),
})

/** More than can be answered in time are told so, and ask again by the same key once `Retry-After` is over. */
async function untilAnswered(ask: () => Promise<string>): Promise<string> {
  for (;;) {
    const outcome = await ask()
    if (outcome !== 'service_unavailable') return outcome
    await setTimeout(1000 + Math.random() * 1000)
  }
}

test(`${renewals} renewals of one service by one key are one`, async () => {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5 * month)
  const { service_id } = await owner.call(createServer, { body: order(walletId, '1.21.4') })
  const params = { id: service_id }
  const end = Date.parse((await owner.call(getService, { params })).expires ?? '')
  const idempotencyKey = randomUUID()
  const renew = () =>
    outcomeOf(
      owner.call(renewService, { params, body: { billing_period: '720h', wallet_id: walletId }, idempotencyKey }),
    )
  const outcomes = await Promise.all(Array.from({ length: renewals }, () => untilAnswered(renew)))
  expect(new Set(outcomes)).toEqual(new Set(['success']))
  expect(Date.parse((await owner.call(getService, { params })).expires ?? '')).toBe(end + 720 * hour)
  expect(await stateOf(owner, walletId)).toEqual({ balance: 3 * month, purchases: 2, faults: {} })
}, 180_000)

test('of 100 purchases at once from a wallet for 7, 7 are servers, each paid for', async () => {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 7 * month + month - 1)
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => {
      const once = { body: order(walletId, '1.21.4'), idempotencyKey: randomUUID() }
      return untilAnswered(() => outcomeOf(owner.call(createServer, once)))
    }),
  )
  expect(outcomes.toSorted()).toEqual(
    Array.from({ length: 100 }, (_, at) => (at < 7 ? 'success' : 'wallet_has_not_funds')),
  )
  expect(await stateOf(owner, walletId)).toEqual({ balance: month - 1, purchases: 7, faults: {} })
  const { rows } = await api.context.database.pool.query('select 1 from servers where owner_id = $1', [owner.user.id])
  expect(rows).toHaveLength(7)
}, 180_000)

test('of 200 of the same purchase at once, one is a server', async () => {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 3 * month)
  const body = order(walletId, '1.21.4')
  const idempotencyKey = randomUUID()
  const made = new Set<string>()
  const rent = async () => void made.add((await owner.call(createServer, { body, idempotencyKey })).id)
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => untilAnswered(() => outcomeOf(rent()))))
  expect(new Set(outcomes)).toEqual(new Set(['success']))
  expect(made.size).toBe(1)
  expect(await stateOf(owner, walletId)).toEqual({ balance: 2 * month, purchases: 1, faults: {} })
}, 180_000)
