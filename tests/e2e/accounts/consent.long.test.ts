/** Cookie consent: every button and section, how long it is kept, where it is not asked for, and what waits for it. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

const script = 'https://stats.example/script.js'
const day = 24 * 3600
/** A busy machine takes its time. */
const patient = { timeout: 15_000 }
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

/** A visitor on a page, and every request of theirs that leaves the site. */
async function visit(path: string, options: { javaScriptEnabled?: boolean } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const foreign: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(product.origin)) foreign.push(request.url())
  })
  await context.route('https://stats.example/**', (route) => route.fulfill({ body: 'window.measured = true' }))
  const page = await context.newPage()
  await page.goto(product.origin + path, { waitUntil: 'networkidle' })
  if (options.javaScriptEnabled !== false) await waitForScripts(page)
  return { context, page, foreign, region: regionOf(page) }
}
const regionOf = (page: Page) => page.getByRole('region', { name: 'Cookies, your choice' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The cookie's flags and its lifetime in days; undefined while nothing is decided. */
async function kept(context: BrowserContext) {
  const cookie = (await context.cookies()).find(({ name }) => name === 'ws_consent')
  if (cookie === undefined) return undefined
  const flags = JSON.parse(decodeURIComponent(cookie.value)) as Record<string, unknown>
  return { ...flags, days: Math.round((cookie.expires - Date.now() / 1000) / day) }
}
const flags = ({ analytics, advertising }: { analytics: boolean; advertising: boolean }) => ({
  version: 1,
  essential: true,
  analytics_storage: analytics,
  ad_storage: advertising,
  ad_user_data: advertising,
  ad_personalization: advertising,
})

test('accept all: a year, and the script loads at once and after a reload', async () => {
  const { context, page, region, foreign } = await visit('/en')
  expect(await region.isVisible()).toBe(true)
  expect(foreign).toEqual([])
  expect(await kept(context)).toBeUndefined()
  await button(page, 'Accept all').click()
  await region.waitFor({ state: 'detached' })
  await expect
    .poll(() => kept(context), patient)
    .toEqual({ ...flags({ analytics: true, advertising: true }), days: 365 })
  await expect.poll(() => page.evaluate('window.measured'), patient).toBe(true)
  await page.reload({ waitUntil: 'networkidle' })
  expect(await region.count()).toBe(0)
  expect(foreign).toEqual([script, script])
  await context.close()
})

test('only necessary: a month, and nothing is loaded from elsewhere on any page', async () => {
  const { context, page, region, foreign } = await visit('/en')
  await button(page, 'Only necessary').click()
  await region.waitFor({ state: 'detached' })
  await expect
    .poll(() => kept(context), patient)
    .toEqual({ ...flags({ analytics: false, advertising: false }), days: 30 })
  for (const path of ['/en', '/pl/login', '/de/register']) {
    await page.goto(product.origin + path, { waitUntil: 'networkidle' })
    expect(await page.locator('[data-consent]').count()).toBe(0)
  }
  expect(foreign).toEqual([])
  await context.close()
})

test.each([
  [{ analytics: true, advertising: false }, 30],
  [{ analytics: false, advertising: true }, 30],
  [{ analytics: true, advertising: true }, 365],
])('let me choose: %o is kept for %i days', async (choice, days) => {
  const { context, page, region, foreign } = await visit('/en/login')
  await button(page, 'Let me choose').click()
  const essential = region.getByRole('switch', { name: 'Essential' })
  expect(await essential.isChecked()).toBe(true)
  expect(await essential.isDisabled()).toBe(true)
  for (const [name, text] of [
    ['Essential', /keep you logged in/],
    ['Analytics', /which pages help/],
    ['Advertising', /ad cookies/],
  ] as const) {
    const section = region.locator('details').filter({ hasText: name })
    expect(await section.getByText(text).isVisible()).toBe(false)
    await section.locator('summary').click()
    expect(await section.getByText(text).isVisible()).toBe(true)
  }
  await region.getByRole('switch', { name: 'Analytics' }).setChecked(choice.analytics)
  await region.getByRole('switch', { name: 'Advertising' }).setChecked(choice.advertising)
  await button(page, 'Save settings').click()
  await region.waitFor({ state: 'detached' })
  await expect.poll(() => kept(context), patient).toEqual({ ...flags(choice), days })
  await page.reload({ waitUntil: 'networkidle' })
  expect(await region.count()).toBe(0)
  expect(foreign.length > 0).toBe(choice.analytics)
  await context.close()
})

test('asked on every page but the privacy policy and the terms of service', async () => {
  const { context, page, region } = await visit('/en/privacy-policy')
  expect(await region.count()).toBe(0)
  await page.goto(`${product.origin}/en/terms-of-service`)
  expect(await region.count()).toBe(0)
  for (const path of ['/en', '/en/login', '/en/register', '/en/privacy-policy-of-somebody']) {
    await page.goto(product.origin + path)
    expect(await region.isVisible(), path).toBe(true)
  }
  await context.close()
})

test('taking permission back in the footer ends what it allowed', async () => {
  const { context, page, region } = await visit('/en')
  await button(page, 'Accept all').click()
  await expect.poll(() => page.evaluate('window.measured'), patient).toBe(true)
  const entry = page.getByRole('contentinfo').getByRole('link', { name: 'Cookie settings' })
  await entry.click()
  expect(await region.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true)
  expect(await region.locator('h2:focus').count()).toBe(1)
  await button(page, 'Only necessary').click()
  await region.waitFor({ state: 'detached' })
  await expect
    .poll(() => kept(context), patient)
    .toEqual({ ...flags({ analytics: false, advertising: false }), days: 30 })
  await expect.poll(() => page.evaluate('window.measured'), patient).toBeUndefined()
  await context.close()
})

test('an older version of the question is asked again', async () => {
  const { context, page, region } = await visit('/en')
  const value = encodeURIComponent(JSON.stringify({ ...flags({ analytics: true, advertising: true }), version: 0 }))
  await context.addCookies([{ name: 'ws_consent', value, url: product.origin }])
  await page.reload({ waitUntil: 'networkidle' })
  expect(await region.isVisible()).toBe(true)
  await context.close()
})

test('works without JavaScript, and comes back to the page and its query', async () => {
  const { context, page, region } = await visit('/en/login?from=%2Fen%2Fcreate', { javaScriptEnabled: false })
  await button(page, 'Let me choose').click()
  await region.getByRole('switch', { name: 'Analytics' }).check()
  await button(page, 'Save settings').click()
  expect(page.url()).toBe(`${product.origin}/en/login?from=%2Fen%2Fcreate`)
  expect(await region.count()).toBe(0)
  expect(await kept(context)).toEqual({ ...flags({ analytics: true, advertising: false }), days: 30 })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Cookie settings' }).click()
  expect(await region.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true)
  await context.close()
})

test('leads to no other site', async () => {
  for (const back of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const answer = await fetch(`${product.origin}/consent`, {
      method: 'POST',
      body: new URLSearchParams({ choice: 'necessary', back }),
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  }
})
