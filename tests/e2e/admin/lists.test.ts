/** An administrator looks through all accounts and payments in Chromium, also on a phone. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let context: BrowserContext
let page: Page
let customer: { login: string; id: string }

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  const owner = createCookieClient(product.origin).call
  const user = await owner(loginLocal, { body: { login, password } })
  customer = { login, id: user.id }
  const walletId = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  await owner(createServer, {
    body: order(walletId, '1.21.4', { name: 'Quiet orchard', requested_billing_services: ['FREE'] }),
  })

  browser = await openBrowser()
  context = await browser.newContext({ locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login: 'admin@wakestone.local', password: product.secrets.adminPassword }
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data, headers })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

async function show(path: string): Promise<void> {
  await page.goto(product.origin + path)
  await waitForScripts(page)
}

test('accounts are narrowed by name and ordered by when they were here last', async () => {
  await show('/en/admin')
  await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click()
  await page.waitForURL('**/en/admin/users')
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill(customer.login)
  await page.waitForURL('**?q=*')
  await page.getByLabel('Order').selectOption('active')
  await page.waitForURL('**order=active*')
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('link', { name: 'Clear filters' }).waitFor()
  await rows.getByRole('link').click()
  await page.waitForURL(`**/en/user/${customer.id}`)
})

test('payments are found by who paid, and those that failed by one click', async () => {
  await show(`/en/admin/payments?q=${encodeURIComponent(customer.login)}`)
  const table = page.getByRole('table', { name: 'Payments' })
  await table.getByText('Free server created').waitFor()
  await table.getByRole('link', { name: 'Quiet orchard' }).waitFor()
  await page.getByRole('navigation', { name: 'Payments' }).getByRole('link', { name: 'Failed' }).click()
  await page.getByText('No payment matches these filters.').waitFor()
  expect(await page.getByLabel('Status').inputValue()).toBe('FAILED')
})

test('servers are found by who owns them', async () => {
  await show('/en/admin/servers')
  await page.getByRole('searchbox', { name: 'Name, address, owner or ID' }).fill(customer.login)
  await page.waitForURL('**?q=*')
  const rows = page.getByRole('table', { name: 'Servers' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await rows.getByRole('link', { name: 'Quiet orchard' }).waitFor()
})

test('events are narrowed to several kinds, found by their words or chosen by subject', async () => {
  await show(`/en/user/${customer.id}?tab=events`)
  const filter = page.locator('details', { hasText: 'What:' })
  await filter.getByText('Everything').click()
  await filter.getByRole('searchbox', { name: 'Find' }).fill('device OUT')
  expect(await filter.getByRole('checkbox', { name: 'Logged in', exact: true }).count()).toBe(0)
  await filter.getByRole('checkbox', { name: 'Device logged out', exact: true }).check()
  await page.waitForURL('**action=USER_END_SESSION*')
  await page.getByText('No events match these filters').waitFor()
  await filter.getByRole('searchbox').fill('')
  await filter.getByRole('checkbox', { name: 'Login', exact: true }).check()
  await page.waitForURL(/action=[A-Z_%C2]*USER_LOGIN\b/)
  await filter.getByText(/^\d+ chosen$/).waitFor()
  await page.getByRole('table', { name: 'Events' }).getByText('Logged in').first().waitFor()
})

test('on a phone the administrators’ panel covers nothing until the account’s menu opens it', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await show('/en/admin/users')
  const name = 'Administrator’s panel'
  expect(await page.getByRole('button', { name }).count()).toBe(0)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('switch', { name: 'Preview mode' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Preview mode' }).waitFor({ state: 'detached' })
  // The pages for visitors have a menu of their own.
  await show('/en/offers')
  await page.locator('header summary').filter({ hasText: 'Menu' }).click()
  await page.getByRole('button', { name }).click()
  await page.getByRole('switch', { name: 'Preview mode' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 720 })
})
