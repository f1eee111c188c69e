import { expect, test } from 'vitest'
import type { Product } from '@wakestone/contract/sales/product'
import { addonsOf, isForSale, plansOf, priceOf, readChoice, savingOf } from './offer-prices.ts'

const money = (amount: number, currency = 'PLN') => ({ amount, currency })
const price = (amount: number, period: '720h' | '8760h', currency = 'PLN') => ({
  cluster_id: 'local',
  period,
  price: money(amount, currency),
  gross_price: money(Math.round(amount * 1.23), currency),
  lowest_price_30d: null,
  lowest_gross_price_30d: null,
})
function product(id: string, changes: Partial<Product> = {}): Product {
  return {
    id,
    type: 'GAME_SERVER',
    parameters: {
      memory: 2,
      cpu: 1,
      storage: 10,
      players: 20,
      sleep: { light: null, deep: null, hibernate: null },
    },
    depends_on_products: [],
    visible: true,
    available: true,
    availability: null,
    prices: [price(1000, '720h'), price(10_342, '8760h')],
    pricePerHour: { PLN: 1.7 },
    upgrade_targets: [],
    trial_hours: null,
    ...changes,
  }
}

test('period and currency come from the address, else from the visitor', () => {
  expect(readChoice(new URLSearchParams('period=8760h&currency=USD'), 'PLN')).toEqual({
    period: '8760h',
    currency: 'USD',
  })
  expect(readChoice(new URLSearchParams('period=1h&currency=XXX'), 'PLN')).toEqual({ period: '720h', currency: 'PLN' })
  expect(readChoice(new URLSearchParams(), 'CHF')).toEqual({ period: '720h', currency: 'EUR' })
})

test('plans are the base products that are shown, cheapest first', () => {
  const products = [
    product('AMETHYST', { pricePerHour: { PLN: 7 } }),
    product('GRASS', { pricePerHour: { PLN: 2 } }),
    product('FREE', { visible: false }),
    product('EXTRA_MEMORY_2G', { type: 'EXTRA_MEMORY', depends_on_products: ['GRASS'] }),
    product('SOMETHING_ELSE'),
  ]
  expect(plansOf(products, 'PLN').map(({ id }) => id)).toEqual(['GRASS', 'AMETHYST'])
})

test('add-ons go by size and leave the promotion out', () => {
  const storage = (id: string, size: number) =>
    product(id, { type: 'EXTRA_STORAGE', parameters: { ...product('x').parameters, storage: size } })
  const products = [
    storage('EXTRA_STORAGE_30G', 30),
    storage('EXTRA_STORAGE_10G', 10),
    product('SPEEDRUN_PROMO_EXTRA_MEMORY_4G', { type: 'EXTRA_MEMORY' }),
  ]
  expect(addonsOf(products, 'EXTRA_STORAGE').map(({ id }) => id)).toEqual(['EXTRA_STORAGE_10G', 'EXTRA_STORAGE_30G'])
  expect(addonsOf(products, 'EXTRA_MEMORY')).toEqual([])
})

test('a price is the cheapest of its period and currency; without one nothing is for sale', () => {
  const two = product('GRASS', { prices: [price(1500, '720h'), price(1400, '720h'), price(300, '720h', 'EUR')] })
  expect(priceOf(two, { period: '720h', currency: 'PLN' })?.price.amount).toBe(1400)
  expect(priceOf(two, { period: '8760h', currency: 'PLN' })).toBeUndefined()
  expect(isForSale(two, { period: '720h', currency: 'PLN' })).toBe(true)
  expect(isForSale(two, { period: '8760h', currency: 'PLN' })).toBe(false)
  expect(isForSale({ ...two, availability: 0 }, { period: '720h', currency: 'PLN' })).toBe(false)
})

test('a longer period saves per hour, and a free plan does not hide that', () => {
  const free = product('FREE', { prices: [price(0, '720h'), price(0, '8760h')] })
  expect(savingOf([free, product('GRASS')], { period: '8760h', currency: 'PLN' })).toBe(0.15)
  expect(savingOf([free], { period: '8760h', currency: 'PLN' })).toBe(0)
})
