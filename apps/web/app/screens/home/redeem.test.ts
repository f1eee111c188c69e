import { expect, test } from 'vitest'
import type { Product } from '@wakestone/contract/sales/product'
import { findRedeemable, triedProducts } from './redeem.ts'

function product(id: string, amount: number, changes: Partial<Product> = {}): Product {
  const money = { amount, currency: 'PLN' }
  return {
    id,
    type: 'GAME_SERVER',
    parameters: { memory: 1, cpu: 1, storage: 1, players: 1, sleep: { light: null, deep: null, hibernate: null } },
    depends_on_products: [],
    visible: true,
    available: true,
    availability: null,
    prices: [
      {
        cluster_id: 'local',
        period: '720h',
        price: money,
        gross_price: money,
        lowest_price_30d: null,
        lowest_gross_price_30d: null,
      },
    ],
    pricePerHour: { PLN: amount / 720 },
    upgrade_targets: [],
    trial_hours: 24,
    ...changes,
  }
}
const products = [product('AMETHYST', 5534), product('FREE', 0), product('GRASS', 1844)]
const find = (query: string, changes: Partial<Parameters<typeof findRedeemable>[0]> = {}) => {
  const found = findRedeemable({
    search: new URLSearchParams(query),
    products,
    isSignedIn: false,
    redeemed: [],
    currency: 'PLN',
    ...changes,
  })
  return found?.kind === 'offer' ? found.plan.id : (found?.kind ?? null)
}

test('offers the cheapest plan that costs something and was not tried', () => {
  expect(find('redeem-free-server')).toBe('GRASS')
  expect(find('redeem-free-server', { isSignedIn: true, redeemed: ['GRASS'] })).toBe('AMETHYST')
  expect(find('redeem-free-server', { redeemed: ['GRASS', 'AMETHYST'] })).toBe('redeemed')
  expect(find('redeem-free-server', { products: null })).toBe('failed')
})

test('offers a named plan to visitors only', () => {
  expect(find('redeemfreeserver=AMETHYST')).toBe('AMETHYST')
  expect(find('redeemfreeserver=AMETHYST', { isSignedIn: true })).toBeNull()
  expect(find('redeemfreeserver=FREE')).toBeNull()
  expect(find('redeemfreeserver=NOTHING')).toBeNull()
  expect(find('redeemfreeserver=GRASS', { products: [product('GRASS', 1, { available: false })] })).toBeNull()
})

test('says nothing unasked', () => expect(find('period=720h')).toBeNull())

test('what cannot be tried is not offered', () => {
  const only = [product('GRASS', 1844, { trial_hours: null }), product('AMETHYST', 5534)]
  expect(find('redeem-free-server', { products: only })).toBe('AMETHYST')
})

test('a trial counts for 90 days', () => {
  const use = (group_id: string | null, days: number) => ({
    id: group_id ?? 'none',
    ts: new Date(1e12 - days * 86_400_000).toISOString(),
    user_id: 'user',
    voucher_id: 'voucher',
    details: {},
    voucher: { group_id, created_at: new Date(1e12).toISOString() },
  })
  const uses = [use('testing-server-AMETHYST', 89), use('testing-server-GRASS', 91), use('gifts', 1), use(null, 1)]
  expect(triedProducts(uses, 1e12)).toEqual(['AMETHYST'])
})
