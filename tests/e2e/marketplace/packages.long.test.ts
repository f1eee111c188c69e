/**
 * A plugin from its author's form to a player who sees what it does, and off again: in Chromium, on a running server,
 * with a Minecraft client. Then a conflict, explained in Polish and solved by one click.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bot } from 'mineflayer'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { beginTotp, confirmTotp } from '@wakestone/contract/accounts/security-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { type ApiClient, createApiClient } from '@wakestone/contract/client'
import { createProject } from '@wakestone/contract/marketplace/projects-routes'
import { createRelease, listReleases } from '@wakestone/contract/marketplace/releases-routes'
import { isOver } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { openDatabase } from '../../../apps/server/src/db/client.ts'
import { countUses } from '../../../apps/server/src/features/marketplace/reviews/service.ts'
import { buildZip } from '../../../apps/inspector/src/test-support/build-zip.ts'
import { createCookieClient } from '../../support/api.ts'
import { createAuthenticatorApp } from '../../support/authenticator-app.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { joinServer } from '../../support/player.ts'
import { type Customer, type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

type CookieClient = ReturnType<typeof createCookieClient>

let product: TestProduct
let browser: Browser
let database: pg.Client
let author: Customer
let authorByKey: ApiClient
let owner: CookieClient
let authorPage: Page
let page: Page
let serverId: string
let identity: string
let host: string
let bot: Bot | undefined
/** Where pictures go that somebody wants to look at. */
const pictures = process.env['PICTURES']

