/** MySQL in Chromium: made, its password shown once, its tables looked at, a faulty file refused, a good one taken in. */
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { languageCookie } from '@wakestone/contract/language'
import { getMysql } from '@wakestone/contract/servers/mysql-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../../support/servers.ts'
import { giveSqlGame } from '../../support/sql-game.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let browser: Browser
let owner: Caller
let serverId: string
let page: Page

beforeAll(async () => {
  api = await startTestApi({}, { pages: true })
  const { engineVersion } = await prepareArtifacts(api)
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 100_000)
  const body = order(walletId, engineVersion, { requested_billing_services: ['AMETHYST'] })
  serverId = (await owner.call(createServer, { body })).id
  await giveSqlGame(api, serverId)
  worker = await startTestWorker(api)
  browser = await openBrowser()
  await untilStatus(owner, serverId, isUp, 120_000)
  page = await (await signedIn()).newPage()
  page.setDefaultTimeout(30_000)
})
afterAll(async () => {
  await browser?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

async function signedIn(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: api.origin, locale: 'en-GB', bypassCSP: true, ...options })
  const { hostname } = new URL(api.origin)
  const cookies = owner
    .cookie()
    .split('; ')
    .map((pair) => pair.split('=') as [string, string])
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, domain: hostname, path: '/' })))
  return context
}
const shot = async (on: Page, name: string) => {
  const folder = process.env['PICTURES']
  if (folder) await on.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
const file = (name: string, text: string) => ({ name, mimeType: 'application/sql', buffer: Buffer.from(text) })

test('it is made from the menu, and its password is shown once', async () => {
  await page.goto(`/s/${serverId}`)
  await page.getByRole('navigation').getByRole('link', { name: 'MySQL' }).click()
  await page.waitForURL(`**/s/${serverId}/mysql`)
  await page.getByRole('button', { name: 'Create database' }).click()
  const shown = page.getByLabel('Your MySQL password')
  await shown.waitFor()
  expect(((await shown.textContent()) ?? '').trim()).toMatch(/^[a-z0-9]{28}$/)
  expect(await page.getByText('jdbc:mysql://127.0.0.1:3306/minecraft').count()).toBe(1)
  await page.getByText('No tables yet').waitFor()
  expect(await findFaults(page)).toEqual([])
  await shot(page, 'mysql-made')
  await page.reload()
  await page.getByText('No tables yet').waitFor()
  expect(await shown.count()).toBe(0)
})

test('a faulty file is refused in the words of MariaDB, a good one is taken in and looked at', async () => {
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const run = dialog.getByRole('button', { name: /^Import/ })
  expect(await run.getAttribute('title')).toBe('Choose a file first.')
  await dialog.locator('input[type=file]').setInputFiles(file('bad.sql', 'create tabel coins (a int);'))
  await run.click()
  await dialog.getByText('ERROR 1064').waitFor()
  expect(await findFaults(page)).toEqual([])
  const rows = Array.from({ length: 60 }, (_, at) => `(${at}, 'player ${at}', null)`)
  const good = `create table coins (id int primary key, player text, note text);\ninsert into coins values ${rows.join(',')};`
  await dialog.locator('input[type=file]').setInputFiles(file('good.sql', good))
  await run.click()
  await page.getByText('Imported: good.sql').waitFor()
  await page.getByRole('button', { name: 'coins' }).click()
  await page.getByText('player 49').waitFor()
  expect(await page.getByText('player 50').count()).toBe(0)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('player 59').waitFor()
  await page.getByText('Rows 51 to 60').waitFor()
  expect(await findFaults(page)).toEqual([])
  await shot(page, 'mysql-rows')
})

test('on a phone, in the dark, in Polish and German', async () => {
  for (const [language, heading, colorScheme] of [
    ['pl', 'Tabele', 'dark'],
    ['de', 'Tabellen', 'light'],
  ] as const) {
    const context = await signedIn({ viewport: { width: 390, height: 844 }, colorScheme, hasTouch: true })
    await context.addCookies([{ name: languageCookie, value: language, url: api.origin }])
    const small = await context.newPage()
    await small.goto(`/s/${serverId}/mysql`)
    await small.getByRole('heading', { name: heading, exact: true }).waitFor()
    await small.getByRole('button', { name: 'coins' }).click()
    await small.getByText('player 49').waitFor()
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await findFaults(small)).toEqual([])
    await shot(small, `mysql-${language}`)
    await context.close()
  }
})

test('exported as a file; deleted by typing its name', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.sql$/)
  await page.getByRole('button', { name: 'Delete database' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('minecraft')
  await dialog.getByRole('button', { name: /^Delete database/ }).click()
  await page.getByRole('button', { name: 'Create database' }).waitFor()
  expect((await owner.call(getMysql, { params: { id: serverId } })).created_at).toBeNull()
})
