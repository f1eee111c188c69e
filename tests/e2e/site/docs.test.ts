/** The documentation as its readers meet it: searched, copied from, and reached from the screen that it explains. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

test('is in the first answer, kept for all visitors, and ends in the page for what is missing', async () => {
  const address = `${product.origin}/pl/docs/guide/joining`
  const first = await fetch(address)
  expect(await first.text()).toMatch(/<h2 id="bedrock-edition">.*Bedrock pyta o dwie rzeczy/s)
  const etag = String(first.headers.get('etag'))
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(`${product.origin}/pl/docs/operators/settings`)).status).toBe(200)
  expect((await fetch(`${product.origin}/pl/docs/guide/no-such-page`)).status).toBe(404)
})

test('a visitor searches, goes to what is found by keyboard, and copies a command', async () => {
  const context = await browser.newContext({ locale: 'pl-PL', permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${product.origin}/pl/docs`)
  const field = page.getByRole('combobox', { name: 'Szukaj w dokumentacji' })
  const guide = page.getByRole('heading', { name: 'Gracze i właściciele' })
  await guide.waitFor()
  await field.fill('qwertyuiop')
  await page.getByText('Brak wyników dla „qwertyuiop”.').waitFor()
  expect(await page.getByRole('search').getByRole('link', { name: 'Napisz do nas' }).getAttribute('href')).toBe(
    '/pl/contact',
  )
  await field.fill('usypi')
  // What is found stands in the place of the list of pages.
  await guide.waitFor({ state: 'hidden' })
  await page.getByRole('option').first().waitFor()
  await field.press('Enter')
  await page.waitForURL(/\/pl\/docs\/guide\/sleep/)
  await page.getByRole('heading', { level: 1, name: 'Usypianie i budzenie' }).waitFor()

  await page.goto(`${product.origin}/pl/docs/operators/deploying`)
  expect(await page.locator('h1').getAttribute('lang')).toBe('en')
  const block = page.locator('[data-code]').first()
  await block.getByRole('button', { name: 'Kopiuj' }).click()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent())
  await context.close()
})

test.runIf(isLong)('a customer finds it from the screen they are on, and by the palette', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const { login, password } = await product.signUp()
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password } })
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/account/support`)
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Help with this page (opens in a new tab)' }).click(),
  ])
  await opened.waitForURL(/\/en\/docs\/guide\/support$/)
  await opened.close()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('plugins, mods')
  await page.getByRole('option', { name: 'Plugins, mods and engines' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/en\/docs\/guide\/packages$/)
  await context.close()
})