const until = async (isThere: () => Promise<boolean>, what: string) => {
  for (const deadline = Date.now() + 120_000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const statusOf = async () => (await owner.call(getServerStatus, { params: { id: serverId } })).game_status
const isUp = async () => ['IRL_IDLE', 'IRL_RUNNING'].includes(await statusOf())
const isIdle = async () =>
  (await owner.call(listProcesses, { params: { id: serverId } })).every(({ state }) => isOver(state))

/** A plugin of flying-squid: a command that says what it is. */
const program = (words: string) => `module.exports = (serv) => {
  serv.commands.add({ base: 'lights', op: false, action: () => ${JSON.stringify(words)} })
}\n`
const pack = (files: Record<string, string>) =>
  buildZip(Object.entries(files).map(([name, content]) => ({ name, content, deflated: true })))

async function openAs(
  { login, password }: { login: string; password: string },
  language = 'en',
): Promise<BrowserContext> {
  const context = await browser.newContext({ bypassCSP: true, locale: language === 'pl' ? 'pl-PL' : 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login, password },
    headers,
  })
  expect(answer.ok()).toBe(true)
  return context
}
async function openPage(context: BrowserContext): Promise<Page> {
  const opened = await context.newPage()
  opened.setDefaultTimeout(20_000)
  return opened
}

/** Releases as authors make them by their tools: with a key. */
async function release(
  slug: string,
  version: string,
  { files, manifest }: { files: Record<string, string>; manifest?: object },
) {
  const file = pack(files)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const body = {
    version,
    game_versions: ['1.21.4'],
    loaders: ['flying-squid' as const],
    artifacts: [{ name: `${slug}.zip`, size: file.length, sha256 }],
    ...(manifest !== undefined && { manifest: { name: slug, packageVersion: version, ...manifest } }),
  }
  const made = await authorByKey(createRelease, { params: { slug }, body })
  for (const { url } of made.uploads) {
    const headers = {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'tus-resumable': '1.0.0',
    }
    const answer = await fetch(`${product.origin}${url}`, { method: 'PATCH', headers, body: new Uint8Array(file) })
    expect(answer.status).toBe(204)
  }
}
const statesOf = async (slug: string) =>
  (await authorByKey(listReleases, { params: { slug }, query: {} })).releases.map(
    ({ version, state }) => `${version} ${state}`,
  )
const untilState = (slug: string, state: string) =>
  until(async () => (await statesOf(slug)).includes(state), `${slug} ${state}`)

beforeAll(async () => {
  product = await useProduct()
  database = new pg.Client(product.databaseUrl)
  await database.connect()
  author = await product.signUp()
  const grants = ['marketplace.project-create', 'marketplace.project-create-without-suffix']
  for (const name of grants)
    await database.query(
      `insert into user_capabilities (user_id, name, value) values ($1, $2, 'true') on conflict do nothing`,
      [author.user.id, name],
    )
  const signedIn = createCookieClient(product.origin)
  await signedIn.call(loginLocal, { body: { login: author.login, password: author.password } })
  const { key } = await signedIn.call(createApiKey, {
    params: { id: author.user.id },
    body: {
      name: 'publish',
      scopes: ['marketplace.project-manage.edit', 'marketplace.project-manage.read'],
      expires_at: null,
    },
  })
  authorByKey = createApiClient((path, init) =>
    fetch(`${product.origin}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
  )
  for (const [name, short] of [
    ['Story wick', 'What burns'],
    ['Story oil', 'What it burns with'],
    ['Story storm', 'Blows lanterns out'],
  ] as const)
    await signedIn.call(createProject, {
      body: {
        name,
        project_type: 'plugin',
        descriptions: [{ language: 'en', short_description: short, description: '' }],
      },
    })
  await release('story-wick', '1.2.0', { files: { 'index.js': 'module.exports = () => {}\n' } })
  await release('story-oil', '2.0.0', { files: { 'index.js': 'module.exports = () => {}\n' } })
  await release('story-storm', '1.0.0', {
    files: { 'index.js': 'module.exports = () => {}\n' },
    manifest: { dependencies: [{ selector: 'story-lanterns', kind: 'incompatible' }] },
  })

  const customer = await product.signUp()
  owner = createCookieClient(product.origin)
  const user = await owner.call(loginLocal, { body: { login: customer.login, password: customer.password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'Lit castle', subdomain: 'lit-castle', requested_billing_services: ['FREE'] }
  const server = await owner.call(createServer, { body: order(wallet, '1.21.4', more) })
  serverId = server.id
  identity = server.domains[0]!.sub_domain
  host = server.domains[0]!.fqdn
  browser = await openBrowser()
  authorPage = await openPage(await openAs(author))
  page = await openPage(await openAs(customer))
}, 240_000)
afterAll(async () => {
  bot?.end()
  await browser?.close()
  await database?.end()
  await product?.dispose()
})

/** Once for each screen: that takes seconds. */
async function look(shown: Page, name: string) {
  expect(await findFaults(shown), name).toEqual([])
  await takePictures(shown, name)
}
async function takePictures(shown: Page, name: string) {
  if (pictures === undefined) return
  if (!existsSync(pictures)) mkdirSync(pictures, { recursive: true })
  for (const width of [390, 768, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await shown.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await shown.setViewportSize({ width, height: 900 })
      await shown.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  await shown.setViewportSize({ width: 1280, height: 900 })
}

/** What a player is told who asks for the lights; undefined where nobody knows the command. */
async function askForLights(): Promise<string> {
  await until(isUp, 'the game is up')
  bot?.end()
  const joined = await joinServer({ host, gamePort: product.gamePort, username: 'Lamplighter' })
  bot = joined
  joined.on('error', () => undefined)
  const told = new Promise<string>((resolve) => joined.once('messagestr', resolve))
  joined.chat('/lights')
  return told
}
const untilDone = async () => {
  await until(isIdle, 'the change of packages')
  await until(isUp, 'the game is up again')
}

test('an author makes a project in three languages and publishes a plugin that needs two others', async () => {
  onTestFailed(
    async () => void (await authorPage.screenshot({ path: 'test-results/packages-author.png', fullPage: true })),
  )
  const { origin } = product
  await authorPage.goto(`${origin}/en/m/projects/create`)
  await authorPage.getByLabel('Name', { exact: true }).fill('Story lanterns')
  await authorPage.getByLabel('Name of the author or team').fill('Lantern makers')
  await authorPage.getByLabel('In one sentence').fill('Lanterns that answer')
  await authorPage.getByLabel('In full').fill('# Lanterns\n\nThey **answer**. <script>alert(1)</script>')
  const preview = authorPage.getByRole('region', { name: 'As it will be shown' })
  await preview.locator('strong').filter({ hasText: 'answer' }).waitFor()
  expect(await preview.locator('script').count()).toBe(0)
  await authorPage.getByRole('button', { name: 'Polski' }).click()
  await authorPage.getByLabel('In full').fill('# Latarnie')
  await authorPage.getByRole('button', { name: 'Create project' }).click()
  // A long text without its sentence is not lost: the form stays, and says what is missing.
  await authorPage.getByText('Fill this in.').waitFor()
  await authorPage.getByLabel('In one sentence').fill('Latarnie, które odpowiadają')
  await authorPage.getByRole('button', { name: 'Deutsch' }).click()
  await authorPage.getByLabel('In one sentence').fill('Laternen, die antworten')
  await look(authorPage, 'create-project')
  await authorPage.getByRole('button', { name: 'Create project' }).click()
  await authorPage.waitForURL(/\/en\/m\/story-lanterns$/)

  // Publishing takes a second factor: an app, set up as in the account's settings.
  const headers = { origin }
  const begun = await authorPage.request.post(`${origin}/api/v1${beginTotp.path}`, { headers })
  const { secret } = (await begun.json()) as { secret: string }
  const app = createAuthenticatorApp(secret)
  const confirmed = await authorPage.request.post(`${origin}/api/v1${confirmTotp.path}`, {
    data: { code: app.next() },
    headers,
  })
  expect(confirmed.ok()).toBe(true)

  await authorPage.getByRole('link', { name: 'New release' }).click()
  await authorPage.locator('input[type=file]').setInputFiles({
    name: 'story-lanterns.zip',
    mimeType: 'application/zip',
    buffer: pack({ 'index.js': program('The lanterns are lit') }),
  })
  await authorPage.getByLabel('Version', { exact: true }).fill('1.0.0')
  await authorPage.getByLabel('flying-squid', { exact: true }).check()
  await authorPage.getByLabel('Versions of Minecraft').fill('1.21.4')
  await authorPage.getByLabel('What’s new').fill('The **first** one')
  for (const [index, [name, range]] of [
    ['story-wick', 'newer than 1'],
    ['story-oil', '^2'],
  ].entries()) {
    await authorPage.getByRole('button', { name: 'Add a dependency' }).click()
    await authorPage.getByLabel('Project', { exact: true }).nth(index).fill(name!)
    await authorPage.getByLabel('Versions', { exact: true }).nth(index).fill(range!)
    await authorPage.keyboard.press('Tab')
  }
  await authorPage.getByText('Such as >=1.2 <2').waitFor()
  await authorPage.getByLabel('Versions', { exact: true }).first().fill('>=1.0')
  await look(authorPage, 'new-release')
  await authorPage.getByRole('button', { name: 'Publish' }).click()
  await authorPage.waitForURL(/story-lanterns\?tab=releases/)
  await untilState('story-lanterns', '1.0.0 waiting')
}, 180_000)

test('a moderator sees what the gate has found, and publishes what waits', async () => {
  for (const slug of ['story-wick', 'story-oil', 'story-storm']) {
    const version = { 'story-wick': '1.2.0', 'story-oil': '2.0.0', 'story-storm': '1.0.0' }[slug]
    await untilState(slug, `${version} waiting`)
  }
  const context = await openAs({ login: 'admin', password: product.secrets.adminPassword })
  const desk = await openPage(context)
  onTestFailed(async () => void (await desk.screenshot({ path: 'test-results/packages-desk.png', fullPage: true })))
  await desk.goto(`${product.origin}/en/admin/marketplace`)
  await desk.getByRole('heading', { name: 'Story lanterns 1.0.0' }).waitFor()
  await look(desk, 'moderation')
  for (const name of ['Story lanterns 1.0.0', 'Story wick 1.2.0', 'Story oil 2.0.0', 'Story storm 1.0.0']) {
    const waiting = desk.getByRole('listitem').filter({ has: desk.getByRole('heading', { name }) })
    await waiting.getByRole('button', { name: 'Publish' }).click()
    await waiting.waitFor({ state: 'detached' })
    await desk.getByText(`${name} is published.`).waitFor()
  }
  await context.close()
}, 120_000)

test('a customer finds it with a typo, reads the plan, and a player sees it work', async () => {
  onTestFailed(async () => void (await page.screenshot({ path: 'test-results/packages-install.png', fullPage: true })))
  await until(isUp, 'the first start')
  await page.goto(`${product.origin}/s/${identity}`)
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Packages' }).click()
  await page.getByRole('searchbox').fill('story lantrens')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: 'Story lanterns' }).waitFor()
  await look(page, 'server-find')
  await page.getByRole('link', { name: 'Story lanterns' }).click()
  await page.getByRole('heading', { level: 1, name: 'Story lanterns' }).waitFor()
  await look(page, 'server-project')
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Will be added' }).waitFor()
  for (const title of ['Story lanterns', 'Story oil', 'Story wick'])
    await dialog.locator('section li').filter({ hasText: title }).waitFor()
  expect(await dialog.locator('section li').count()).toBe(3)
  await dialog.getByText('The game stops for this').waitFor()
  await takePictures(page, 'plan')
  await dialog.getByRole('button', { name: 'Install', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await untilDone()
  expect(await askForLights()).toContain('The lanterns are lit')
}, 180_000)

test('an update comes with one click, and goes back with another', async () => {
  onTestFailed(async () => void (await page.screenshot({ path: 'test-results/packages-update.png', fullPage: true })))
  await release('story-lanterns', '1.1.0', {
    files: { 'index.js': program('The lanterns shine brighter') },
    manifest: {
      dependencies: [
        { selector: 'story-wick', kind: 'required' },
        { selector: 'story-oil', kind: 'required' },
      ],
    },
  })
  await untilState('story-lanterns', '1.1.0 published')
  await page.goto(`${product.origin}/s/${identity}/m?view=installed`)
  await page.getByRole('button', { name: 'Update Story lanterns to 1.1.0' }).waitFor()
  await look(page, 'installed')
  await page.getByRole('button', { name: 'Update Story lanterns to 1.1.0' }).click()
  await page.getByRole('dialog').getByText('1.0.0 → 1.1.0').waitFor()
  await takePictures(page, 'update')
  await page.getByRole('dialog').getByRole('button', { name: 'Update', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await untilDone()
  expect(await askForLights()).toContain('shine brighter')

  await page.goto(`${product.origin}/s/${identity}/m?view=history`)
  await page.getByText('as it is now').waitFor()
  await look(page, 'history')
  await page.getByRole('button', { name: 'Go back to this' }).first().click()
  await page.getByRole('dialog').getByText('1.1.0 → 1.0.0').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Go back', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await untilDone()
  expect(await askForLights()).toContain('The lanterns are lit')
}, 240_000)

test('a conflict is explained in Polish and solved by one click', async () => {
  const customer = page.context()
  await customer.addCookies([{ name: 'language', value: 'pl', url: product.origin }])
  const polish = await openPage(customer)
  onTestFailed(
    async () => void (await polish.screenshot({ path: 'test-results/packages-conflict.png', fullPage: true })),
  )
  await polish.goto(`${product.origin}/pl/s`)
  await polish.goto(`${product.origin}/s/${identity}/m/story-storm`)
  await polish.getByRole('button', { name: 'Zainstaluj', exact: true }).click()
  const dialog = polish.getByRole('dialog')
  await dialog.getByText('Story storm nie działa razem z Story lanterns.').waitFor()
  await look(polish, 'conflict')
  await dialog.getByRole('button', { name: 'Bez Story lanterns' }).click()
  await dialog.getByRole('heading', { name: 'Zniknie' }).waitFor()
  await takePictures(polish, 'conflict-solved')
  await dialog.getByRole('button', { name: 'Anuluj' }).click()
  await polish.close()
}, 120_000)

test('whoever has used it for an hour reviews it, its author answers, and it is removed with its data', async () => {
  onTestFailed(async () => void (await page.screenshot({ path: 'test-results/packages-review.png', fullPage: true })))
  const { origin } = product
  // Neither the five minutes after which uses are counted nor an hour are waited for.
  const own = openDatabase({ url: product.databaseUrl, size: 1, onError: () => undefined })
  await countUses(own.db).finally(() => own.close())
  const { rowCount } = await database.query(
    `update project_uses set seconds = 3600 where server_id = $1
      and project_id = (select id from projects where slug = 'story-lanterns')`,
    [serverId],
  )
  expect(rowCount).toBe(1)
  await page.goto(`${origin}/en/m/story-lanterns?tab=reviews`)
  await page.getByLabel('How does it work on your server?').fill('It lights the whole castle')
  await page.getByRole('button', { name: 'Recommended', exact: true }).click()
  await page.getByText('It lights the whole castle').waitFor()
  await look(page, 'reviews')
  await authorPage.goto(`${origin}/en/m/story-lanterns?tab=reviews`)
  await authorPage.getByRole('button', { name: 'Reply', exact: true }).click()
  await authorPage.getByLabel('Your reply: you can’t change it later').fill('Sleep well')
  await authorPage.getByRole('button', { name: 'Publish the reply' }).click()
  await authorPage.getByRole('blockquote').getByText('Sleep well').waitFor()
  await authorPage.goto(`${origin}/en/m/story-lanterns?tab=metrics`)
  await authorPage.getByRole('radio', { name: 'Installs on servers' }).check()
  await authorPage.getByRole('heading', { name: 'By engine' }).waitFor()
  await look(authorPage, 'metrics')
  await page.goto(`${origin}/en/m/story-wick?tab=dependencies`)
  await page.getByRole('heading', { name: 'What needs it' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'Story lanterns' }).waitFor()

  await page.goto(`${origin}/s/${identity}/m?view=installed`)
  await page.getByRole('button', { name: 'Remove Story lanterns' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Removed' }).waitFor()
  await takePictures(page, 'uninstall')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await untilDone()
  await page.getByText('Nothing is installed yet').waitFor()
  expect(await askForLights()).not.toContain('lit')
}, 240_000)
