/** The page of a running server while the browser has no connection: what it says, what it refuses, and how it goes on. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let context: BrowserContext
let page: Page
let serverId: string
let owner: ReturnType<typeof createCookieClient>

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const { wallets } = await owner.call(loginLocal, { body: { login, password } })
  const wallet = wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Far away', requested_billing_services: ['FREE'] }
  serverId = (await owner.call(createServer, { body: order(wallet, '1.21.4', more) })).id
  browser = await openBrowser()
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

test('says so, does nothing later by itself, and goes on where it was without a reload', async () => {
  await page.goto(`${product.origin}/s/${serverId}`)
  const command = page.getByPlaceholder('Command, such as say hello')
  await command.waitFor({ timeout: 120_000 })
  const notice = page.getByText('Connection lost.', { exact: false })

  await context.setOffline(true)
  await notice.waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByText('No connection to the server. Check your network and try again.').first().waitFor()
  // The console has tried several times by now, with a renewal of the session before each.
  await delay(12_000)
  await page.getByText('connection lost, reconnecting…').waitFor()
  expect(await page.getByText('your session has ended').count()).toBe(0)

  await context.setOffline(false)
  await notice.waitFor({ state: 'detached' })
  await command.waitFor()
  await delay(3_000)
  expect(await owner.call(getServerStatus, { params: { id: serverId } })).toMatchObject({ game_status: 'IRL_IDLE' })
  await command.fill('say back again')
  await command.press('Enter')
  await page.getByText('[Server] back again').waitFor()
  expect(page.url()).toBe(`${product.origin}/s/${serverId}`)
}, 240_000)
