/** What surrounds every public page: header, menus, country, notices, theme, and what a visit leaves behind. */
import type { APIRequestContext, Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlagKey } from '@wakestone/contract/site/flags'
import { openBrowser, waitForScripts } from '../support/browser.ts'
import { type TestProduct, useProduct } from '../support/product.ts'

/** A busy machine takes its time. */
const patient = { timeout: 15_000 }
let product: TestProduct
let browser: Browser
let admin: APIRequestContext

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  admin = (await browser.newContext()).request
  await signIn(admin, 'admin@wakestone.local', product.secrets.adminPassword)
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

async function signIn(request: APIRequestContext, login: string, password: string): Promise<void> {
  const headers = { origin: product.origin }
  const answer = await request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login, password },
    headers,
  })
  if (!answer.ok()) throw new Error(`${login} cannot sign in: ${await answer.text()}`)
}

async function setFlag(key: FlagKey, enabled: boolean, value: unknown): Promise<void> {
  const headers = { origin: product.origin }
  const data = { enabled, ...(enabled ? { value } : {}) }
  const answer = await admin.patch(`${product.origin}/api/v1/admin/flags/${key}`, { data, headers })
  if (!answer.ok()) throw new Error(`${key} cannot be set: ${await answer.text()}`)
}

/** A context whose cookie choice is made, so that the region is out of the way. */
async function openVisitor(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options })
  const value = encodeURIComponent(JSON.stringify({ version: 1, essential: true }))
  await context.addCookies([{ name: 'ws_consent', value, url: product.origin }])
  return context
}
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await openVisitor(options)).newPage()
  await page.goto(product.origin + path, { waitUntil: 'networkidle' })
  if (options.javaScriptEnabled !== false) await waitForScripts(page)
  return page
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()')
const stored = (page: Page, key: string) => page.evaluate<string | null>(`sessionStorage.getItem('${key}')`)
/** Height of the header within the window; its bottom edge is above 0 while it is away. */
const headerBottom = (page: Page) =>
  page.evaluate<number>(`document.querySelector('header').getBoundingClientRect().bottom`)

test('the header leaves past 100 px downwards and returns upwards, but not from under the keyboard', async () => {
  const page = await open('/en')
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, 90)
  await expect.poll(() => page.evaluate('scrollY'), patient).toBe(90)
  expect(await headerBottom(page)).toBeGreaterThan(60)
  await page.mouse.wheel(0, 500)
  await expect.poll(() => headerBottom(page), patient).toBeLessThanOrEqual(0)
  await page.mouse.wheel(0, -50)
  await expect.poll(() => headerBottom(page), patient).toBeGreaterThan(60)
  await page.evaluate('scrollTo(0, 0)')
  await page.keyboard.press('Tab')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).focus()
  await page.mouse.wheel(0, 600)
  await expect.poll(() => page.evaluate('scrollY'), patient).toBe(600)
  expect(await headerBottom(page)).toBeGreaterThan(60)
  await page.context().close()
})

test('a narrow header has a menu that keeps the focus, closes on Esc and leads on', async () => {
  const page = await open('/en', { viewport: { width: 991, height: 800 } })
  const header = page.getByRole('banner')
  const sheet = header.getByRole('link', { name: 'For parents' })
  const toggle = header.locator('summary').filter({ hasText: 'Menu' })
  expect(await sheet.isVisible()).toBe(false)
  await toggle.focus()
  await page.keyboard.press('Enter')
  await sheet.waitFor()
  const seen: string[] = []
  for (let step = 0; step < 14; step++) {
    await page.keyboard.press('Tab')
    seen.push(await focused(page))
  }
  expect(seen).toContain('Contact')
  expect(seen).toContain('Menu')
  expect(await page.evaluate(`document.activeElement.closest('header') !== null`)).toBe(true)
  await page.keyboard.press('Escape')
  expect(await sheet.isVisible()).toBe(false)
  expect(await focused(page)).toBe('Menu')
  await page.keyboard.press('Enter')
  await sheet.click()
  await page.waitForURL(`${product.origin}/en/parents`)
  await sheet.waitFor({ state: 'hidden' })
  await toggle.click()
  await header.getByRole('link', { name: /^VAT 23%, Poland/ }).click()
  await page.getByRole('dialog', { name: 'Your country' }).getByRole('searchbox').waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 992, height: 800 })
  expect(await toggle.isVisible()).toBe(false)
  expect(await sheet.isVisible()).toBe(true)
  await page.context().close()
})

