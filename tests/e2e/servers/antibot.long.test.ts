/** Bots attack while the server's owner looks at its page: who is turned away is told there, in figures that grow. */
import { join } from 'node:path'
import type { Bot } from 'mineflayer'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { languageCookie } from '@wakestone/contract/language'
import { getAntibot } from '@wakestone/contract/servers/antibot-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { usualRules } from '../../../apps/gateway/src/antibot/guard.ts'
import { type Gateway, startGateway } from '../../../apps/gateway/src/start-gateway.ts'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { floodWithBots } from '../../support/bots.ts'
import { openBrowser } from '../../support/browser.ts'
import { joinServer } from '../../support/player.ts'
import { isUp, order, prepareArtifacts, startTestWorker, topUp, untilStatus } from '../../support/servers.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const players = ['Ann', 'Bodo', 'Cleo']
const bots = 1_200

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let gateway: Gateway
let browser: Browser
let owner: Caller
let server: { id: string; host: string; identity: string }
let page: Page
const here: Bot[] = []

beforeAll(async () => {
  api = await startTestApi({ SLEEP_MINUTES_AFTER_START: '0' }, { pages: true })
  const { engineVersion } = await prepareArtifacts(api)
  worker = await startTestWorker(api)
  owner = await api.signUp()
  const body = order(await topUp(api.context, owner, 50_000), engineVersion)
  const { id, domains } = await owner.call(createServer, { body })
  server = { id, host: domains[0]!.fqdn, identity: domains[0]!.sub_domain }
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: api.dataDir,
    apiUrl: api.origin,
    token: api.context.secrets.gateway,
    logger: createLogger({ part: 'gateway', level: 'silent' }),
    proxyIn: false,
    connectionsPerAddress: 1_000,
    connectionRate: 100_000,
    handshakeSeconds: 10,
    wakesPerAddress: 100,
    wakesPerNetwork: 100,
    wakesPerServer: 100,
    antibot: { ...usualRules, attack: { ...usualRules.attack, quietMs: 90_000 } },
    reportMs: 500,
  })
  browser = await openBrowser()
  await untilStatus(owner, id, isUp, 120_000)
  page = await (await signedIn()).newPage()
})
afterAll(async () => {
  for (const bot of here) bot.end()
  await browser?.close()
  await gateway?.close()
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
  context.setDefaultTimeout(120_000)
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, domain: hostname, path: '/' })))
  return context
}
const shot = async (on: Page, name: string) => {
  const folder = process.env['PICTURES']
  if (folder) await on.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
const card = (on: Page) => on.locator('#antibot')
const whole = (text: string) => Number(/\d[\d\s.,]*/.exec(text)![0].replaceAll(/\D/g, ''))
/** How many were turned away by the page, which asks anew by itself. */
const shownAway = async () => {
  const text = await card(page).getByText('turned away so far').innerText()
  return Number(/([\d,]+) turned away/.exec(text)![1]!.replaceAll(',', ''))
}

test(`${bots} bots come: the page tells of the attack by itself, how many are turned away and why`, async () => {
  const left: string[] = []
  for (const username of players) {
    const bot = await joinServer({ host: server.host, gamePort: gateway.port, username })
    bot.once('end', () => void left.push(username))
    here.push(bot)
  }
  await page.goto(`/s/${server.identity}/settings`)
  await card(page).getByText('No attack').waitFor()
  await card(page).getByText('No one was turned away in the last day.').waitFor()

  const flooded = floodWithBots(gateway.port, { host: server.host, bots, atOnce: 25 })
  // With nobody touching the page.
  await card(page).getByText('Bots have been attacking since').waitFor({ timeout: 60_000 })
  const first = await shownAway()
  const sums = await flooded
  // How many get an answer in time is up to the machine; what is shown is not.
  expect(sums.away).toBeGreaterThan(bots / 2)
  await expect.poll(shownAway, { timeout: 80_000, interval: 500 }).toBeGreaterThanOrEqual(sums.away)
  expect(first).toBeLessThanOrEqual(await shownAway())

  // What is shown is what is known.
  const { attacks, reasons } = await owner.call(getAntibot, { params: { id: server.id } })
  expect(await shownAway()).toBe(attacks[0]!.turned_away)
  const row = card(page).locator('dl > div').filter({ hasText: 'Asked to join again, first try' })
  expect(whole(await row.locator('dd').innerText())).toBe(reasons.asked_to_rejoin)
  await card(page)
    .getByText(/^turned away: lowest 0, highest [\d,]+/)
    .waitFor({ state: 'attached' })
  expect(await findFaults(page)).toEqual([])
  await shot(page, 'antibot-attacked')
  expect(left).toEqual([])

  // Whoever comes to the server's first page is told there too.
  const overview = await page.context().newPage()
  await overview.goto(`/s/${server.identity}`)
  const notice = overview.getByRole('status').filter({ hasText: 'Bots have been attacking since' })
  await notice.getByText('turned away so far').waitFor()
  expect(await findFaults(overview)).toEqual([])
  await shot(overview, 'overview-attacked')
  await overview.close()

  await card(page).getByText('No attack').waitFor({ timeout: 300_000 })
  await card(page).getByText('The last attack').waitFor()
  expect(await findFaults(page)).toEqual([])
})

test.each([
  ['pl', 'Bez ataku', 'Pierwsza próba, poproszono o ponowne dołączenie'],
  ['de', 'Kein Angriff', 'Erster Versuch: zum erneuten Beitritt aufgefordert'],
])('in %s', async (language, quiet, reason) => {
  const context = await signedIn({ locale: language, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await context.addCookies([{ name: languageCookie, value: language, url: api.origin }])
  const own = await context.newPage()
  await own.goto(`/s/${server.identity}/settings`)
  await card(own).getByText(quiet, { exact: true }).waitFor()
  await card(own).getByText(reason).first().waitFor()
  await shot(own, `antibot-${language}`)
  await context.close()
})

test('protected always or never, by a click', async () => {
  await card(page).getByRole('radio', { name: 'Always' }).check()
  await card(page).getByText('Saved. It applies immediately.').waitFor()
  await expect.poll(async () => (await owner.call(getAntibot, { params: { id: server.id } })).mode).toBe('on')
  await card(page).getByRole('radio', { name: 'Never' }).check()
  await card(page).getByText('Everyone reaches the game right away, bots too.').waitFor()
  await expect.poll(async () => (await owner.call(getAntibot, { params: { id: server.id } })).mode).toBe('off')
})
