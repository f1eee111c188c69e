/**
 * A server in Chromium that sleeps and is woken by a player, does what it was told to by itself, and gets another beginning
 * that can be taken back.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { listSchedules } from '@wakestone/contract/servers/schedules-routes'
import { getEngine } from '@wakestone/contract/servers/engine-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { sealManifest } from '@wakestone/packager/hash'
import type { Manifest } from '@wakestone/packager/manifest'
import { createCookieClient } from '../../support/api.ts'
import { findFaultsOnPhone } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { joinOnceAwake, joinServer } from '../../support/player.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let page: Page
let database: pg.Client
let serverId: string
let identity: string
let owner: ReturnType<typeof createCookieClient>

const until = async (isThere: () => Promise<boolean>, what: string, seconds = 30) => {
  for (const deadline = Date.now() + seconds * 1000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const statusIs = (status: string) => async () =>
  (await owner.call(getServerStatus, { params: { id: serverId } })).game_status === status
/** Minutes without anybody; null: never. */
const sleepAfter = (sleep: { light: number | null; deep: number | null; hibernate: number | null }) =>
  database.query(`update servers set limits = jsonb_set(limits::jsonb, '{sleep}', $2::jsonb) where id = $1`, [
    serverId,
    JSON.stringify(sleep),
  ])
const never = { light: null, deep: null, hibernate: null }
const content = (path: string, init: RequestInit = {}) =>
  fetch(`${product.origin}/api/v1/servers/${serverId}/files/content?${new URLSearchParams({ path })}`, {
    ...init,
    headers: { cookie: owner.cookie(), origin: product.origin, ...init.headers },
  })
const photograph = () => onTestFailed(async () => console.log(page.url(), await page.locator('body').innerText()))

