/**
 * Takes the pictures of docs/screens: starts the product in a folder of its own, rents servers and pays as a customer
 * would, lets two players join and talk, and photographs every screen in English, narrow and wide, light and dark; and
 * the main ones in the other languages, in a folder for each.
 *
 *   node scripts/screens.ts [--languages pl,de] [--only server,events] [--widths 390,768,1440] [--out folder]
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import sharp from 'sharp'
import { type Language, languages } from '@wakestone/contract/primitives'
import { openBrowser, waitForScripts } from '../tests/support/browser.ts'
import { findFreePorts } from '../tests/support/ports.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { listScreens, mainScreens, type Screen } from './screens/list.ts'
import type { MoneyScene } from './screens/money.ts'
import { takeMails } from './screens/mails.ts'
import { setScene } from './screens/scene.ts'
import type { ServerScene } from './screens/servers.ts'

/** Taller pages are cut off: what is seen without much scrolling tells enough. */
const mostHeight = 2000

const docs = join(import.meta.dirname, '../docs/screens')
/** The home page and the README show these: their letters are to be clean. */
const shownElsewhere = ['server', 'create']
const themes = ['dark', 'light'] as const
const leastHeight = (width: number) => (width < 640 ? 844 : 900)

const { values } = parseArgs({
  options: {
    languages: { type: 'string', default: languages.join(',') },
    only: { type: 'string' },
    widths: { type: 'string', default: '390,1440' },
    out: { type: 'string', default: docs },
  },
})
const only = values.only?.split(',')
const folder = resolve(values.out)
const folderOf = (language: Language) => (language === 'en' ? folder : join(folder, language))
const chosen = languages.filter((language) => values.languages.split(',').includes(language))
for (const language of chosen) {
  mkdirSync(folderOf(language), { recursive: true })
  // Screens that are gone leave no picture behind; pictures that are not of screens stay.
  const ours = readdirSync(folderOf(language)).filter((name) => /-(dark|light)-\d+\.webp$/.test(name))
  if (only === undefined && folder === docs) for (const name of ours) rmSync(join(folderOf(language), name))
}

// Everybody who registers here has the same address.
// One free place, and servers that may sleep soon, for the pictures of those who wait and of what sleeps.
const product = await startStandalone({
  env: {
    LIMIT_REGISTRATIONS: '0',
    LIMIT_MAILS: '0',
    LIMIT_TRANSACTIONS: '0',
    FREE_PLACES: '1',
    SLEEP_MINUTES_AFTER_START: '1',
  },
  // Minecraft's own, which has to be free: addresses are then names alone.
  ports: { ...(await findFreePorts()), game: 25565 },
})
const browser = await openBrowser()
try {
  const scene = await setScene(product, browser)
  const people = { ...scene.money, waiter: scene.servers.waiter }
  for (const language of chosen) {
    const wanted = only ?? (language === 'en' ? undefined : mainScreens)
    const screens = listScreens(scene, language).filter(({ name }) => wanted?.includes(name) ?? true)
    const widths = values.widths.split(',').map(Number)
    // Much of looking at a page is waiting for it.
    await Promise.all(widths.map((width) => takeView(browser, screens, { language, width, people })))
  }
  if (only?.includes('mails') ?? true) await takeMails(browser, { dataDir: product.dataDir, folder })
  await scene.leave()
} finally {
  await browser.close()
  await product.dispose()
}

type View = { language: Language; width: number }

async function takeView(
  from: Browser,
  screens: Screen[],
  { people, ...view }: View & { people: Pick<MoneyScene, 'debtor' | 'partner'> & Pick<ServerScene, 'waiter'> },
) {
  const contexts = {
    visitor: await openContext(from, view),
    customer: await openContext(from, { ...view, account: ['demo', product.secrets.demoPassword] }),
    debtor: await openContext(from, { ...view, account: people.debtor }),
    partner: await openContext(from, { ...view, account: people.partner }),
    waiter: await openContext(from, { ...view, account: people.waiter }),
    admin: await openContext(from, { ...view, account: ['admin', product.secrets.adminPassword] }),
  }
  for (const screen of screens) {
    const page = await contexts[screen.who].newPage()
    try {
      await takePicture(page, screen, view)
    } catch (error) {
      // The others are still worth having.
      console.error(`${screen.name}, ${Object.values(view).join(', ')}:`, error)
      process.exitCode = 1
    }
    await page.close()
  }
  for (const context of Object.values(contexts)) await context.close()
}

async function takePicture(page: Page, { name, path, prepare, isDialog = false }: Screen, { language, width }: View) {
  // Pages that are kept up to date are never idle for long; a moment is enough for what they show.
  const asked = new Set<Request>()
  const end = (request: Request) => void asked.delete(request)
  // Streams do not end.
  page.on('request', (request) => void (/\/stream(\?|$)/.test(request.url()) || asked.add(request)))
  page.on('requestfinished', end).on('requestfailed', end)
  await page.goto(`${product.origin}${path}`, { waitUntil: 'load' })
  await settle(page, asked)
  await prepare?.(page)
  // A window as tall as the page: what is fixed to its edges stands where it belongs.
  const height = isDialog ? 0 : await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(leastHeight(width), Math.min(height, mostHeight)) })
  for (const theme of themes) {
    // An open page follows the system's theme, so both themes need one load only.
    await page.emulateMedia({ colorScheme: theme })
    await page.waitForTimeout(300)
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    const file = join(folderOf(language), `${name}-${theme}-${width}.webp`)
    const { size } = await sharp(png)
      .webp({ quality: shownElsewhere.includes(name) ? 88 : 60, effort: 5, smartSubsample: true })
      .toFile(file)
    if (size > 100_000) console.error(`${file} is large: ${Math.round(size / 1000)} kB`)
  }
}

/** Waits until all that a page has asked for is there, and a moment longer. */
async function settle(page: Page, asked: ReadonlySet<Request>) {
  await waitForScripts(page)
  const isBusy = `document.querySelector('[aria-busy=true]') !== null`
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    await page.waitForTimeout(600)
    if (asked.size === 0 && !(await page.evaluate<boolean>(isBusy))) break
  }
  await page.waitForTimeout(300)
}

async function openContext(
  from: Browser,
  { language, width, account }: View & { account?: [login: string, password: string] },
): Promise<BrowserContext> {
  const context = await from.newContext({
    viewport: { width, height: leastHeight(width) },
    colorScheme: themes[0],
    reducedMotion: 'reduce',
    locale: language,
    timezoneId: 'Europe/Warsaw',
  })
  // Asked already, and refused: the question would lie over every screen.
  const consent = `ws_consent=${encodeURIComponent('{"version":1}')}`
  await context.addCookies(
    [`ws_language=${language}`, consent].map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: product.origin,
    })),
  )
  if (account !== undefined) {
    const [login, password] = account
    const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, {
      data: { login, password },
      headers: { origin: product.origin },
    })
    if (!answer.ok()) throw new Error(`${login} cannot sign in: ${await answer.text()}`)
  }
  return context
}
