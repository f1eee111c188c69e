/** What there is only so much of. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const setLeft = (id: string, availability: number | null) =>
  api.context.db.updateTable('products').set({ availability }).where('id', '=', id).execute()
const left = async (id: string) => (await api.anonymous(billings.getProduct, { params: { id } })).availability
const funds = 30_000

async function openPurse() {
  const { call, ...caller } = await api.signUp()
  const walletId = await topUp(api.context, caller, funds)
  return {
    call,
    walletId,
    rent: (product: string, idempotencyKey = randomUUID(), subdomain = `stock-${randomUUID().slice(0, 8)}`) =>
      call(createServer, {
        body: order(walletId, '1.21.4', { requested_billing_services: [product], subdomain }),
        idempotencyKey,
      }),
    balance: async () => (await call(getWallet, { params: { id: walletId } })).balance.amount,
  }
}

test('is sold so often as there is of it, whoever comes at once, and whoever comes too late pays nothing', async () => {
  await setLeft('AMETHYST', 2)
  try {
    const buyers = await Promise.all(Array.from({ length: 7 }, openPurse))
    const outcomes = await Promise.all(buyers.map(({ rent }) => outcomeOf(rent('AMETHYST'))))
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'product_not_available'),
      ...Array.from({ length: 2 }, () => 'success'),
    ])
    expect(await left('AMETHYST')).toBe(0)
    const balances = await Promise.all(buyers.map(({ balance }) => balance()))
    expect(balances.map((balance) => balance === funds)).toEqual(outcomes.map((outcome) => outcome !== 'success'))
  } finally {
    await setLeft('AMETHYST', null)
  }
})

test('one order is one of it, however often it is asked for; what cannot be paid takes none', async () => {
  const buyer = await openPurse()
  await setLeft('GRASS', 3)
  try {
    const key = randomUUID()
    await Promise.all([1, 2, 3].map(() => buyer.rent('GRASS', key, `same-${key.slice(0, 8)}`)))
    expect(await left('GRASS')).toBe(2)
    const poor = await api.signUp()
    const body = order(poor.user.wallets.find(({ currency }) => currency === 'PLN')?.id ?? '', '1.21.4')
    expect(await outcomeOf(poor.call(createServer, { body }))).toBe('wallet_has_not_funds')
    expect(await left('GRASS')).toBe(2)
  } finally {
    await setLeft('GRASS', null)
  }
})

test.runIf(isLong)('an upgrade and an addition take one too', async () => {
  const buyers = await Promise.all(Array.from({ length: 4 }, openPurse))
  const servers = await Promise.all(buyers.map(({ rent }) => rent('GRASS')))
  await Promise.all([setLeft('AMETHYST', 1), setLeft('EXTRA_MEMORY_2G', 2)])
  try {
    const each = (work: (buyer: (typeof buyers)[number], params: { id: string }) => Promise<unknown>) =>
      Promise.all(buyers.map((buyer, at) => outcomeOf(work(buyer, { id: servers[at]?.service_id ?? '' }))))
    const added = await each(({ call, walletId }, params) =>
      call(billings.addServiceAddOn, { params, body: { product_id: 'EXTRA_MEMORY_2G', wallet_id: walletId } }),
    )
    expect(added.filter((outcome) => outcome === 'success')).toHaveLength(2)
    const changed = await each(({ call, walletId }, params) =>
      call(billings.upgradeService, { params, body: { product_id: 'AMETHYST', wallet_id: walletId } }),
    )
    expect(changed.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(new Set([...added, ...changed])).toEqual(new Set(['success', 'product_not_available']))
    expect([await left('AMETHYST'), await left('EXTRA_MEMORY_2G')]).toEqual([0, 0])
  } finally {
    await Promise.all([setLeft('AMETHYST', null), setLeft('EXTRA_MEMORY_2G', null)])
  }
})