test('without JavaScript the menu opens, and a country can be chosen', async () => {
  const page = await open('/en/offers?period=8760h', {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  })
  await page.locator('header summary').filter({ hasText: 'Menu' }).click()
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^VAT 23%, Poland/ })
    .click()
  await page.getByLabel('Country').selectOption({ label: 'Germany' })
  await page.getByRole('button', { name: 'Save' }).click()
  expect(page.url()).toBe(`${product.origin}/en/offers?period=8760h`)
  expect(await page.getByRole('contentinfo').getByText('Prices include VAT for Germany, 19%.').isVisible()).toBe(true)
  await page.context().close()
})

test('another country changes VAT, currency and prices at once', async () => {
  const page = await open('/en')
  const plan = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Grass' }) })
  await plan.getByText('PLN 18.44').waitFor()
  const country = page.getByRole('banner').getByRole('link', { name: /^VAT/ })
  await country.click()
  const dialog = page.getByRole('dialog', { name: 'Your country' })
  const search = dialog.getByRole('searchbox')
  await search.waitFor()
  expect(await dialog.getByRole('listitem').first().textContent()).toContain('Poland')
  await page.keyboard.type('aland')
  await expect.poll(() => dialog.getByRole('listitem').first().textContent(), patient).toBe('Åland IslandsAX')
  await search.fill('hungary')
  await dialog.getByRole('button', { name: 'Hungary' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^VAT 27%/ })
    .waitFor()
  // 3.49 EUR net with 27 % of VAT.
  await plan.getByText('€4.43').waitFor()
  await page.reload()
  await plan.getByText('€4.43').waitFor()
  await page.context().close()
})

test('a closed announcement stays away for the session, without a flicker, and is back in the next', async () => {
  const text = { en: 'The night market is open.', pl: 'Nocny targ jest otwarty.', de: 'Der Nachtmarkt ist offen.' }
  await setFlag('panel-announcement', true, { text, community_url: 'https://discord.gg/lantern' })
  const context = await openVisitor()
  const page = await context.newPage()
  // Before any script of the page ran, and again at the end.
  const isShown = async () => (await page.locator('aside[data-announcement]').filter({ visible: true }).count()) > 0
  await page.goto(`${product.origin}/de`)
  await waitForScripts(page)
  const banner = page.getByRole('complementary', { name: 'Ankündigung' })
  await banner.getByText(text.de).waitFor()
  expect(await banner.getByRole('link').getAttribute('href')).toBe('https://discord.gg/lantern')
  await banner.getByRole('button').click()
  await banner.waitFor({ state: 'detached' })
  await page.addInitScript(`
    new PerformanceObserver((list) => { window.shifts = (window.shifts ?? 0) + list.getEntries().length })
      .observe({ type: 'layout-shift', buffered: true })
  `)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(`${product.origin}/en`, { waitUntil: 'networkidle' })
  expect(await isShown()).toBe(false)
  await page.unroute('**/assets/*.js')
  await page.reload()
  await waitForScripts(page)
  expect(await isShown()).toBe(false)
  expect(await page.evaluate('window.shifts ?? 0')).toBe(0)
  const next = await context.newPage()
  await next.goto(`${product.origin}/pl`)
  await next.getByText(text.pl).waitFor()
  await setFlag('panel-announcement', false, null)
  await next.reload()
  expect(await next.locator('aside[data-announcement]').count()).toBe(0)
  await context.close()
})

test('a redirect modal asks once in a session', async () => {
  const text = { en: 'A word to parents', pl: 'Słowo do rodziców', de: 'Ein Wort an Eltern' }
  await setFlag('redirect-modal', true, { title: text, text, to: '/parents' })
  const page = await open('/en/login')
  const dialog = page.getByRole('dialog', { name: text.en })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.reload({ waitUntil: 'networkidle' })
  expect(await dialog.count()).toBe(0)
  const other = await open('/en/login')
  await other.getByRole('dialog').getByRole('link', { name: 'Take me there' }).click()
  await other.waitForURL(`${product.origin}/en/parents`)
  await setFlag('redirect-modal', false, null)
  await page.context().close()
  await other.context().close()
})

test('the theme follows the system until it is toggled, and then in all tabs', async () => {
  const context = await openVisitor({ colorScheme: 'dark' })
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const page of [one, two]) {
    await page.goto(`${product.origin}/en`)
    await waitForScripts(page)
  }
  const theme = (page: Page) => page.evaluate(`document.documentElement.dataset.mantineColorScheme`)
  const toggle = (page: Page) =>
    page
      .getByRole('banner')
      .getByRole('button', { name: /light and dark/ })
      .click()
  expect(await theme(one)).toBe('dark')
  await one.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => theme(one), patient).toBe('light')
  await one.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => theme(one), patient).toBe('dark')
  await toggle(one)
  await expect.poll(() => theme(two), patient).toBe('light')
  await toggle(two)
  await expect.poll(() => theme(one), patient).toBe('dark')
  await toggle(two)
  await one.reload()
  expect(await theme(one)).toBe('light')
  await context.close()
})

