/** Addresses and languages as a visitor and a search engine meet them. */
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listIndexed, publicPages } from '../../../apps/web/app/public-pages.ts'
import { openBrowser } from '../../support/browser.ts'
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

type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

/** One request with exactly this path, followed nowhere. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(product.origin)
    const sent = request({ hostname, port, path, headers: { 'accept-language': 'pl', ...headers } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString() }),
      )
    })
    sent.on('error', reject).end()
  })
}

describe('addresses', () => {
  test.each([
    ['/login?from=%2Fpl%2Fcreate', 307, '/pl/login?from=%2Fpl%2Fcreate'],
    ['/xx/login', 307, '/pl/login'],
    ['/pl-PL/login?a=1', 308, '/pl/login?a=1'],
    ['/en-GB', 308, '/en'],
    ['/', 307, '/pl'],
    ['/pl/login/', 308, '/pl/login'],
  ])('%s answers %i, and its target is a page', async (path, status, target) => {
    const { status: actual, headers } = await ask(path)
    expect([actual, headers.location]).toEqual([status, target])
    // A cache may keep what the address alone decides, and nothing that depends on the visitor.
    if (status === 308) expect(headers['cache-control']).toMatch(/^public/)
    else expect([headers['cache-control'], headers.vary]).toEqual(['private, no-cache', 'Cookie, Accept-Language'])
    expect((await ask(target)).status).toBe(200)
  })

  test.each([
    ['/offers', '/pl/offers'],
    ['/pl-PL/offers', '/pl/offers'],
    ['/xx/offers', '/pl/offers'],
  ])('%s leads to %s in one step', async (path, target) => {
    expect((await ask(path)).headers.location).toBe(target)
    expect((await ask(target)).headers.location).toBeUndefined()
  })

  test('the language is the cookie’s, then the browser’s, then English', async () => {
    const lead = async (headers: Record<string, string>) => (await ask('/login', headers)).headers.location
    expect(await lead({ cookie: 'ws_language=de', 'accept-language': 'pl' })).toBe('/de/login')
    expect(await lead({ cookie: 'ws_language=xx', 'accept-language': 'fr, pl;q=0.5' })).toBe('/pl/login')
    expect(await lead({ 'accept-language': 'fr' })).toBe('/en/login')
  })

  test('German exists on the main site only', async () => {
    const elsewhere = { host: 'partner.example', 'accept-language': 'de, pl;q=0.5', cookie: 'ws_language=de' }
    expect((await ask('/de/login', elsewhere)).headers.location).toBe('/pl/login')
    expect((await ask('/', elsewhere)).headers.location).toBe('/pl')
    expect((await ask('/pl/login', elsewhere)).text).not.toMatch(/hreflang="de"/i)
    expect((await ask('/sitemap.xml', elsewhere)).text).not.toMatch(/\/de[/<"]/)
    expect((await ask('/pl/login')).text).toMatch(/hreflang="de"/i)
  })

  test.each(['//evil.example/x', '/\\evil.example/x', '/%2F%2Fevil.example', '/xx//evil.example', '/foo.php', '/.env'])(
    '%s never leads away',
    async (path) => {
      const { status, headers, text } = await ask(path)
      if (status !== 404) expect(headers.location).toMatch(/^\/(?:en|pl|de)(?:\/|$)/)
      expect(text).not.toMatch(/href="https?:\/\/evil/)
    },
  )

  test.each(['/foo.php', '/pl/foo.php', '/s/no-such-server/no/such/page'])('%s is not found', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })
})

describe('search engines', () => {
  test('find every public page, in every language', async () => {
    const { text, headers } = await ask('/sitemap.xml')
    expect(headers['content-type']).toMatch(/^application\/xml/)
    const listed = Array.from(text.matchAll(/<loc>([^<]+)<\/loc>/g), (match) => match[1])
    const wanted = listIndexed(['en', 'pl', 'de'])
    expect(listed.toSorted()).toEqual(
      wanted
        .flatMap(({ path, languages }) => languages.map((language) => `${product.origin}/${language}${path}`))
        .toSorted(),
    )
    for (const { path } of wanted) expect((await ask(`/en${path}`)).status, path).toBe(200)
  })

  test.each(publicPages.filter(({ isIndexed }) => isIndexed).map(({ path }) => path))(
    'read about %j in each language',
    async (path) => {
      // Some titles, such as “Newsletter”, are the same word everywhere; what a page says of itself is not.
      const descriptions = new Set<string>()
      for (const language of ['en', 'pl', 'de']) {
        const { text } = await ask(`/${language}${path}?period=2160h&currency=EUR`)
        const content = (name: string) =>
          new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(text)?.[1] ?? ''
        expect(/<title>([^<]+)<\/title>/.exec(text)?.[1]).toContain('Wakestone')
        descriptions.add(content('description'))
        expect(content('description').length, 'description').toBeGreaterThan(20)
        expect(content('keywords'), 'keywords').toContain(',')
        expect(text).toContain(`<link rel="canonical" href="${product.origin}/${language}${path}"/>`)
        for (const [hreflang, other] of Object.entries({ en: 'en', pl: 'pl', de: 'de', 'x-default': 'en' }))
          expect(text).toContain(
            `<link rel="alternate" hrefLang="${hreflang}" href="${product.origin}/${other}${path}"/>`,
          )
        expect(content('og:url')).toBe(`${product.origin}/${language}${path}`)
        expect(content('twitter:card')).toBe('summary_large_image')
        const image = await fetch(content('og:image'))
        expect(image.headers.get('content-type')).toBe('image/png')
        const { width, height } = PNG.sync.read(Buffer.from(await image.arrayBuffer()))
        expect([width, height]).toEqual([1200, 630])
        expect([content('og:image:width'), content('og:image:height')]).toEqual(['1200', '630'])
      }
      expect(descriptions.size).toBe(3)
    },
  )

  test('are told what is for sale, at the prices shown', async () => {
    const { text } = await ask('/pl/offers?currency=PLN')
    type Block = { '@graph': { '@type': string; offers?: { price: string; priceCurrency: string }[] }[] }
    const blocks = Array.from(
      text.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
      (match) => JSON.parse(match[1] ?? '') as Block,
    )
    const plans = blocks.flatMap((block) => block['@graph']).filter((node) => node['@type'] === 'Product')
    expect(plans.map(({ offers }) => offers?.[0])).toMatchObject(
      ['0.00', '18.44', '55.34'].map((price) => ({ price, priceCurrency: 'PLN' })),
    )
    for (const price of ['18,44', '55,34']) expect(text).toContain(price)
    const home = (await ask('/pl')).text
    for (const type of ['Organization', 'FAQPage']) expect(home).toContain(`"@type":"${type}"`)
  })

  test('get no picture that nobody has drawn, and ask for one only once', async () => {
    for (const path of ['/og/pl/no-such-page.png', '/og/xx/home.png', '/og/pl/__proto__.png', '/og/pl/home'])
      expect((await ask(path)).status, path).toBe(404)
    const { headers } = await ask('/og/pl/home.png')
    expect((await ask('/og/pl/home.png', { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  test('are told what is personal', async () => {
    const { text } = await ask('/robots.txt')
    expect(text).toContain(`Sitemap: ${product.origin}/sitemap.xml`)
    const rules = Array.from(
      text.matchAll(/^Disallow: (.+)$/gm),
      (match) => new RegExp(`^${(match[1] ?? '').replaceAll('*', '.*')}`),
    )
    const isAllowed = (path: string) => !rules.some((rule) => rule.test(path))
    expect(['/pl/s', '/s/fox', '/en/account/settings', '/de/wallets/1', '/api/v1/users'].filter(isAllowed)).toEqual([])
    expect(
      publicPages.filter(({ path, isIndexed }) => isIndexed && !isAllowed(`/en${path}`)).map(({ path }) => path),
    ).toEqual([])
    expect(isAllowed('/en/store-terms')).toBe(true)
  })
})

describe('switching', () => {
  test('keeps page, query and hash, and replaces the history entry', async () => {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(`${product.origin}/en/register`, { waitUntil: 'networkidle' })
    await page.goto(`${product.origin}/en/login?from=%2Fen%2Fcreate%3Fa%3D1#content`, { waitUntil: 'networkidle' })
    const entries = await page.evaluate<number>('history.length')
    await page.locator('summary', { hasText: 'Language' }).click()
    await page.getByRole('link', { name: 'Polski' }).click()
    await page.waitForURL(`${product.origin}/pl/login?from=%2Fen%2Fcreate%3Fa%3D1#content`)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('document.documentElement.lang')).toBe('pl')
    expect(await page.evaluate('history.length')).toBe(entries)
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/en/register')
    // The choice lasts: an address without a language follows it.
    await page.goto(`${product.origin}/en/login`, { waitUntil: 'networkidle' })
    await page.locator('summary', { hasText: 'Language' }).click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForURL(/\/de\/login/)
    await page.goto(`${product.origin}/register`)
    expect(new URL(page.url()).pathname).toBe('/de/register')
    await context.close()
  })
  test('a choice survives its cookie where the address names no language', async () => {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(`${product.origin}/pl/login`, { waitUntil: 'networkidle' })
    await context.clearCookies()
    await page.goto(`${product.origin}/login?from=%2Fs%2Fx`)
    await page.waitForURL(`${product.origin}/pl/login?from=%2Fs%2Fx`)
    await context.clearCookies()
    await page.goto(`${product.origin}/en/login`, { waitUntil: 'networkidle' })
    expect(new URL(page.url()).pathname).toBe('/en/login')
    await context.close()
  })
})

describe('texts', () => {
  test('are served per language, to be kept for ever under their version and checked otherwise', async () => {
    const versioned = /\/static\/locales\/pl\.json\?v=[\w-]+/.exec((await ask('/pl')).text)?.[0] ?? ''
    const kept = await ask(versioned)
    expect(kept.headers['cache-control']).toContain('immutable')
    expect(JSON.parse(kept.text)).toMatchObject({ shell: { login: expect.any(String) } })
    for (const address of ['/static/locales/pl.json', '/static/locales/pl.json?v=old']) {
      const { headers } = await ask(address)
      expect(headers['cache-control']).toBe('public, no-cache')
      const again = await ask(address, { 'if-none-match': String(headers.etag) })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    expect((await ask('/static/locales/xx.json')).status).toBe(404)
  })

  test('that cannot be read at first are read again; until then the page is the server’s', async () => {
    const page = await browser.newPage()
    let asked = 0
    await page.route('**/static/locales/**', (route) => (++asked <= 2 ? route.abort() : route.continue()))
    const failed: string[] = []
    page.on('pageerror', (error) => failed.push(error.message))
    await page.goto(`${product.origin}/pl/login`)
    await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(2)
    await page.waitForLoadState('networkidle')
    // Only a page that has come to life answers a wrong form by itself.
    await page.getByRole('button', { name: 'Zaloguj się' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    expect(failed).toEqual([])
    await page.close()
  })
})
