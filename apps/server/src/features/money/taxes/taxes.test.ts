/** Which VAT buyers pay: quoted, shown on wallets and charged alike. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProductCost } from '@wakestone/contract/sales/billings-routes'
import { setTaxData } from '@wakestone/contract/money/tax-data-routes'
import { getTransaction } from '@wakestone/contract/money/transactions-routes'
import { listUserWallets, locationInfo } from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { someOf } from '../../../../../../tests/support/long.ts'
import { topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { quoteCosts } from '#src/features/sales/products/service.ts'
import { chargeWallet } from '#src/features/money/wallets/service.ts'
import { askAgain } from '#src/features/money/tax-data/check.ts'
import { ensureTaxSettings, taxOf } from './service.ts'

let api: TestApi
beforeAll(async () => void (api = await startTestApi()))
afterEach(() =>
  ensureTaxSettings({
    db: api.context.db,
    settings: { ...api.context.settings, SELLER_COUNTRY: 'PL', VAT_SCHEME: 'oss', TOP_UP_TAX_POINT: 'purchase' },
  }),
)
afterAll(() => api.close())

const places = { AT: '1010', DE: '10115', FR: '75001', PL: '00-001', US: '10001', GB: 'SW1A 1AA', MC: '98000' } as const
type Place = keyof typeof places
const buyer = (country: Place, more: { kind?: 'person' | 'company'; nip?: string; tax_id?: string } = {}) => ({
  kind: 'person' as const,
  name: 'Latarnia',
  address: 'Long Street 1',
  postal_code: places[country],
  city: 'Town',
  country,
  language: 'en' as const,
  ...more,
})
const company = { kind: 'company', tax_id: 'DE136695976' } as const
const american = { kind: 'company', tax_id: '12-3456789' } as const

async function buyerIn(
  country: Place,
  more: Parameters<typeof buyer>[1] = {},
  state?: 'valid' | 'invalid',
): Promise<Caller> {
  const caller = await api.signUp()
  await caller.call(setTaxData, { params: { id: caller.user.id }, body: buyer(country, more) })
  if (state !== undefined)
    await api.context.db
      .updateTable('tax_id_checks')
      .set({ state, checked_at: new Date() })
      .where('user_id', '=', caller.user.id)
      .execute()
  return caller
}
const rateOf = ({ user }: Caller) => taxOf(api.context.db, { userId: user.id })

describe('the rate', () => {
  test.each(
    someOf(
      [
        ['PL', {}, undefined, { country_code: 'PL', vat_rate: 0.23, treatment: 'domestic' }],
        ['DE', {}, undefined, { country_code: 'DE', vat_rate: 0.19, treatment: 'destination' }],
        ['MC', {}, undefined, { country_code: 'FR', vat_rate: 0.2, treatment: 'destination' }],
        // Nobody but they themselves says that they are there.
        ['US', {}, undefined, { country_code: 'PL', vat_rate: 0.23, treatment: 'domestic' }],
        ['US', { kind: 'company' }, undefined, { country_code: 'PL', vat_rate: 0.23, treatment: 'domestic' }],
        ['US', american, undefined, { country_code: 'US', vat_rate: 0, treatment: 'outside' }],
        ['DE', company, 'valid', { country_code: 'DE', vat_rate: 0, treatment: 'reverse_charge' }],
        ['DE', company, undefined, { country_code: 'DE', vat_rate: 0.19, treatment: 'destination' }],
        ['DE', company, 'invalid', { country_code: 'DE', vat_rate: 0.19, treatment: 'destination' }],
        [
          'PL',
          { kind: 'company', nip: '5260001246' },
          'valid',
          { country_code: 'PL', vat_rate: 0.23, treatment: 'domestic' },
        ],
      ] as const,
      5,
    ),
  )('%s %j %s', async (country, more, state, expected) => {
    const caller = await buyerIn(country, more, state)
    expect(await rateOf(caller)).toEqual(expected)
    // Told alike wherever it is told.
    const { country_code, vat_rate } = expected
    expect((await caller.call(locationInfo, {})).vat_rate).toBe(vat_rate)
    for (const wallet of await caller.call(listUserWallets, { params: { id: caller.user.id } }))
      expect(wallet.country_tax_rate).toEqual({ country_code, vat_rate })
  })

  test('below the threshold consumers elsewhere in the EU pay the seller’s rate, businesses still none', async () => {
    await ensureTaxSettings({
      db: api.context.db,
      settings: { ...api.context.settings, VAT_SCHEME: 'local' },
    })
    expect(await rateOf(await buyerIn('DE'))).toEqual({ country_code: 'PL', vat_rate: 0.23, treatment: 'seller_rate' })
    expect((await rateOf(await buyerIn('DE', company, 'valid'))).treatment).toBe('reverse_charge')
    expect((await rateOf(await buyerIn('US', american))).treatment).toBe('outside')
  })

  test('invoice data lead a person out of the EU where they have registered outside of it, too', async () => {
    const caller = await buyerIn('US')
    const registerIn = (country_code: string) =>
      api.context.db.updateTable('users').set({ country_code }).where('id', '=', caller.user.id).execute()
    await registerIn('DE')
    expect(await rateOf(caller)).toEqual({ country_code: 'DE', vat_rate: 0.19, treatment: 'destination' })
    await registerIn('CA')
    expect(await rateOf(caller)).toEqual({ country_code: 'US', vat_rate: 0, treatment: 'outside' })
  })

  test('it is that of the day, where the seller is', async () => {
    const at = (day: string, time = '12:00') =>
      taxOf(api.context.db, { countryCode: 'FI' }, new Date(`${day}T${time}:00Z`))
    await api.context.db
      .insertInto('tax_rates')
      .values({ country_code: 'FI', valid_from: '2090-01-01', rate: 0.26 })
      .execute()
    expect((await at('2089-12-31')).vat_rate).toBe(0.255)
    expect((await at('2090-01-01')).vat_rate).toBe(0.26)
    expect((await at('2089-12-31', '22:59')).vat_rate).toBe(0.255)
    expect((await at('2089-12-31', '23:00')).vat_rate).toBe(0.26)
  })

  test('a rate that was used is not rewritten', async () => {
    const change = api.context.db.updateTable('tax_rates').set({ rate: 0.1 }).where('country_code', '=', 'PL').execute()
    await expect(change).rejects.toThrow('append-only')
  })
})

describe('a purchase', () => {
  const order = (caller: Caller, walletId: string, rate: { country_code: string; vat_rate: number }, tax: number) => ({
    userId: caller.user.id,
    walletId,
    currency: 'PLN',
    amount: 1499 + tax,
    tax,
    countryTaxRate: rate,
    key: `${caller.user.id} ${tax}`,
    details: {},
  })

  test('is charged what was quoted, and says by which rule', async () => {
    const caller = await buyerIn('DE', company, 'valid')
    const walletId = await topUp(api.context, caller, 10_000)
    const [quoted] = await quoteCosts(api.context.db, {
      productId: 'GRASS',
      buyer: { userId: caller.user.id },
      currency: 'PLN',
    })
    const [shown] = await caller.call(getProductCost, { params: { id: 'GRASS' }, query: { currency: 'PLN' } })
    expect(shown).toEqual(quoted)
    expect(quoted).toMatchObject({ tax: { amount: 0 }, gross_price: { amount: 1499 } })
    const rate = { country_code: 'DE', vat_rate: 0 }
    const id = await inTransaction(api.context.db, (trx) => chargeWallet(trx, order(caller, walletId, rate, 0)))
    expect(await caller.call(getTransaction, { params: { id } })).toMatchObject({
      country_tax_rate: rate,
      amount: 1499,
    })
    const row = await api.context.db
      .selectFrom('transactions')
      .select('details')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.details).toMatchObject({ tax_treatment: 'reverse_charge' })
  })

  test('by another’s tax is refused', async () => {
    const caller = await buyerIn('DE')
    const walletId = await topUp(api.context, caller, 10_000)
    const charged = inTransaction(api.context.db, (trx) =>
      chargeWallet(trx, order(caller, walletId, { country_code: 'PL', vat_rate: 0.23 }, 345)),
    )
    await expect(charged).rejects.toThrow('was quoted')
  })
})

describe('VAT ids are asked about again', () => {
  const checks = (userId: string) =>
    api.context.db.selectFrom('tax_id_checks').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const day = 86_400_000

  test('after thirty days, once; the old answer counts until the new one', async () => {
    const caller = await buyerIn('DE', company, 'valid')
    await askAgain(api.context, new Date(Date.now() + 29 * day))
    expect(await checks(caller.user.id)).toHaveLength(1)
    for (const days of [31, 32]) await askAgain(api.context, new Date(Date.now() + days * day))
    const [first, second, ...more] = await checks(caller.user.id)
    expect(more).toEqual([])
    expect(second).toMatchObject({ state: 'pending', rechecks: first?.id })
    expect((await rateOf(caller)).treatment).toBe('reverse_charge')
  })
})
