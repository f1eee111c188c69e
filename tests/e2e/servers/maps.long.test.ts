/** The map in Chromium: drawn by hand, moved, shown to everybody and in a frame of another page. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { getMapState } from '@wakestone/contract/servers/mapview-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { createCookieClient } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let page: Page
let serverId: string
let owner: ReturnType<typeof createCookieClient>
const regions = join(import.meta.dirname, '../../fixtures/regions')

const until = async (isThere: () => Promise<boolean>, what: string, seconds = 60) => {
  for (const deadline = Date.now() + seconds * 1000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
async function write(path: string, body: Buffer) {
  const address = `${product.origin}/api/v1/servers/${serverId}/files/content?path=${encodeURIComponent(path)}`
  const headers = { cookie: owner.cookie(), origin: product.origin, 'content-type': 'application/octet-stream' }
  const answer = await fetch(address, { method: 'PUT', body: new Uint8Array(body), headers })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const user = await owner.call(loginLocal, { body: { login, password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Cartographic', requested_billing_services: ['FREE'] }
  serverId = (await owner.call(createServer, { body: order(wallet, '1.21.4', more) })).id
  await until(
    async () => (await owner.call(getServerStatus, { params: { id: serverId } })).game_status === 'IRL_IDLE',
    'the first start',
    120,
  )
  await write('world/region/r.0.0.mca', readFileSync(join(regions, '1.21.1/r.0.0.mca')))
  await write('world/DIM-1/region/r.0.-1.mca', readFileSync(join(regions, '1.16/r.0.-1.mca')))

  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(45_000)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

/** Tiles of a picture that are there, by their address after the server's. */
const tilesOf = (from: Page) =>
  from.evaluate<string[]>(`[...document.querySelectorAll('.leaflet-tile')]
    .filter((image) => image.complete && image.naturalWidth === 512)
    .map(({ src }) => new URL(src).pathname.split('/tiles/')[1] ?? '')`)
const untilTile = (from: Page, path: string) => until(async () => (await tilesOf(from)).includes(path), path)

test('a map is drawn by hand, and looked at', async () => {
  await page.goto(`${product.origin}/s/${serverId}`, { waitUntil: 'networkidle' })
  await page.getByRole('navigation').getByRole('link', { name: 'Map' }).click()
  await page.getByText('Nothing has been drawn yet').waitFor()
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Draw now' }).click()
  await untilTile(page, 'world.overworld/day/0/0.0.webp')
  const state = await owner.call(getMapState, { params: { id: serverId } })
  expect(state.drawn_at).not.toBeNull()
  const button = page.getByRole('button', { name: 'Draw now' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  expect(await button.getAttribute('title')).toContain('You can have it drawn again from')
  expect(await findFaults(page)).toEqual([])
})

test('layers, dimensions and places stand in the address', async () => {
  await page.getByRole('radio', { name: 'Height' }).click()
  await untilTile(page, 'world.overworld/height/0/0.0.webp')
  await page.getByRole('textbox', { name: 'X' }).fill('32')
  await page.getByRole('textbox', { name: 'Z' }).fill('48')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await until(async () => /x=32&z=48/.test(page.url()) && page.url().includes('layer=height'), 'the address')
  const picture = page.getByRole('application')
  const box = (await picture.boundingBox())!
  await page.mouse.move(box.x + box.width / 2 + 10, box.y + box.height / 2 + 5)
  expect(await page.locator('output').textContent()).toMatch(/^X \d+ · Z \d+$/)
  await picture.focus()
  await page.keyboard.press('ArrowRight')
  await until(async () => Number(new URL(page.url()).searchParams.get('x')) > 32, 'moved by keys')

  await page.getByRole('combobox', { name: 'World' }).click()
  await page.getByRole('option', { name: 'Nether' }).click()
  await untilTile(page, 'world.the_nether/height/0/0.-1.webp')
  await page.reload()
  await untilTile(page, 'world.the_nether/height/0/0.-1.webp')
})

test('shown to everybody by a link, and in a frame of another page', async () => {
  const visitor = await browser.newContext({ locale: 'en-GB' })
  const stranger = await visitor.newPage()
  const address = `${product.origin}/en/mapview/${serverId}`
  expect((await stranger.goto(address))?.status()).toBe(404)
  await stranger.getByText('There is no map here').waitFor()

  await page.getByRole('switch', { name: 'Public link' }).click()
  await page.getByText(address, { exact: true }).waitFor()
  await page.getByText('Advanced: import').click()
  const json = page.getByLabel('All areas and markers as JSON')
  await json.fill('[{ "name": 5 }]')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This isn’t a valid list').waitFor()
  await json.fill('[{ "name": "<b>Market</b>", "points": [[8, 8], [40, 30]] }]')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: '<b>Market</b>' }).waitFor()
  await page.getByRole('button', { name: 'Add an area' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Tower')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('Coordinates are whole numbers').waitFor()
  await page.getByRole('dialog').getByRole('application').click()
  expect(await page.getByRole('textbox', { name: 'Point 1: X' }).inputValue()).toMatch(/^-?\d+$/)
  await page.getByRole('textbox', { name: 'Point 1: X' }).fill('20')
  await page.getByRole('textbox', { name: 'Point 1: Z' }).fill('50')
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByRole('listitem').filter({ hasText: 'Tower' }).waitFor()

  const response = await stranger.goto(`${address}?x=16&z=16&zoom=1`)
  expect([response?.status(), response?.headers()['x-frame-options']]).toEqual([200, 'DENY'])
  await untilTile(stranger, 'world.overworld/day/0/0.0.webp')
  await stranger.getByRole('img', { name: 'Tower' }).waitFor()
  const shape = stranger.locator('path.leaflet-interactive')
  await shape.hover()
  expect(await stranger.locator('.leaflet-tooltip').last().textContent()).toBe('<b>Market</b>')
  expect(await findFaults(stranger)).toEqual([])

  const elsewhere = createHttpServer((_request, answer) =>
    answer
      .setHeader('content-type', 'text/html')
      .end(`<iframe src="${address}?widget" width="600" height="500"></iframe>`),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  await stranger.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`)
  const frame = stranger.frameLocator('iframe')
  await frame.locator('img.leaflet-tile-loaded').first().waitFor()
  await frame.getByRole('link', { name: 'Open the map' }).waitFor()
  expect(await frame.getByRole('banner').count()).toBe(0)
  elsewhere.close()
  await visitor.close()
})

test('on a phone, in Polish, in the dark', async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'pl-PL',
    hasTouch: true,
  })
  const small = await phone.newPage()
  await small.goto(`${product.origin}/pl/mapview/${serverId}`)
  await untilTile(small, 'world.overworld/day/0/0.0.webp')
  await small.getByRole('heading', { name: 'Mapa serwera Cartographic' }).waitFor()
  expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(await findFaults(small)).toEqual([])
  await phone.close()
})
