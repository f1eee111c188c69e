/** The world manager in Chromium: looked at, changed, copied, uploaded, counted and deleted. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { languageCookie } from '@wakestone/contract/language'
import { listWorlds } from '@wakestone/contract/servers/worlds-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { makeZip } from '../../../apps/files/src/test-support/archives.ts'
import { oldLevel } from '../../../apps/files/src/test-support/worlds.ts'
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
const region = readFileSync(join(import.meta.dirname, '../../fixtures/regions/1.21.1/r.0.0.mca'))

const until = async (isThere: () => Promise<boolean>, what: string) => {
  for (const deadline = Date.now() + 120_000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const folders = async () =>
  (await owner.call(listWorlds, { params: { id: serverId } })).worlds.map(({ folder }) => folder)

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const user = await owner.call(loginLocal, { body: { login, password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Worldly', requested_billing_services: ['FREE'] }
  serverId = (await owner.call(createServer, { body: order(wallet, '1.21.4', more) })).id
  await until(
    async () => (await owner.call(getServerStatus, { params: { id: serverId } })).game_status === 'IRL_IDLE',
    'the first start',
  )
  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

test('the world that is played is shown, and what cannot be done with it says why', async () => {
  await page.goto(`${product.origin}/s/${serverId}`, { waitUntil: 'networkidle' })
  await page.getByRole('navigation').getByRole('link', { name: 'Worlds' }).click()
  await page.waitForURL(`**/s/${serverId}/app/worlds`)
  await page.getByRole('heading', { name: 'world', exact: true }).waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^More for/ }).click()
  const remove = page.getByRole('menuitem', { name: /^Delete/ })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  expect(await remove.innerText()).toContain('This is the active world. Switch to another one first.')
  await page.keyboard.press('Escape')
  await remove.waitFor({ state: 'detached' })
  expect(await findFaults(page)).toEqual([])
})

test('an archive is uploaded, its world told, its rules changed by the keyboard', async () => {
  const files = { 'deep/inside/level.dat': oldLevel({ dataVersion: 4189 }), 'deep/inside/region/r.0.0.mca': region }
  const zip = makeZip(Object.entries(files).map(([path, data]) => ({ path, data })))
  await page.getByRole('button', { name: 'Upload a world' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'Islands.zip', mimeType: 'application/zip', buffer: zip })
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Islands')
  expect(await findFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Islands', exact: true }) })
  await card.getByText('42', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'hidden' })

  await card.getByRole('button', { name: 'Settings' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox', { name: 'keepInventory' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByLabel('randomTickSpeed').fill('x')
  await dialog.getByText('Whole numbers only.', { exact: true }).waitFor()
  await dialog.getByLabel('randomTickSpeed').fill('7')
  expect(await findFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await until(async () => {
    const { worlds } = await owner.call(listWorlds, { params: { id: serverId } })
    const rules = worlds.find(({ folder }) => folder === 'Islands')?.level?.rules
    return rules?.['keepInventory'] === 'true' && rules['randomTickSpeed'] === '7'
  }, 'the rules')
})

test('unused chunks are counted and removed; a world is copied and deleted', async () => {
  onTestFailed(async () => console.log(await page.locator('body').innerText()))
  const card = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const dialog = page.getByRole('dialog')
  const more = (name: string) => card(name).getByRole('button', { name: `More for ${name}` })
  const item = (name: string) => page.getByRole('menuitem', { name })
  await more('Islands').click()
  await item('Remove unused chunks').click()
  const remove = dialog.getByRole('button', { name: /^Remove/ })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByRole('combobox', { name: 'Players spent there at most' }).click()
  await page.getByRole('option').last().click()
  await dialog.getByRole('button', { name: 'Count', exact: true }).click()
  await dialog.getByText(/chunks would be removed/).waitFor()
  expect(await findFaults(page)).toEqual([])
  await remove.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Removing unused chunks of Islands', { exact: true }).waitFor()
  await more('Islands').click()
  const copy = item('Duplicate')
  await until(async () => (await copy.getAttribute('aria-disabled')) === null, 'the end of pruning')
  await copy.click()
  await dialog.getByLabel('Name').fill('Atoll')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await card('Atoll').getByRole('heading', { name: 'Atoll' }).waitFor()
  await more('Atoll').click()
  const erase = item('Delete')
  await until(async () => (await erase.getAttribute('aria-disabled')) === null, 'the end of copying')
  await erase.click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await until(async () => !(await folders()).includes('Atoll'), 'the end of deleting')
  await card('Atoll').waitFor({ state: 'detached' })
})

test('on a phone, in German, in the dark', async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    locale: 'de-DE',
    hasTouch: true,
    bypassCSP: true,
    storageState: await page.context().storageState(),
  })
  await phone.addCookies([{ name: languageCookie, value: 'de', url: product.origin }])
  const small = await phone.newPage()
  await small.goto(`${product.origin}/s/${serverId}/app/worlds`)
  await small.getByRole('heading', { name: 'Islands', exact: true }).waitFor()
  expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  expect(await findFaults(small)).toEqual([])
  await phone.close()
})
