/**
 * With JavaScript off every public page reads, every link on them leads somewhere in one step, menus open, and the theme
 * is the system's. And pages and their files travel as they should: compressed, kept where that is safe.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '@wakestone/contract/primitives'
import { publicPages } from '../../../apps/web/app/public-pages.ts'
import { openBrowser } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser
let context: BrowserContext
let page: Page
/** Addresses that links lead to, each with a page that has the link. */
const links = new Map<string, string>()

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  context = await browser.newContext({ javaScriptEnabled: false, locale: 'pl-PL', colorScheme: 'dark' })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const textOf = (html: string) => html.replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ')

test.each(publicPages.map(({ path }) => path))('/pl%s reads', async (path) => {
  const answer = await page.goto(`${product.origin}/pl${path}`)
  expect(answer?.status()).toBeLessThan(500)
  expect(new URL(page.url()).pathname).toBe(`/pl${path}`)
  expect(await page.getByRole('heading', { level: 1 }).first().isVisible()).toBe(true)
  await page.locator('details').evaluateAll((all) => {
    for (const folded of all) (folded as never as { open: boolean }).open = true
  })
  const words = (await page.getByRole('main').innerText()).trim().split(/\s+/)
  expect(words.length).toBeGreaterThan(8)
  // Nothing waits for a script to be seen: what the HTML says within the page is what is shown there.
  const written = textOf(await page.getByRole('main').innerHTML())
    .trim()
    .split(/\s+/)
  expect(words.length).toBeGreaterThan(written.length / 4)
  for (const address of await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((link) => (link as never as { href: string }).href))) {
    const url = new URL(address)
    url.hash = ''
    if (url.origin === product.origin) links.set(url.href, path)
  }
})

/** Pages of state answer with the status that they speak of; their own links to other languages do so too. */
const isItsOwn = (address: string) =>
  publicPages.some(({ path, isIndexed }) => !isIndexed && new URL(address).pathname.slice(3) === path)

test('every link of every public page leads somewhere, in one step at most', async () => {
  expect(links.size).toBeGreaterThan(20)
  const faults: string[] = []
  // A few at a time, so that a machine with two cores answers in time.
  const waiting = [...links]
  const follow = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [address, from] = next
      let answer = await fetch(address, { redirect: 'manual' })
      const first = answer.status
      if (first >= 300 && first < 400)
        answer = await fetch(new URL(answer.headers.get('location') ?? '', address), { redirect: 'manual' })
      await answer.arrayBuffer()
      if (answer.status !== 200 && !isItsOwn(address))
        faults.push(`${address} on ${from}: ${first}, then ${answer.status}`)
    }
  }
  await Promise.all([follow(), follow(), follow(), follow()])
  expect(faults).toEqual([])
})

test('every page exists in every language, and says in which it is written', async () => {
  const faults: string[] = []
  for (const { path } of publicPages) {
    for (const language of languages) {
      const answer = await fetch(`${product.origin}/${language}${path}`, { redirect: 'manual' })
      const html = await answer.text()
      if (
        answer.status >= 500 ||
        (answer.status >= 300 && answer.status < 400) ||
        !html.includes(`<html lang="${language}"`)
      )
        faults.push(`/${language}${path}: ${answer.status}`)
    }
  }
  expect(faults).toEqual([])
})

test('the theme is the system’s', async () => {
  const ground = () => page.locator('body').evaluate('getComputedStyle(document.body).backgroundColor')
  await page.goto(`${product.origin}/pl`)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await ground()).toBe('rgb(14, 17, 22)')
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await ground()).toBe('rgb(250, 249, 246)')
})

test('menus open, and the language is changed by a link', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${product.origin}/pl/offers?period=4320h`)
  await page.locator('header summary:visible').last().click()
  await page.locator('header a[hreflang=en]:visible').click()
  expect(page.url()).toBe(`${product.origin}/en/offers?period=4320h`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('header summary:visible').filter({ hasText: 'EN' }).click()
  await page.locator('header a[hreflang=de]:visible').click()
  expect(page.url()).toBe(`${product.origin}/de/offers?period=4320h`)
})

test.each(['login', 'register'])('%s says what it needs and keeps what was typed', async (path) => {
  await page.goto(`${product.origin}/en/${path}`)
  await page.getByRole('textbox').first().fill('nobody-at-all')
  await page.locator('input[type=password]').fill('x')
  await page.getByRole('main').locator('button[type=submit]').last().click()
  expect(await page.getByRole('textbox').first().inputValue()).toBe('nobody-at-all')
  expect(
    await page.getByRole('main').getByRole('alert').or(page.locator('[aria-invalid=true]')).first().isVisible(),
  ).toBe(true)
})

const ask = (path: string, init: RequestInit = {}) => fetch(product.origin + path, { redirect: 'manual', ...init })

test('files of the build come compressed and are kept for ever', async () => {
  const html = await (await ask('/en')).text()
  const files = [...new Set([...html.matchAll(/"(\/assets\/[^"#]+\.(?:js|css))"/g)].map(([, path]) => path!))]
  const kinds = files.map((path) => path.replace(/.*\./, ''))
  expect(kinds.filter((kind) => kind === 'js').length).toBeGreaterThan(5)
  expect(kinds).toContain('css')
  for (const path of files) {
    const answer = await ask(path, { headers: { 'accept-encoding': 'br, gzip' } })
    const isSmall = (await answer.arrayBuffer()).byteLength < 1024
    expect({ path, encoding: answer.headers.get('content-encoding') }).toEqual({
      path,
      encoding: isSmall ? null : 'br',
    })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    // `fetch` would say no-cache otherwise, and mean it.
    const known = { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    const again = await ask(path, { headers: { 'accept-encoding': 'br, gzip', ...known } })
    expect(again.status).toBe(304)
  }
})

test('a page comes compressed and is asked for anew by each visitor', async () => {
  const answer = await ask('/en', { headers: { 'accept-encoding': 'br' } })
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  expect(answer.headers.get('vary')?.toLowerCase()).toMatch(/cookie.*accept-language.*accept-encoding/)
})

test('HEAD says what GET says', async () => {
  for (const path of ['/en', '/en/offers', '/en/no-such-page', '/', '/robots.txt', '/assets/none.js']) {
    const [head, whole] = await Promise.all([ask(path, { method: 'HEAD' }), ask(path)])
    expect(await head.text()).toBe('')
    for (const name of ['content-type', 'cache-control', 'location'])
      expect({ path, [name]: head.headers.get(name) }).toEqual({ path, [name]: whole.headers.get(name) })
    expect({ path, status: head.status }).toEqual({ path, status: whole.status })
  }
})
