/**
 * axe finds nothing on the screens beside the main job either: every page of the documentation, settings and what is
 * chosen there, shops, websites, the marketplace, machines, and the forms that open on them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCluster } from '@wakestone/contract/admin/clusters-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { docPaths } from '../../apps/web/app/public-pages.ts'
import { createCookieClient } from '../support/api.ts'
import { findFaults } from '../support/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { order } from '../support/servers.ts'
import { type TestProduct, useProduct } from '../support/product.ts'
import { enterForAxe, openQuiet } from '../support/quiet-page.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

let product: TestProduct
let browser: Browser
let visitor: Page
let customer: Page
let admin: Page
let serverId: string

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  const { login, password } = await product.signUp()
  const { call } = createCookieClient(product.origin)
  const { wallets } = await call(loginLocal, { body: { login, password } })
  const walletId = wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Broad Meadow', requested_billing_services: ['FREE'] }
  serverId = (await call(createServer, { body: order(walletId, '1.21.4', more) })).id
  const isPrepared = async () => (await call(getServerStatus, { params: { id: serverId } })).game_status !== 'IRL_NEW'
  for (const deadline = Date.now() + 120_000; !(await isPrepared()); await delay(500))
    if (Date.now() > deadline) throw new Error('the server was not prepared in time')

  const boss = { login: 'admin@wakestone.local', password: product.secrets.adminPassword }
  const office = createCookieClient(product.origin)
  await office.call(loginLocal, { body: boss })
  const settings = { country_code: null, visible_permission: null, free_places: null }
  for (const driver of ['agent', 'kubernetes'] as const) {
    const id = `broad-${driver}`
    await office.call(createCluster, {
      body: { ...settings, id, name: `Broad ${driver}`, zone_name: `${id}.test`, driver },
    })
  }
  visitor = await (await enterForAxe(browser, product)).newPage()
  customer = await (await enterForAxe(browser, product, { login, password })).newPage()
  admin = await (await enterForAxe(browser, product, boss)).newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const open = (page: Page, path: string) => openQuiet(page, product.origin, path)

test.each([...docPaths, '/m/sample-quiet-nights', '/m/sample-quiet-nights?tab=releases'])(
  'a visitor at /pl%s',
  async (path) => {
    await open(visitor, `/pl${path}`)
    expect(await findFaults(visitor)).toEqual([])
  },
)

const ofServer = [
  '/settings',
  '/settings/engine',
  '/schedules',
  '/players',
  '/backups',
  '/mapview',
  '/m/sample-quiet-nights',
  ...['', '?tab=orders', '?tab=deliveries', '?tab=deals', '?tab=settings'].map((tab) => `/shop${tab}`),
]
test.each(ofServer)('a customer: %s of a server', async (path) => {
  await open(customer, `/s/${serverId}${path}`)
  expect(await findFaults(customer)).toEqual([])
})

test('a customer: a new address that is told of events, with its faults', async () => {
  await open(customer, '/pl/account/settings/webhooks')
  await customer.getByRole('button', { name: 'Dodaj adres' }).click()
  await customer.locator('[aria-invalid=true]').first().waitFor()
  expect(await findFaults(customer)).toEqual([])
})

test.each(['agent', 'kubernetes'])('an administrator: a cluster of the kind %s', async (driver) => {
  await open(admin, `/pl/admin/clusters?cluster=broad-${driver}`)
  expect(await findFaults(admin)).toEqual([])
})
