/**
 * What customers of other billing systems complain about when plans change, each as a test through the front door, with
 * the clock stopped so that amounts are exact. The names in brackets say where it was reported.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiClient } from '@wakestone/contract/client'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet, listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { type Caller, signInForYears, startTestApi, type TestApi } from '../support/api.ts'
import { findLedgerFaults } from '../support/ledger.ts'
import { isLong } from '../support/long.ts'
import { day, priceOf } from '../support/money/rules.ts'
import { order, topUp } from '../support/servers.ts'

const grass = priceOf('GRASS', '720h', 'PLN')
const amethyst = priceOf('AMETHYST', '720h', 'PLN')
const memory = priceOf('EXTRA_MEMORY_2G', '720h', 'PLN')

let api: TestApi
let owner: Caller
let call: ApiClient
let walletId: string
let start: number

beforeEach(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  call = await signInForYears(api, owner)
  start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  walletId = await topUp(api.context, owner, 100_000)
})
afterEach(async () => {
  vi.useRealTimers()
  const faults = await findLedgerFaults(api.context.database.pool)
  await api.close()
  if (Object.keys(faults).length > 0) throw new Error(`the ledger is broken: ${JSON.stringify(faults)}`)
})

const goTo = (days: number) => void vi.setSystemTime(start + days * day)
const balance = async () => (await call(getWallet, { params: { id: walletId } })).balance.amount
const rent = async (product: string) => {
  const body = order(walletId, '1.21.4', { requested_billing_services: [product] })
  return (await call(createServer, { body })).service_id
}
/** @returns what it cost; minus was given back. What was said before, what is answered and what moves are the same. */
async function change(id: string, product_id: string): Promise<number> {
  const quote = await call(billings.getServiceUpgrade, { params: { id } })
  const target = quote.upgrade_targets.find(({ product }) => product.id === product_id)
  expect(target?.obstacle).toBeNull()
  const said = (target?.upgrade_price?.amount ?? 0) - (target?.credit?.amount ?? 0)
  const before = await balance()
  const { amount, expires } = await call(billings.upgradeService, {
    params: { id },
    body: { product_id, wallet_id: walletId },
  })
  expect(expires).toBe(quote.expires)
  expect(before - (await balance())).toBe(amount.amount)
  expect(amount.amount).toBe(said)
  return amount.amount
}

test('a downgrade gives credit, never a debt, and never more than was paid (Paymenter #933)', async () => {
  const id = await rent('AMETHYST')
  goTo(10)
  const back = -(await change(id, 'GRASS'))
  // Two thirds of the time are left: two thirds of the difference.
  expect(back).toBeGreaterThan(0)
  expect(back).toBeLessThanOrEqual(((amethyst - grass) * 2) / 3)
  expect(back).toBeGreaterThanOrEqual(((amethyst - grass) * 2) / 3 - 2)
})

test.runIf(isLong)(
  'an upgrade takes money and gives none back, whatever stands beside the plan (Paymenter #797)',
  async () => {
    const plain = await rent('GRASS')
    const more = await rent('GRASS')
    await call(billings.addServiceAddOn, {
      params: { id: more },
      body: { product_id: 'EXTRA_MEMORY_2G', wallet_id: walletId },
    })
    goTo(15)
    const cost = await change(plain, 'AMETHYST')
    expect(cost).toBe(Math.ceil(amethyst / 2) - Math.floor(grass / 2))
    expect(await change(more, 'AMETHYST')).toBe(cost)
    const { add_ons } = await call(billings.listServiceAddOns, { params: { id: more } })
    expect(add_ons.map(({ product }) => product)).toEqual(['EXTRA_MEMORY_2G'])
  },
)

test.runIf(isLong)(
  'a second upgrade counts what is held, not the last charge (Gumroad #6077, Lago #1778)',
  async () => {
    const id = await rent('GRASS')
    goTo(15)
    const first = await change(id, 'AMETHYST')
    goTo(20)
    const back = -(await change(id, 'GRASS'))
    // Of what the upgrade cost, what is not used up.
    expect(back).toBeLessThanOrEqual((first * 10) / 15)
    expect(back).toBeGreaterThanOrEqual((first * 10) / 15 - 2)
    const second = await change(id, 'AMETHYST')
    expect(second).toBeGreaterThanOrEqual(back)
    expect(second).toBeLessThanOrEqual(back + 1)
  },
)

test.runIf(isLong)('up and down, day after day, is no way to money (Polar #5826)', async () => {
  const id = await rent('GRASS')
  let balanceBefore = await balance()
  for (let round = 1; round <= 8; round++) {
    goTo(round * 1.5)
    await change(id, 'AMETHYST')
    await change(id, 'GRASS')
    const now = await balance()
    expect(now).toBeLessThanOrEqual(balanceBefore)
    balanceBefore = now
  }
  const costs = await call(listWalletTransactions, { params: { id: walletId } })
  expect(costs.count).toBe(1 + 2 * 8)
})

test.runIf(isLong)(
  'a renewal is of everything, and what is beside the plan is not forgotten (Paymenter #797)',
  async () => {
    const id = await rent('GRASS')
    const before = await balance()
    await call(billings.addServiceAddOn, {
      params: { id },
      body: { product_id: 'EXTRA_MEMORY_2G', wallet_id: walletId },
    })
    expect(before - (await balance())).toBe(memory)
    const costs = await call(billings.getServiceCost, { params: { id } })
    const said = costs.find(({ period }) => period === '720h')?.gross_price.amount
    const held = await balance()
    await call(billings.renewService, { params: { id }, body: { billing_period: '720h', wallet_id: walletId } })
    expect(held - (await balance())).toBe(grass + memory)
    expect(said).toBe(grass + memory)
    const [written] = (await call(listWalletTransactions, { params: { id: walletId } })).data
    expect(written?.positions.map(({ name, total_price_gross }) => [name, total_price_gross])).toEqual([
      ['GRASS', grass],
      ['EXTRA_MEMORY_2G', memory],
    ])
  },
)
