/** Pages of words and pages of state, as a browser without JavaScript, a search engine and a reader meet them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { legalSlugs, pageSlugs } from '@wakestone/contract/site/document'
import { languages } from '@wakestone/contract/primitives'
import { getDocument, getWordPage } from '@wakestone/contract/site/documents-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { register } from '@wakestone/contract/accounts/users-routes'
import { messageKinds } from '../../../apps/web/app/screens/messages/message-kinds.ts'
import { createCookieClient, startTestApi, type TestApi } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { order, shareServer, topUp } from '../../support/servers.ts'

const patience = { timeout: 20_000 }
const dataDir = mkdtempSync(join(tmpdir(), 'ws-documents-'))
let site: TestApi
let browser: Browser
/** A page without JavaScript. */
let page: Page

beforeAll(async () => {
  site = await startTestApi({ DATA_DIR: dataDir, SUPPORT_EMAIL: 'help@ogon.example' }, { pages: true })
  browser = await openBrowser()
  page = await browser.newPage({ javaScriptEnabled: false })
  await page.route('**/*.woff2', (route) => route.abort())
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask(path: string, cookie = '') {
  const response = await fetch(site.origin + path, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
  return { status: response.status, to: response.headers.get('location'), html: await response.text() }
}

const legalPages = legalSlugs.flatMap((slug) => languages.map((language) => [language, slug] as const))
test.each(legalPages)('/%s/%s reads without JavaScript', async (language, slug) => {
  const response = await page.goto(`${site.origin}/${language}/${slug}`)
  expect(response?.status()).toBe(200)
  const document = await site.anonymous(getDocument, { params: { slug }, query: { language } })
  expect(await page.locator('h1').allInnerTexts()).toEqual([document.title])
  const text = await page.locator('main').innerText()
  expect(text).toContain(document.version)
  expect(text).toContain(document.date.slice(0, 4))
  expect(text).toContain('help@ogon.example')
  for (const heading of document.headings) {
    expect(await page.locator(`h${heading.level}#${heading.id}`).innerText()).toContain(heading.text)
    expect(await page.locator(`nav a[href="#${heading.id}"]`).count()).toBeGreaterThan(0)
  }
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toContain(`/${language}/${slug}`)
})

test.each(pageSlugs.flatMap((slug) => languages.map((language) => [language, slug] as const)))(
  '/%s/%s shows every part',
  async (language, slug) => {
    await page.goto(`${site.origin}/${language}/${slug}`)
    const { title, sections } = await site.anonymous(getWordPage, { params: { slug }, query: { language } })
    expect(await page.locator('h1').innerText()).toBe(title)
    for (const { id, title: heading, items } of sections) {
      expect(await page.locator(`#${id} h2`).innerText()).toContain(heading)
      expect(await page.locator(`#${id} h3`).count()).toBe(items.length)
    }
  },
)

describe('versions', () => {
  const write = (path: string, version: string, date: string) => {
    const file = join(dataDir, 'content/legal/store-terms', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `---\ntitle: House rules\nversion: ${version}\ndate: ${date}\n---\n\n## Only\n\nEdition ${version}.\n`,
    )
  }
  test('an earlier one is reached from the page, kept from search engines, and leads back', async () => {
    write('en.md', '2.0', '2026-02-01')
    write('1.0/en.md', '1.0', '2026-01-01')
    await page.goto(`${site.origin}/en/store-terms`)
    expect(await page.locator('main').innerText()).toContain('Edition 2.0.')
    await page.locator('a[href$="?version=1.0"]').click()
    expect(await page.locator('main').innerText()).toContain('Edition 1.0.')
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex')
    await page.locator('main a[href$="/store-terms"]').first().click()
    expect(await page.locator('main').innerText()).toContain('Edition 2.0.')
  })

  test.each(['9.9', '../../../1.0', '1.0/../2.0'])(
    'one that is not kept (%s) leads to the one in force',
    async (version) => {
      const { status, to } = await ask(`/en/store-terms?version=${encodeURIComponent(version)}`)
      expect([status, to]).toEqual([302, '/en/store-terms'])
    },
  )
})

describe('pages of state', () => {
  const codes = Object.keys(messageKinds)
  test.each([
    ...codes.map((code) => [`/pl/messages/${code}`, 200] as const),
    ['/pl/messages/toString', 404],
    ['/pl/messages', 404],
    ['/pl/unauthorized', 403],
    ['/pl/unauthorized-server', 403],
    ['/pl/server-not-found?server=%3Cscript%3Ealert(1)%3C/script%3E', 404],
    ['/pl/no/such/page', 404],
  ] as const)('%s answers %i and is not indexed', async (path, status) => {
    const answer = await ask(path)
    expect(answer.status).toBe(status)
    expect(answer.html).toMatch(/<meta name="robots" content="noindex"/)
    expect(answer.html.match(/<h1/g)).toHaveLength(1)
    expect(answer.html).not.toContain('<script>alert')
  })

  test('an unknown server leads to /server-not-found, one without the right to /unauthorized-server', async () => {
    const [owner, guest] = [await site.signUp(), await site.signUp()]
    const server = await owner.call(createServer, { body: order(await topUp(site.context, owner, 10_000), '1.21.4') })
    const address = `/s/${server.id}`
    expect(await ask('/s/nobody-is-here', owner.cookie())).toMatchObject({
      status: 302,
      to: '/en/server-not-found?server=nobody-is-here',
    })
    expect((await ask(address, guest.cookie())).to).toBe(`/en/server-not-found?server=${server.id}`)
    await shareServer(site.context, {
      serverId: server.id,
      userId: guest.user.id,
      capabilities: { 'server.manage.read': false, 'server.packages': true },
    })
    expect((await ask(address, guest.cookie())).to).toBe(`/en/unauthorized-server?server=${server.id}`)
    expect((await ask(address, owner.cookie())).status).toBe(200)
    expect((await ask(address)).to).toMatch(/^\/en\/login\?from=/)
  })

  test('a page for administrators leads others to /unauthorized', async () => {
    const [customer, admin] = [await site.signUp(), await site.signUp({ admin: true })]
    expect((await ask('/en/admin/outbox', customer.cookie())).to).toBe('/en/unauthorized')
    expect((await ask('/en/admin/outbox', admin.cookie())).status).toBe(200)
  })
})

describe('when rendering fails', () => {
  const language = 'en'
  /** The real build with a host that breaks. */
  async function render(path: string, host: Record<string, unknown>) {
    // Not above: React Router reads NODE_ENV when it is loaded, and the pages set that.
    const { renderPage } = await import('../../../apps/server/src/http/test-support/render-page.ts')
    const logged: unknown[] = []
    const response = await renderPage(site.origin + path, {
      api: () => Promise.reject(new Error('broken: secret')),
      user: null,
      language,
      languages,
      nonce: 'n0nce',
      eventId: 'abc123def456',
      site: {},
      log: (error: unknown) => logged.push(error),
      ...host,
    })
    return { status: response.status, html: await response.text(), logged }
  }

  test('the page says so, with the id under which it is logged', async () => {
    const { status, html, logged } = await render('/en/privacy-policy', {})
    expect(status).toBe(500)
    expect(html).toContain('Something went wrong')
    expect(html).toContain('abc123def456')
    expect(html).toMatch(/<meta name="robots" content="noindex"/)
    expect(html).not.toContain('secret')
    expect(logged).toHaveLength(1)
  })

  test('also when the data of every page, or all texts, are missing', async () => {
    for (const broken of [{ api: null }, { api: null, language: 'xx' }]) {
      const { status, html } = await render('/en/privacy-policy', broken)
      expect(status).toBe(500)
      expect(html).toContain('Something went wrong')
      expect(html).toContain('abc123def456')
      expect(html).not.toMatch(/>error\.\w+|secret/)
    }
  })

  test('and a plain page when even that fails', async () => {
    const own = await startTestApi({ DATA_DIR: join(dataDir, 'own') }, { pages: true })
    const { call, cookie } = createCookieClient(own.origin)
    const body = { username: 'lamplighter', email: 'lamp@ogon.example', password: 'correct horse battery' }
    await call(register, { body: { ...body, language: 'pl', accepted_tos: true } })
    await own.context.database.close() // who asks cannot be told any more
    const response = await fetch(`${own.origin}/pl/parents`, { headers: { cookie: cookie(), 'accept-language': 'pl' } })
    const html = await response.text()
    await own.api.app.close()
    await own.context.boss.stop()
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toMatch(/<html lang="pl">[\s\S]*noindex[\s\S]*<code>[0-9a-f]{12}<\/code>/)
  })

  test('a reader copies the id in the browser', async () => {
    const reader = await browser.newPage()
    await reader.route('**/pl/parents', async (route) => {
      const { html } = await render('/pl/parents', {})
      await route.fulfill({ status: 500, contentType: 'text/html', body: html })
    })
    const faults: string[] = []
    reader.on('pageerror', (error) => faults.push(error.message))
    await reader.goto(`${site.origin}/pl/parents`)
    const code = reader.getByRole('button', { name: /abc123def456/ })
    await expect
      .poll(() => code.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react'))), patience)
      .toBe(true)
    await code.click()
    await expect.poll(() => code.innerText(), patience).toMatch(/ · /)
    expect(faults).toEqual([])
    await reader.close()
  })
})

test('the table of contents leads to its heading; an unknown anchor does nothing', async () => {
  const reader = await browser.newPage()
  await reader.goto(`${site.origin}/de/privacy-policy#no-such-heading`)
  const link = reader.getByRole('navigation').locator('a[href="#cookies"]').first()
  await link.click()
  await expect.poll(() => link.getAttribute('aria-current'), patience).toBe('location')
  await reader.close()
})