test('who is signed in finds the panel, the wallet and the way out', async () => {
  const context = await openVisitor()
  await signIn(context.request, 'demo', product.secrets.demoPassword)
  const page = await context.newPage()
  await page.goto(`${product.origin}/en`)
  await waitForScripts(page)
  const header = page.getByRole('banner')
  const menu = header.locator('summary').filter({ hasText: 'Account: demo' })
  await menu.click()
  expect(await header.getByRole('link', { name: /^Wallet PLN/ }).isVisible()).toBe(true)
  expect(await header.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  await header.getByRole('button', { name: 'Log out' }).click()
  await header.getByRole('link', { name: 'Log in' }).waitFor()
  await context.close()
})

test('leaving a touched order by the header is asked about', async () => {
  const context = await openVisitor()
  await signIn(context.request, 'demo', product.secrets.demoPassword)
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/create`)
  await waitForScripts(page)
  const home = page.getByRole('link', { name: 'Wakestone, home page' })
  const name = page.getByRole('textbox', { name: 'Server name' })
  // Nothing is wrong until it is sent; then the first wrong field is what one sees, also on a phone.
  await page.setViewportSize({ width: 390, height: 700 })
  const wrong = page.getByText('Check the marked fields.')
  await page.getByRole('radio', { name: /^Free/ }).check({ force: true })
  const create = page.getByRole('button', { name: 'Create for free' })
  await create.waitFor()
  // A name is suggested; without one it is refused.
  await name.fill('')
  await page.getByText(/^Free servers get a generated address, such as /).waitFor()
  expect(await page.getByRole('textbox', { name: 'Address' }).count()).toBe(0)
  for (const asked of ['How long', 'Pay from'])
    expect(await page.getByText(asked, { exact: true }).count(), asked).toBe(0)
  // The button is in sight before anything is scrolled.
  const bar = await create.boundingBox()
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(700)
  expect(await wrong.count()).toBe(0)
  await create.click()
  await wrong.waitFor()
  await name.and(page.locator(':focus')).waitFor()
  const box = await name.boundingBox()
  expect(box?.y).toBeGreaterThan(60)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(700)
  await page.setViewportSize({ width: 1280, height: 720 })
  await name.fill('Half a castle')
  await home.click()
  const dialog = page.getByRole('dialog', { name: 'Leave this page?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toContain('/en/create')
  await home.click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(`${product.origin}/en`)
  await context.close()
})

test('a partner and a referral code are remembered for the session', async () => {
  const page = await open('/en?utm_source=night-market&ref=ZOSIA-7')
  await expect.poll(() => stored(page, 'redirected-from'), patient).toBe('night-market')
  expect(await stored(page, 'referrer-code')).toBe('ZOSIA-7')
  await page.goto(`${product.origin}/en/login?utm_source=somebody-else&ref=<script>`)
  await waitForScripts(page)
  expect(await stored(page, 'redirected-from')).toBe('night-market')
  expect(await stored(page, 'referrer-code')).toBe('ZOSIA-7')
  await page.context().close()
})

test('a bug is reported over the page it is about', async () => {
  const page = await open('/en/login')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Report a bug' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report a bug' })
  expect(await dialog.getByLabel('What is it about?').inputValue()).toBe('site_problem')
  await dialog.getByLabel('E-mail').fill('bug.finder@example.test')
  await dialog.getByLabel('Subject').fill('The moon is square')
  await dialog.getByLabel('Message').fill('On the home page, above the house, since this evening.')
  await dialog.getByRole('button', { name: /^Send/ }).click()
  await dialog.getByText('bug.finder@example.test').waitFor()
  expect(page.url()).toBe(`${product.origin}/en/login`)
  await page.context().close()
})

test('the footer has what the operator set, and the version', async () => {
  const page = await open('/de')
  const footer = page.getByRole('contentinfo')
  const hrefOf = (name: string) => footer.getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await hrefOf('Dokumentation')).toBe('https://docs.example/de/start')
  expect(await hrefOf('Discord')).toBe('https://discord.gg/lantern')
  expect(await hrefOf('YouTube')).toBe('https://www.youtube.com/@lantern')
  expect(await footer.getByText(/^Version \d+\.\d+\.\d+.*, \d+\. \p{L}+ \d{4}$/u).count()).toBe(1)
  await page.context().close()
})
