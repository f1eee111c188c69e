import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Product } from '@wakestone/contract/sales/product'
import { basePlans, completeDraft, type Draft, periodsOf, readDraft, writeDraft } from './draft.ts'

const price = (period: '720h' | '2160h' | '8760h', amount: number, cluster_id = 'local') => ({
  cluster_id,
  period,
  price: { amount, currency: 'PLN' },
  gross_price: { amount: Math.round(amount * 1.23), currency: 'PLN' },
  lowest_price_30d: null,
  lowest_gross_price_30d: null,
})
const product = (id: string, perHour: number, changes: Partial<Product> = {}): Product => ({
  id,
  type: 'GAME_SERVER',
  visible: true,
  available: true,
  availability: null,
  depends_on_products: [],
  upgrade_targets: [],
  trial_hours: null,
  parameters: { memory: 1, cpu: 1, storage: 1, players: null, sleep: { light: null, deep: null, hibernate: null } },
  prices: [price('720h', 1499), price('2160h', 4272), price('8760h', 15502)],
  pricePerHour: { PLN: perHour },
  ...changes,
})
const wallet = (id: string, amount: number) => ({
  id,
  currency: 'PLN' as const,
  balance: { amount, currency: 'PLN' },
  non_refundable: { amount: 0, currency: 'PLN' },
  held: { amount: 0, currency: 'PLN' },
  owed: { amount: 0, currency: 'PLN' },
  details: {},
  created_at: '2026-01-01T00:00:00Z',
  country_tax_rate: { country_code: 'PL', vat_rate: 0.23 },
})
const cluster = (id: string, disabled = false) => ({
  id,
  disabled,
  visible_permission: null,
  host: 'x',
  zone_name: 'localhost',
  metadata: { name: id, country_code: null },
})
const engine = {
  id: 'paper' as const,
  name: 'Paper',
  latest: '1.21.4',
  versions: [
    { id: '1.21.4', type: 'release' as const },
    { id: '1.20.6', type: 'release' as const },
  ],
}
const catalogue = {
  plans: [product('FREE', 0), product('GRASS', 2), product('AMETHYST', 6)],
  wallets: [wallet('a', 5), wallet('b', 900)],
  clusters: [cluster('closed', true), cluster('local')],
  engines: [engine],
}
const empty = readDraft(new URLSearchParams())

test('an address keeps every choice', () => {
  const text = fc.option(fc.string({ minLength: 1, maxLength: 30 }), { nil: null })
  const draft = fc.record<Draft>({
    product: text,
    period: fc.constantFrom('720h', '2160h', '8760h', null),
    wallet: text,
    currency: text,
    name: fc.string({ maxLength: 32 }),
    subdomain: text,
    cluster: text,
    engine: fc.constantFrom('paper', 'vanilla', null),
    version: text,
    voucher: text,
  })
  fc.assert(
    fc.property(draft, (value) => {
      expect(readDraft(new URLSearchParams(writeDraft(value, new URLSearchParams('ref=x'))))).toEqual(value)
    }),
    { verbose: true },
  )
  expect(writeDraft(empty, new URLSearchParams('ref=x&name=old'))).toBe('ref=x')
})

test('what is usual is chosen where nothing is, and where what was chosen is not to be had', () => {
  expect(completeDraft(empty, catalogue)).toMatchObject({
    plan: { id: 'GRASS' },
    wallet: { id: 'b' },
    cluster: { id: 'local' },
    period: '720h',
    engine: { id: 'paper' },
    version: '1.21.4',
    subdomain: '',
  })
  const gone: Draft = {
    ...empty,
    product: 'NOPE',
    wallet: 'nope',
    cluster: 'closed',
    engine: 'vanilla',
    version: '0.1',
    name: 'Łoś i Żółw',
  }
  expect(completeDraft(gone, catalogue)).toMatchObject({
    plan: { id: 'GRASS' },
    wallet: { id: 'b' },
    cluster: { id: 'local' },
    version: '1.21.4',
    subdomain: 'los-i-zolw',
  })
  expect(completeDraft({ ...empty, version: '1.20.6', subdomain: 'own', name: 'other' }, catalogue)).toMatchObject({
    version: '1.20.6',
    subdomain: 'own',
  })
})

test('a free plan takes the shortest time, and the one that was chosen comes back with a paid plan', () => {
  const draft: Draft = { ...empty, product: 'FREE', period: '8760h' }
  expect(completeDraft(draft, catalogue)).toMatchObject({ plan: { id: 'FREE' }, isFree: true, period: '720h' })
  expect(completeDraft({ ...draft, product: 'GRASS' }, catalogue)).toMatchObject({ isFree: false, period: '8760h' })
})

test('the saving of longer periods is told from the prices', () => {
  expect(periodsOf(product('GRASS', 2), 'local', 'PLN')).toEqual([
    { period: '720h', saving: 0 },
    { period: '2160h', saving: 0.05 },
    { period: '8760h', saving: 0.15 },
  ])
  expect(periodsOf(product('GRASS', 2), 'local', 'EUR')).toEqual([])
})

test('add-ons, hidden and unpriced products are no plans', () => {
  const hidden = [
    product('A', 3, { visible: false }),
    product('B', 2, { depends_on_products: ['GRASS'] }),
    product('C', 1, { prices: [] }),
    product('D', 1, { type: 'BACKUP' }),
  ]
  expect(basePlans([...hidden, product('AMETHYST', 6), product('FREE', 0)]).map((plan) => plan.id)).toEqual([
    'FREE',
    'AMETHYST',
  ])
})
