/** A website by keyboard alone, from the order to its own host; and what that host keeps apart from the panel. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { listUserCraftums } from '@wakestone/contract/accounts/users-routes'
import { getCraftumParameters } from '@wakestone/contract/websites/craftums-routes'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { bringAxe, findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { createTypist } from '../../support/keyboard.ts'
import { topUp } from '../../support/servers.ts'

let api: TestApi
let browser: Browser
let owner: Caller
let context: BrowserContext
let page: Page
beforeAll(async () => {
  api = await startTestApi({}, { pages: true })
  // Forms are taken from pages of this site only, and addresses of websites have its port.
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  browser = await openBrowser()
  owner = await api.signUp({ capabilities: { 'user.craftum': true } })
  await topUp(api.context, owner, 5000)
  ;({ context, page } = await enter({ locale: 'en-GB', reducedMotion: 'reduce' }))
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

async function enter(options: Parameters<Browser['newContext']>[0]) {
  const made = await browser.newContext(options)
  const headers = { origin: api.origin }
  const data = { login: owner.user.email, password: owner.password }
  await made.request.post(`${api.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await made.request.post(`${api.origin}/api/v1/users/login/local`, { data, headers })
  return { context: made, page: await made.newPage() }
}
const addressOf = (name: string, path = '/') => `http://${name}.sites.localhost:${new URL(api.origin).port}${path}`

test('is rented, built and published without a mouse', { timeout: 120_000 }, async () => {
  onTestFailed(async () => void (await page.screenshot({ path: 'test-results/website-editor.png', fullPage: true })))
  const { press, type, tabTo, faults } = createTypist(page)
  const main = page.getByRole('main')
  const field = (name: string | RegExp) => main.getByRole('textbox', { name }).first()
  const button = (name: string | RegExp) => main.getByRole('button', { name }).first()

  await page.goto(`${api.origin}/en/c`)
  await waitForScripts(page)
  await press(main.getByRole('link', { name: 'Create a website' }))
  await page.waitForURL('**/offers/craftum/create')
  await type(field('Website name'), 'Lantern Harbour')
  await tabTo(field('Address'))
  await page.keyboard.press('Tab')
  await main.getByText('lantern-harbour.sites.localhost is available').waitFor()
  await press(button(/^Pay PLN/))
  await page.waitForURL(/\/en\/c\/[0-9a-f-]{36}$/)
  await main.getByRole('heading', { level: 1, name: 'Lantern Harbour' }).waitFor()

  // What is written is seen at once in the page beside it.
  await press(button('Welcome'))
  await type(field('Heading'), 'Built without a mouse')
  await main.locator('.ws-site').getByText('Built without a mouse').waitFor()

  // A picture from this machine: sent, chosen and seen at once.
  await press(button('Choose a picture'))
  const dialog = page.getByRole('dialog', { name: 'Pictures of this website' })
  const chooser = page.waitForEvent('filechooser')
  await press(dialog.getByRole('button', { name: 'Upload pictures' }))
  const lantern = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#f5b942' } })
    .png()
    .toBuffer()
  await (await chooser).setFiles({ name: 'lantern.png', mimeType: 'image/png', buffer: lantern })
  await main.locator('.ws-hero img').waitFor()
  await dialog.waitFor({ state: 'hidden' })

  // A block of another kind, below the one that is chosen, filled in, and moved.
  await tabTo(main.getByRole('combobox', { name: 'New block' }))
  await page.keyboard.type('News')
  await press(button('Add block'))
  await press(button('Add: Post'))
  const post = main.getByRole('group', { name: 'Post 1' })
  await type(post.getByRole('textbox', { name: 'Heading' }), 'We are open')
  await type(post.getByRole('textbox', { name: 'Text' }), '**Come in** and look around')
  await press(button('Move down: News'))
  await main.getByText('News is now in position 3.').waitFor({ state: 'attached' })
  const rows = main.locator('ol').first().locator('[data-row] > button')
  expect(await rows.allInnerTexts()).toEqual(['Welcome', 'Server status', 'News', 'Who is playing', 'Rules', 'Footer'])

  // Back and forth.
  await press(button('Undo'))
  await expect
    .poll(() => rows.allInnerTexts())
    .not.toEqual(['Welcome', 'Server status', 'News', 'Who is playing', 'Rules', 'Footer'])
  await press(button('Redo'))
  await expect
    .poll(() => rows.allInnerTexts())
    .toEqual(['Welcome', 'Server status', 'News', 'Who is playing', 'Rules', 'Footer'])

  await page.keyboard.press('Control+s')
  await main.getByText('All changes saved').waitFor()
  // What nobody has filled is named before everyone sees it.
  await press(button('Publish'))
  const asked = page.getByRole('dialog', { name: 'Publish with unfinished blocks?' })
  await asked.getByText('Welcome: still has the sample text').waitFor()
  await asked.getByText('Server status: no server is chosen').waitFor()
  await press(asked.getByRole('button', { name: 'Publish anyway' }))
  await main.getByText('Published: this is what everyone sees now').waitFor()
  expect([...faults]).toEqual([])

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(addressOf('lantern-harbour'))
  expect(await visitor.getByRole('heading', { level: 1 }).innerText()).toBe('Built without a mouse')
  expect(await visitor.getByRole('heading', { name: 'We are open' }).count()).toBe(1)
  await visitor.locator('.ws-hero img').scrollIntoViewIfNeeded()
  const shown = `(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('.ws-hero img'))`
  expect(await visitor.evaluate(shown)).toBe(600)
  expect(await visitor.locator('strong', { hasText: 'Come in' }).count()).toBe(1)
  await visitor.context().close()
})

