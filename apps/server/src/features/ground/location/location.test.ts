/** Where a visitor is, what they may choose about it, and what a choice must not change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countries } from '@wakestone/contract/countries'
import * as billings from '@wakestone/contract/sales/billings-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { listWalletTransactions } from '@wakestone/contract/money/wallets-routes'
import { createApiClient } from '@wakestone/contract/client'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { countryOf } from './service.ts'

test.each([
  ['8.8.8.8', 'US'],
  ['5.173.0.1', 'PL'],
  ['::ffff:8.8.8.8', 'US'],
  ['2001:4860:4860::8888', 'US'],
  ['2003::1', 'DE'],
  ['127.0.0.1', 'FR'],
  ['192.168.1.4', 'FR'],
  ['::1', 'FR'],
  ['fe80::1%eth0', 'FR'],
  ['2001:db8::1', 'FR'],
  ['no address', 'FR'],
])('a visitor from %s is in %s, where the default is FR', (address, country) => {
  expect(countryOf(address, { DEFAULT_COUNTRY: 'FR', GEO_DATABASE: undefined })).toBe(country)
})

test('the list of countries begins with Poland and names every one', () => {
  expect(countries[0]).toBe('PL')
  expect(new Set(countries).size).toBe(countries.length)
  expect(countries.length).toBeGreaterThanOrEqual(240)
  const names = new Intl.DisplayNames('en', { type: 'region' })
  expect(countries.filter((code) => names.of(code) === code)).toEqual([])
})

describe('through the front door', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startTestApi()
  })
  afterAll(() => api.close())

  /** A client at an address, with a `Cookie` header. */
  const visitor = (remoteAddress: string, cookie = '') =>
    createApiClient(async (path, init) => {
      const answer = await api.api.app.inject({
        url: path,
        method: init.method as 'GET',
        headers: { ...init.headers, cookie },
        remoteAddress,
        ...(init.body === undefined ? {} : { payload: init.body }),
      })
      return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode })
    })
  const pln = 'PLN'
  const pole = { country_code: 'PL', vat_rate: 0.23, currency: pln }
  const german = { country_code: 'DE', vat_rate: 0.19, currency: 'EUR' }

  test.each([
    ['5.173.0.1', '', { ...pole, source: 'address' }],
    ['2003::1', '', { ...german, source: 'address' }],
    ['127.0.0.1', '', { ...pole, source: 'default' }],
    ['5.173.0.1', 'ws_country=DE', { ...german, source: 'choice' }],
    ['5.173.0.1', 'ws_country=US', { country_code: 'US', vat_rate: 0, currency: 'USD', source: 'choice' }],
    ['5.173.0.1', 'ws_country=DE; ws_currency=PLN', { ...german, currency: pln, source: 'choice' }],
    // What is on no list chooses nothing.
    ['2003::1', 'ws_country=QQ', { ...german, source: 'address' }],
    ['2003::1', 'ws_country=pl; ws_currency=XAU', { ...german, source: 'address' }],
    ['2003::1', "ws_country=PL'%3B--", { ...german, source: 'address' }],
    ['2003::1', 'ws_country=; ws_currency=', { ...german, source: 'address' }],
  ])('from %s with "%s"', async (address, cookie, expected) => {
    expect(await visitor(address, cookie)(users.locationInfo, {})).toEqual(expected)
  })

  test('prices are those of the country that was chosen', async () => {
    const gross = async (cookie: string) => {
      const product = await visitor('5.173.0.1', cookie)(billings.getProduct, { params: { id: 'GRASS' } })
      return product.prices.find(({ period, price }) => period === '720h' && price.currency === pln)?.gross_price.amount
    }
    expect(await gross('')).toBe(1844) // 14.99 and 23 %
    expect(await gross('ws_country=DE')).toBe(1784) // and 19 %
    expect(await gross('ws_country=US')).toBe(1499)
  })

  test('a choice changes neither what an account is shown nor what it is charged', async () => {
    const owner = await api.signUp() // from 127.0.0.1: the default, Poland
    const cheaper = visitor('8.8.8.8', `${owner.cookie()}; ws_country=US`)
    expect(await cheaper(users.locationInfo, {})).toEqual({ ...pole, source: 'account' })
    const [cost] = await cheaper(billings.getProductCost, { params: { id: 'GRASS' }, query: { period: '720h' } })
    expect(cost).toMatchObject({ gross_price: { amount: 1844 }, country_tax_rate: { country_code: 'PL' } })
    const walletId = await topUp(api.context, owner, 5_000)
    await cheaper(createServer, { body: order(walletId, '1.21.4') })
    const { data } = await owner.call(listWalletTransactions, { params: { id: walletId } })
    expect(data).toMatchObject([{ amount: 1844, country_tax_rate: { country_code: 'PL', vat_rate: 0.23 } }])
  })

  test('nor does it decide the country of a new account', async () => {
    const call = visitor('2003::1', 'ws_country=US')
    const user = await call(users.register, {
      body: { username: 'from_berlin', email: 'b@example.test', password: 'correct horse battery', accepted_tos: true },
    })
    expect(user.wallets[0]?.country_tax_rate).toEqual({ country_code: 'DE', vat_rate: 0.19 })
  })
})