beforeAll(async () => {
  product = await useProduct()
  database = new pg.Client(product.databaseUrl)
  await database.connect()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin)
  const { wallets } = await owner.call(loginLocal, { body: { login, password } })
  const wallet = wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Drowsy', requested_billing_services: ['FREE'] }
  const server = await owner.call(createServer, { body: order(wallet, '1.21.4', more) })
  serverId = server.id
  identity = server.domains[0]!.sub_domain
  await until(statusIs('IRL_IDLE'), 'the first start', 120)

  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB', reducedMotion: 'reduce' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}, 240_000)
afterAll(async () => {
  await database?.end()
  await browser?.close()
  await product?.dispose()
})

async function open(path = ''): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${product.origin}/s/${identity}${path}`)
  await waitForScripts(page)
}

test('asleep, a knock, awake: nobody touches the page', async () => {
  photograph()
  await sleepAfter({ ...never, deep: 0.02 })
  await until(statusIs('IRL_DEEP_SLEEP'), 'asleep')
  await sleepAfter(never)
  await open()
  await page.getByRole('heading', { name: 'Asleep: join to wake it' }).waitFor()
  await page.getByText(/^Asleep since/).waitFor()
  expect(await findFaultsOnPhone(page)).toEqual([])

  const knocking = joinOnceAwake({
    host: `${identity}.localhost`,
    gamePort: product.gamePort,
    username: 'Zosia',
    timeoutMilliseconds: 60_000,
  })
  await page.getByRole('heading', { name: 'Waking up' }).waitFor()
  const zosia = await knocking
  try {
    await page.getByText('awake: someone is playing').waitFor()
    await page.getByRole('heading', { name: 'Asleep: join to wake it' }).waitFor({ state: 'detached' })
    await page.getByRole('listitem').filter({ hasText: 'Zosia' }).first().waitFor()
    expect(await findFaultsOnPhone(page)).toEqual([])
  } finally {
    zosia.end()
  }
  await page.getByText('awake: a console is open').waitFor({ timeout: 30_000 })
})

test('a visitor of the home page sees the demo server asleep, waking and played on', async () => {
  const admin = createCookieClient(product.origin)
  await admin.call(loginLocal, { body: { login: 'admin', password: product.secrets.adminPassword } })
  const params = { key: 'demo-server' } as const
  await admin.call(changeFlag, { params, body: { enabled: true, value: identity } })
  await page.goto('about:blank') // an open console keeps the server awake
  await sleepAfter({ ...never, deep: 0.02 })
  await until(statusIs('IRL_DEEP_SLEEP'), 'asleep')
  await sleepAfter(never)
  const visitor = await (await browser.newContext({ bypassCSP: true, locale: 'en-GB' })).newPage()
  onTestFailed(async () => console.log(await visitor.locator('main section').first().innerText()))
  await visitor.goto(`${product.origin}/en`)
  await visitor.getByText(/^Asleep: join/).waitFor()
  await visitor.getByText(new RegExp(`^${identity}\\.localhost`)).waitFor()
  expect(await findFaultsOnPhone(visitor)).toEqual([])
  const zosia = await joinOnceAwake({
    host: `${identity}.localhost`,
    gamePort: product.gamePort,
    username: 'Zosia',
  })
  await visitor.getByText('1 player is on: join in').waitFor()
  zosia.end()
  await visitor.getByText('Awake and empty: be the first to join').waitFor()
  await visitor.context().close()
})

test('a schedule is made and run; what players write begins only those that are to hear it', async () => {
  photograph()
  await open('/schedules')
  await page.getByText('No schedules yet').waitFor()
  const add = async (name: string, hearsChat: boolean) => {
    await page.getByRole('button', { name: 'Add a schedule' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('radio', { name: 'After a console line' }).click()
    await dialog.getByLabel('The line contains').fill('open sesame')
    if (hearsChat) await dialog.getByRole('switch', { name: 'Also match what players write' }).click()
    await dialog.getByRole('combobox', { name: 'Step 1', exact: true }).selectOption('Message')
    await dialog.getByRole('textbox', { name: /Step 1/ }).fill(`${name} was here`)
    if (hearsChat) expect(await findFaultsOnPhone(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name }).waitFor()
  }
  await add('Deaf', false)
  await add('Listening', true)
  expect(await findFaultsOnPhone(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Run now' }).first().click()
  await page.getByText('done', { exact: true }).waitFor()

  const causes = async () =>
    Object.fromEntries(
      (await owner.call(listSchedules, { params: { id: serverId } })).map(({ name, last_runs }) => [
        name,
        last_runs.map(({ cause }) => cause),
      ]),
    )
  const kuba = await joinServer({ host: `${identity}.localhost`, gamePort: product.gamePort, username: 'kuba_07' })
  try {
    // The supervisor may not have been told yet what to look for.
    await until(async () => {
      kuba.chat('please OPEN sesame now')
      return (await causes())['Listening']!.includes('line')
    }, 'a line of the chat')
  } finally {
    kuba.end()
  }
  expect((await causes())['Deaf']).not.toContain('line')
})

/** The engine's maker has a newer version from now on, in place of the one before. */
async function releaseEngine(version: string) {
  const file = join(product.dataDir, 'artifacts/index.json')
  const before = readFileSync(file, 'utf8')
  onTestFinished(() => writeFileSync(file, before))
  const index = JSON.parse(before) as { artifacts: { name: string; manifest: Manifest }[] }
  for (const artifact of index.artifacts) {
    if (artifact.name !== 'flying-squid') continue
    const { ManifestHash: _, ...manifest } = artifact.manifest
    artifact.manifest = await sealManifest({ ...manifest, contentVersion: version, packageVersion: version })
  }
  writeFileSync(file, JSON.stringify(index))
}

test('another version with a new beginning, in three languages, and the way back', async () => {
  photograph()
  await releaseEngine('1.21.5')
  await content('diary.txt', {
    method: 'PUT',
    body: 'day one\n',
    headers: { 'content-type': 'application/octet-stream' },
  })
  await open('/settings/engine')
  await page.getByText('Now: flying-squid 1.21.4').waitFor()
  await page.getByRole('combobox', { name: 'Version' }).selectOption('1.21.5')
  await page.getByRole('radio', { name: 'Delete the files' }).click()
  const change = page.getByRole('button', { name: 'Change the engine' })
  expect(await findFaultsOnPhone(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await change.click()
  const back = page.getByRole('button', { name: /^Go back to/ })
  await back.waitFor({ timeout: 90_000 })
  await until(async () => (await back.getAttribute('aria-disabled')) !== 'true', 'the change', 60)
  expect((await content('diary.txt')).status).toBe(404)
  await page.getByText('Now: flying-squid 1.21.5').waitFor()
  expect(await owner.call(getEngine, { params: { id: serverId } })).toMatchObject({
    version: '1.21.5',
    back: { version: '1.21.4' },
  })
  expect(await findFaultsOnPhone(page)).toEqual([])
  for (const [language, now, way] of [
    ['pl', 'Teraz: flying-squid 1.21.5', 'Wróć do flying-squid 1.21.4'],
    ['de', 'Jetzt: flying-squid 1.21.5', 'Zurück zu flying-squid 1.21.4'],
    ['en', 'Now: flying-squid 1.21.5', 'Go back to flying-squid 1.21.4'],
  ] as const) {
    await page.context().addCookies([{ name: 'ws_language', value: language, url: product.origin }])
    await open('/settings/engine')
    await page.getByText(now).waitFor()
    await page.getByRole('button', { name: way }).waitFor()
    expect(await findFaultsOnPhone(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await back.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Go back to/ })
    .click()
  await until(async () => (await (await content('diary.txt')).text()) === 'day one\n', 'the files from before', 90)
  await page.getByText('Now: flying-squid 1.21.4').waitFor({ timeout: 60_000 })
})