test('comes in scripts of its own', async () => {
  const asked: string[] = []
  const other = await context.newPage()
  other.on('request', (request) => asked.push(request.url()))
  await other.goto(`${api.origin}/en/c`, { waitUntil: 'networkidle' })
  expect(asked.filter((url) => /website-editor|puck/i.test(url))).toEqual([])
  await other.close()
})

test('its host knows nothing of the panel, and runs nothing but what the page is made of', async () => {
  const visitor = await context.newPage()
  const violations: string[] = []
  visitor.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  const requests: Record<string, string | undefined>[] = []
  visitor.on('request', (request) => requests.push({ url: request.url(), cookie: request.headers()['cookie'] }))
  // In the browser that is signed in to the panel.
  await visitor.goto(addressOf('lantern-harbour'), { waitUntil: 'networkidle' })
  expect(requests.map(({ cookie }) => cookie).filter((cookie) => cookie !== undefined)).toEqual([])
  expect(await visitor.evaluate('document.cookie')).toBe('')
  expect(violations).toEqual([])
  expect(requests.every(({ url }) => url?.startsWith(addressOf('lantern-harbour', '')))).toBe(true)
  // Whatever ran there could not ask the panel for anything.
  const reached = await visitor.evaluate(
    `fetch('${api.origin}/api/v1/users/verify', { credentials: 'include' }).then(() => 'reached', () => 'kept out')`,
  )
  expect(reached).toBe('kept out')
  expect(await visitor.evaluate(`fetch('/api/v1/users/verify').then(({ status }) => status)`)).toBe(404)
  await visitor.close()
})

test('goes offline with its time, and comes back with a renewal in the panel', { timeout: 60_000 }, async () => {
  const [website] = await owner.call(listUserCraftums, { params: { id: owner.user.id } })
  const id = website?.id ?? ''
  await api.context.db
    .updateTable('services')
    .set({ expires: new Date(Date.now() - 1000) })
    .where('id', '=', website?.service_id ?? '')
    .execute()
  const visitor = await context.newPage()
  expect((await visitor.goto(addressOf('lantern-harbour')))?.status()).toBe(503)
  await page.goto(`${api.origin}/en/c`)
  await page.getByText(/^Expired, deleted on/).waitFor()
  await page.getByRole('link', { name: 'Renew Lantern Harbour' }).click()
  await page.getByRole('button', { name: /^Renew for PLN/ }).click()
  await page.getByText(/^Renewed: paid until/).waitFor()
  expect((await visitor.goto(addressOf('lantern-harbour')))?.status()).toBe(200)
  expect((await owner.call(getCraftumParameters, { params: { id } })).craftum.online).toBe(true)
  await visitor.close()
})

test(
  'axe finds nothing: in the list, the order, the editor, the payments, and on the website',
  { timeout: 120_000 },
  async () => {
    const [website] = await owner.call(listUserCraftums, { params: { id: owner.user.id } })
    const { context: polish, page: seen } = await enter({ locale: 'pl-PL', bypassCSP: true })
    await bringAxe(polish)
    const id = website?.id ?? ''
    const panel = ['/pl/c', '/pl/offers/craftum/create', `/pl/c/${id}/payments`, `/pl/c/${id}`]
    for (const address of [...panel.map((path) => `${api.origin}${path}`), addressOf('lantern-harbour')]) {
      await seen.goto(address, { waitUntil: 'networkidle' })
      if (address.endsWith(id)) {
        await seen.getByRole('button', { name: 'Powitanie', exact: true }).click()
        await seen.getByRole('textbox', { name: 'Nagłówek' }).waitFor()
      }
      expect(await findFaults(seen), address).toEqual([])
      await seen.setViewportSize({ width: 1440, height: 900 })
      await seen.screenshot({
        path: `test-results/website${address
          .replace(/.*localhost(:\d+)?|.*:\d+/, '')
          .replaceAll(/[^a-z]/g, '-')
          .slice(0, 30)}-1440.png`,
        fullPage: true,
      })
      await seen.setViewportSize({ width: 390, height: 844 })
      await seen.screenshot({
        path: `test-results/website${address
          .replace(/.*localhost(:\d+)?|.*:\d+/, '')
          .replaceAll(/[^a-z]/g, '-')
          .slice(0, 30)}-390.png`,
        fullPage: true,
      })
    }
    await polish.close()
  },
)
