/** Players in Chromium: one who plays is banned and let in again; what they carry is changed while the server is off. */
import { existsSync, mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bot } from 'mineflayer'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { getPlayers } from '@wakestone/contract/servers/players-routes'
import { createServer, getServerStatus, stopServer } from '@wakestone/contract/servers/servers-routes'
import { createCookieClient } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { joinServer } from '../../support/player.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let page: Page
let serverId: string
let identity: string
let host: string
let owner: ReturnType<typeof createCookieClient>
const bots: Bot[] = []
/** Where pictures go that somebody wants to look at. */
const pictures = process.env['PICTURES']

const until = async (isThere: () => Promise<boolean>, what: string) => {
  for (const deadline = Date.now() + 120_000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const statusOf = async () => (await owner.call(getServerStatus, { params: { id: serverId } })).game_status

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const user = await owner.call(loginLocal, { body: { login, password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Crowded', subdomain: 'crowded-camel', requested_billing_services: ['FREE'] }
  const server = await owner.call(createServer, { body: order(wallet, '1.21.4', more) })
  serverId = server.id
  identity = server.domains[0]!.sub_domain
  host = server.domains[0]!.fqdn
  await until(async () => (await statusOf()) === 'IRL_IDLE', 'the first start')
  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(45_000)
}, 240_000)
afterAll(async () => {
  for (const bot of bots) bot.end()
  await browser?.close()
  await product?.dispose()
})

const open = (path = '') => page.goto(`${product.origin}/s/${identity}/players${path}`, { waitUntil: 'networkidle' })
async function join(username: string): Promise<Bot> {
  const bot = await joinServer({ host, gamePort: product.gamePort, username })
  bot.on('error', () => undefined)
  bots.push(bot)
  return bot
}
async function look(name: string) {
  expect(await findFaults(page), name).toEqual([])
  if (pictures === undefined) return
  if (!existsSync(pictures)) mkdirSync(pictures, { recursive: true })
  for (const width of [390, 768, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await delay(200)
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
}

test('who joins is seen at once, banned, kept out, and let in again', async () => {
  await open()
  await page.getByText('Nobody is on right now.').waitFor()
  const bot = await join('Rowdy_Rita')
  const gone = new Promise<string>((resolve) => bot.once('end', resolve))
  await page.getByRole('button', { name: 'Ban Rowdy_Rita' }).waitFor()
  await look('people')
  await page.getByRole('button', { name: 'Ban Rowdy_Rita' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('too loud')
  await look('ban')
  await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  await page.getByText('Nobody is on right now.').waitFor()
  await gone
  await expect(join('Rowdy_Rita')).rejects.toThrow(/too loud/)

  await page.getByRole('link', { name: 'Lists', exact: true }).click()
  await page.getByText('too loud').waitFor()
  await look('lists')
  await page.getByRole('button', { name: 'Unban Rowdy_Rita' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Nobody is banned.').waitFor()
  const again = await join('Rowdy_Rita')
  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByText('on now').waitFor()
  await look('history')
  again.end()
}, 180_000)

test('what somebody carries is changed while the server is off', async () => {
  await until(async () => (await statusOf()) !== 'IRL_RUNNING', 'the player has left')
  await owner.call(stopServer, { params: { id: serverId }, query: {} })
  await until(async () => (await statusOf()) === 'IRL_TERMINATED', 'the stop')
  await open()
  await page.getByRole('link', { name: 'Rowdy_Rita' }).click()
  await page.getByLabel('Health').fill('7')
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  // What is changed next is changed in the file as it is then.
  const told = page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && /\/players\/[\w-]{36}$/.test(answer.url()),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await saved).status()).toBe(200)
  await told
  const hotbar = page.getByRole('region', { name: 'Hotbar' })
  await hotbar.getByRole('button', { name: 'Slot 0, empty' }).click()
  await page.getByRole('dialog').getByLabel('Item', { exact: true }).fill('minecraft:diamond_sword')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Slot 0: Diamond sword, 1' }).waitFor()
  expect(await page.getByLabel('Health').inputValue()).toBe('7')
  await look('player')
  await page.getByRole('button', { name: 'Forget player' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Rowdy_Rita')
  await page.getByRole('dialog').getByRole('button', { name: 'Forget player' }).click()
  await page.getByText('Nobody has joined yet').waitFor()
  expect((await owner.call(getPlayers, { params: { id: serverId } })).known).toEqual([])
}, 180_000)
