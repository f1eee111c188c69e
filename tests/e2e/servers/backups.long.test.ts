/** Backups in Chromium: one is made while the game runs, and a week later a file is fetched out of it. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { listBackups } from '@wakestone/contract/servers/backups-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { languageCookie } from '@wakestone/contract/language'
import { createCookieClient } from '../../support/api.ts'
import { findFaults, findFaultsOnPhone } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let page: Page
let database: pg.Client
let serverId: string
let owner: ReturnType<typeof createCookieClient>
let identity: string

const until = async (isThere: () => Promise<boolean>, what: string) => {
  for (const deadline = Date.now() + 120_000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const content = (path: string, init: RequestInit = {}) =>
  fetch(`${product.origin}/api/v1/servers/${serverId}/files/content?path=${encodeURIComponent(path)}`, {
    ...init,
    headers: { cookie: owner.cookie(), origin: product.origin, ...init.headers },
  })
async function write(path: string, body: string) {
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = await content(path, { method: 'PUT', body, headers })
  expect(answer.status, await answer.text()).toBeLessThan(300)
}
const read = async (path: string) => (await content(path)).text()

beforeAll(async () => {
  product = await useProduct()
  database = new pg.Client(product.databaseUrl)
  await database.connect()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const user = await owner.call(loginLocal, { body: { login, password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Steadfast', subdomain: 'patient-sheep', requested_billing_services: ['FREE'] }
  const server = await owner.call(createServer, { body: order(wallet, '1.21.4', more) })
  serverId = server.id
  identity = server.domains[0]!.sub_domain
  await until(
    async () => (await owner.call(getServerStatus, { params: { id: serverId } })).game_status === 'IRL_IDLE',
    'the first start',
  )
  await write('motd-of-the-week.txt', 'welcome\n')

  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB', acceptDownloads: true })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(60_000)
}, 240_000)
afterAll(async () => {
  await database?.end()
  await browser?.close()
  await product?.dispose()
})

const open = (path = '') => page.goto(`${product.origin}/s/${identity}/backups${path}`, { waitUntil: 'networkidle' })

test('a backup is made by hand while the game runs', async () => {
  await open()
  await page.getByText('No backups yet').waitFor()
  expect(await findFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByLabel('Name').fill('Before the feast')
  await page.getByRole('button', { name: 'Back up', exact: true }).click()
  await page.getByRole('cell').getByRole('link', { name: 'Before the feast' }).waitFor({ timeout: 60_000 })
  const [backup] = await owner.call(listBackups, { params: { id: serverId } })
  expect(backup).toMatchObject({ name: 'Before the feast', kind: 'manual' })
  expect(await findFaults(page)).toEqual([])
}, 240_000)

test.runIf(isLong)(
  'a file is fetched out of last week’s backup',
  async () => {
    await database.query(`update backups set created_at = now() - interval '7 days' where server_id = $1`, [serverId])
    await write('motd-of-the-week.txt', 'spoiled\n')
    await open()
    await page.getByRole('cell').getByRole('link', { name: 'Before the feast' }).click()
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByText('motd-of-the-week.txt').waitFor()
    await page.getByRole('link', { name: 'Files', exact: true }).last().click()
    await page.getByRole('checkbox', { name: /motd-of-the-week/ }).check()
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore selected' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('motd-of-the-week.txt').waitFor()
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await until(async () => (await read('motd-of-the-week.txt')) === 'welcome\n', 'the file from last week')
    // The game has gone on all the while.
    expect(await owner.call(getServerStatus, { params: { id: serverId } })).toMatchObject({ game_status: 'IRL_IDLE' })
    expect((await owner.call(listBackups, { params: { id: serverId } })).map(({ kind }) => kind)).toEqual([
      'safety',
      'manual',
    ])
  },
  240_000,
)

test('its owner is shown how to open the backups elsewhere; what is deleted can be brought back', async () => {
  await open()
  await page.getByRole('button', { name: 'Show the password' }).click()
  await page.getByText('restore latest').waitFor()
  await page.getByRole('cell').getByRole('link', { name: 'Before the feast' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Bring Before the feast back' }).click()
  await page.getByText('Deleted backups can be brought back').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Restore Before the feast' }).waitFor()
}, 180_000)

test.runIf(isLong)(
  'a restore is undone: on a phone, in Polish, in the dark',
  async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'pl-PL',
      hasTouch: true,
      bypassCSP: true,
      storageState: await page.context().storageState(),
    })
    await phone.addCookies([{ name: languageCookie, value: 'pl', url: product.origin }])
    const small = await phone.newPage()
    small.setDefaultTimeout(60_000)
    await small.goto(`${product.origin}/s/${identity}/backups`, { waitUntil: 'networkidle' })
    await small.getByRole('button', { name: /^Cofnij przywrócenie z/ }).click()
    const dialog = small.getByRole('dialog')
    await dialog.getByText('To, co zostało zastąpione przy przywracaniu').waitFor()
    await dialog.getByRole('checkbox', { name: 'Najpierw wykonaj kopię obecnego stanu' }).uncheck()
    await dialog.getByRole('alert').waitFor()
    expect(await findFaultsOnPhone(small)).toEqual([])
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await dialog.getByRole('button', { name: 'Cofnij to przywrócenie' }).click()
    await until(async () => (await read('motd-of-the-week.txt')) === 'spoiled\n', 'what was there before the restore')
    await phone.close()
  },
  240_000,
)
