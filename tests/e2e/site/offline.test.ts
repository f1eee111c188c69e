/**
 * Without a connection the site says so, in the reader's language, and comes back by itself. Nothing else is kept by its
 * worker, least of all of somebody who is signed in.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
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

const whatIsKept = `(async () => {
  const addresses = []
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname)
  return addresses.toSorted()
})()`

/** Opens a page whose worker is at work. */
async function openWithWorker(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(product.origin + path)
  await page.evaluate(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ??
    new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true })))
    .then(() => undefined)`)
  return page
}

test.runIf(isLong)('a customer who loses the connection is told so, and is back once it is', async () => {
  const context = await browser.newContext({ locale: 'pl-PL' })
  const { login, password } = await product.signUp()
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password } })
  expect(answer.ok()).toBe(true)
  const page = await openWithWorker(context, '/pl/s')
  await page.goto(`${product.origin}/pl/account/settings`)
  expect(await page.locator('main').innerText()).toContain(login)

  await context.setOffline(true)
  await page.goto(`${product.origin}/pl/account/settings`)
  expect(await page.title()).toBe('Brak połączenia · Wakestone')
  expect(await page.locator('main').innerText()).not.toContain(login)
  expect(await page.evaluate(whatIsKept)).toEqual(['/favicon.svg', '/offline.html', '/offline.js'])
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click()
  await page.getByRole('heading', { name: 'Brak połączenia' }).waitFor()
  // What needs no page is not answered from anywhere.
  expect(await page.evaluate(`fetch('/api/v1/status').then(() => 'answered', () => 'failed')`)).toBe('failed')

  await context.setOffline(false)
  await page.getByText(login).first().waitFor()
  await context.close()
})

test('who opens a server without a connection reads it in their own language', async () => {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await openWithWorker(context, '/de')
  await context.setOffline(true)
  await page.goto(`${product.origin}/s/castle`)
  expect(await page.locator('h1:visible').innerText()).toBe('Keine Verbindung')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await context.close()
})

test('a phone is told how to keep it, in each language', async () => {
  for (const [language, words] of [
    ['en', 'New server'],
    ['pl', 'Nowy serwer'],
    ['de', 'Neuer Server'],
  ] as const) {
    const page = await (await fetch(`${product.origin}/${language}`)).text()
    const address = /<link rel="manifest" href="([^"]+)"/.exec(page)?.[1]
    const answer = await fetch(product.origin + String(address))
    expect(answer.headers.get('content-type')).toContain('application/manifest+json')
    const manifest = (await answer.json()) as {
      lang: string
      start_url: string
      shortcuts: { name: string; url: string }[]
      icons: { src: string; sizes: string; purpose: string }[]
    }
    expect(manifest.lang).toBe(language)
    expect(manifest.shortcuts.map(({ name }) => name)).toContain(words)
    expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable').map(({ sizes }) => sizes)).toContain(
      '512x512',
    )
    for (const { src } of manifest.icons)
      expect((await fetch(product.origin + src)).headers.get('content-type')).toBe('image/png')
  }
  expect((await fetch(`${product.origin}/manifest/xx.webmanifest`)).status).toBe(404)
})
