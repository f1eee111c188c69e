/**
 * A shop in two browsers: its owner fills it and opens it, a player without an account buys, pays at the provider and
 * sees it arrive, and the owner gives the money back. The game is one that only takes commands down.
 */
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test, vi } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { bringAxe, findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { startPaymentWorld, walletOf, type World } from '../../support/payment-world.ts'
import { order, topUp } from '../../support/servers.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

let world: World
let browser: Browser
let owner: Awaited<ReturnType<World['signUp']>>
let serverId: string
let subdomain: string
let desk: Page
let player: Page
let orderPage: string

beforeAll(async () => {
  world = await startPaymentWorld({ pages: true, env: { LIMIT_SHOP_QUOTES: '0', LIMIT_SHOP_ORDERS: '0' } })
  owner = await world.signUp()
  await topUp(world.context, owner, 1844)
  const server = await owner.call(createServer, { body: order(walletOf(owner), '1.21.4') })
  serverId = server.id
  subdomain = server.domains[0]!.sub_domain
  await world.context.db
    .insertInto('player_sessions')
    .values({ server_id: serverId, name: 'Steve', joined_at: new Date(), left_at: new Date(), player_id: null })
    .execute()
  browser = await openBrowser()
  const signedIn = await enter({ locale: 'en-GB' })
  const data = { login: owner.user.email, password: owner.password }
  const headers = { origin: world.origin }
  await signedIn.request.post(`${world.origin}/api/v1/users/login/local`, { data, headers })
  desk = await signedIn.newPage()
  player = await (await enter({ locale: 'en-GB' })).newPage()
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

async function enter(options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> {
  const context = await browser.newContext({ bypassCSP: true, ...options })
  context.setDefaultTimeout(60_000)
  await bringAxe(context)
  const headers = { origin: world.origin }
  await context.request.post(`${world.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  return context
}
const shot = async (on: Page, name: string) => {
  const folder = process.env['PICTURES']
  if (folder) await on.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
async function open(page: Page, path: string) {
  await page.goto(world.origin + path)
  await waitForScripts(page)
}

test('its owner puts something on sale, is asked about what the rules forbid, and opens it', async () => {
  onTestFailed(() => shot(desk, 'shop-owner-failed'))
  await open(desk, `/s/${serverId}/shop`)
  await desk.getByText('Nothing is on sale').waitFor()
  await desk.getByRole('button', { name: 'Add an item' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Lantern pet')
  await dialog.getByRole('textbox', { name: 'Price in PLN' }).fill('20')
  await dialog.getByRole('textbox', { name: 'Command', exact: true }).fill('op {player}')
  await dialog.getByText('It seems to give operator rights or permissions.', { exact: false }).waitFor()
  expect(await findFaults(desk)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Command', exact: true }).fill('pet give {player} lantern')
  await dialog
    .getByText('Minecraft’s rules don’t allow some things to be sold', { exact: false })
    .waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('heading', { name: 'Lantern pet' }).waitFor()
  await desk.getByText('0 sold · 1 command').waitFor()

  await desk.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await desk.getByRole('textbox', { name: 'Shop name' }).fill('Meadow market')
  await desk.getByRole('textbox', { name: 'Name or company' }).fill('Ola Nowak')
  await desk.getByRole('textbox', { name: 'Address', exact: true }).fill('Polna 1, Warszawa')
  await desk.getByRole('textbox', { name: 'E-mail address for buyers' }).fill('ola@example.test')
  await desk.getByRole('checkbox', { name: 'I’ve read Minecraft’s rules on selling', exact: false }).check()
  await desk.getByRole('switch', { name: 'The shop is open' }).check()
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByText('Saved.').waitFor()
  // To be handed on: whole, and in whatever language its reader has.
  await desk.getByText(`${world.origin}/shop/${subdomain}`).waitFor()
  expect(await findFaults(desk)).toEqual([])
  await shot(desk, 'shop-settings')
})

test('a player without an account buys it, pays, and sees what it waits for', async () => {
  onTestFailed(() => shot(player, 'shop-player-failed'))
  await open(player, `/en/shop/${subdomain}`)
  await player.getByRole('heading', { level: 1, name: 'Meadow market' }).waitFor()
  await player.getByText('Sold by Ola Nowak').waitFor()
  expect(await findFaults(player)).toEqual([])
  await shot(player, 'shop-front')
  await player.getByRole('link', { name: 'Choose Lantern pet' }).click()
  const name = player.getByRole('textbox', { name: 'Player' })
  await name.fill('Nobody')
  await player.getByRole('button', { name: 'Continue' }).click()
  await player.getByText('No one with this name has been on the server', { exact: false }).waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await player.locator('input[name="player"]:focus').waitFor()
  await name.fill('steve')
  await player.getByRole('button', { name: 'Continue' }).click()
  const summary = player.getByRole('heading', { name: 'Your order' })
  await summary.waitFor()
  expect((await summary.boundingBox())!.y).toBeLessThan(player.viewportSize()!.height / 2)
  expect(await findFaults(player)).toEqual([])
  await player.getByRole('textbox', { name: 'Your e-mail address' }).fill('buyer@example.test')
  await player.getByRole('checkbox', { name: 'I want this delivered right away', exact: false }).check()
  await player.getByRole('radio', { name: 'Bank transfer, card or BLIK (PayU)' }).check()
  await player.getByRole('button', { name: /^Order and pay/ }).click()

  // At the provider, which sends the payer back.
  await player.waitForURL((url) => url.origin === new URL(world.payu.url).origin)
  await player.getByRole('button', { name: /^Pay/ }).click()
  await player.waitForURL(/\/en\/shop\/order\//)
  await player.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor()
  // As the game spells the name.
  await player.getByText('Waiting for Steve to join the server.').waitFor()
  expect(await findFaults(player)).toEqual([])
  await shot(player, 'shop-order')
  orderPage = new URL(player.url()).pathname + new URL(player.url()).search
})

test('the owner sees the order, its command and the money that is held, and gives it back', async () => {
  onTestFailed(() => shot(desk, 'shop-orders-failed'))
  await open(desk, `/s/${serverId}/shop?tab=settings`)
  await desk.getByText('PLN 20.00').first().waitFor()
  await open(desk, `/en/wallets/${walletOf(owner)}`)
  await desk.getByText(/^PLN.20\.00 more from shop sales is on hold until /).waitFor()
  await desk.getByText(/^Meadow market: Lantern pet · on hold until /).waitFor()
  expect(await findFaults(desk)).toEqual([])
  await shot(desk, 'shop-wallet')
  await open(desk, `/s/${serverId}/shop?tab=deliveries`)
  await desk.getByText('pet give Steve lantern').waitFor()
  await desk.getByText('Waiting', { exact: true }).first().waitFor()
  expect(await findFaults(desk)).toEqual([])
  await shot(desk, 'shop-deliveries')
  await open(desk, `/s/${serverId}/shop?tab=orders`)
  await desk.getByText('0 of 1').waitFor()
  expect(await findFaults(desk)).toEqual([])
  await desk.getByRole('button', { name: 'Refund order' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked for it')
  await dialog.getByRole('button', { name: 'Refund order' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await desk.getByText('Refunded', { exact: true }).first().waitFor()
  await open(desk, `/s/${serverId}/shop?tab=deliveries&all=1`)
  await desk.getByText('The money had already been refunded.').waitFor()
  await open(player, orderPage)
  await player.getByRole('heading', { name: 'Your order is being refunded' }).waitFor()
})

test('coupons and goals: made, and seen by players', async () => {
  await open(desk, `/s/${serverId}/shop?tab=deals`)
  await desk.getByRole('button', { name: 'Add a goal' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'What it’s for' }).fill('A new spawn')
  await dialog.getByRole('textbox', { name: 'Target in PLN' }).fill('100')
  expect(await findFaults(desk)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await desk.getByText('A new spawn').waitFor()
  expect(await findFaults(desk)).toEqual([])
  await open(player, `/en/shop/${subdomain}`)
  await player.getByText('A new spawn').waitFor()
})

test.each([
  ['pl', 'Sprzedawca: Ola Nowak'],
  ['de', 'Verkäufer: Ola Nowak'],
])('in %s, on a phone, in the dark', async (language, seller) => {
  const context = await enter({ locale: language, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  const page = await context.newPage()
  await open(page, `/${language}/shop/${subdomain}`)
  await page.getByText(seller, { exact: false }).first().waitFor()
  expect(await findFaults(page)).toEqual([])
  await shot(page, `shop-front-${language}`)
  await open(page, orderPage.replace('/en/', `/${language}/`))
  expect(await findFaults(page)).toEqual([])
  await context.close()
})
