/**
 * Takes the pictures of docs/screens: starts the product in a folder of its own, rents servers and pays as a customer
 * would, lets two players join and talk, and photographs every screen, narrow and wide, light and dark.
 *
 *   node scripts/screens.ts [--language pl] [--only server,events] [--widths 390,768,1440] [--out folder]
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { openBrowser } from '../tests/support/browser.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { listScreens, type Screen } from './screens/list.ts'
import type { MoneyScene } from './screens/money.ts'
import { takeMails } from './screens/mails.ts'
import { setScene } from './screens/scene.ts'
import type { ServerScene } from './screens/servers.ts'

/** Taller pages are cut off: what is seen without much scrolling tells enough. */
const mostHeight = 2000

const docs = join(import.meta.dirname, '../docs/screens')
const leastHeight = (width: number) => (width < 640 ? 844 : 900)

const { values } = parseArgs({
  options: {
    language: { type: 'string', default: 'en' },
    only: { type: 'string' },
    widths: { type: 'string', default: '390,1440' },
    out: { type: 'string', default: docs },
  },
})
const { language } = values
const only = values.only?.split(',')
const folder = resolve(values.out)
mkdirSync(folder, { recursive: true })
// Screens that are gone leave no picture behind; pictures that are not of screens stay.
const ours = readdirSync(docs).filter((name) => /-(dark|light)-\d+\.webp$/.test(name))
if (only === undefined && values.out === docs) for (const name of ours) rmSync(join(docs, name))

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
})
const browser = await openBrowser()
try {
  const scene = await setScene(product, browser)
  const screens = listScreens(scene, language).filter(({ name }) => only?.includes(name) ?? true)
  for (const width of values.widths.split(',').map(Number)) {
    for (const theme of ['dark', 'light'] as const)
      await takeView(browser, screens, { width, theme, people: { ...scene.money, waiter: scene.servers.waiter } })
  }
  if (only?.includes('mails') ?? true) await takeMails(browser, { dataDir: product.dataDir, folder })
  scene.leave()
} finally {
  await browser.close()
  await product.dispose()
}

async function takeView(
  from: Browser,
  screens: Screen[],
  {
    width,
    theme,
    people,
  }: {
    width: number
    theme: 'dark' | 'light'
    people: Pick<MoneyScene, 'debtor' | 'partner'> & Pick<ServerScene, 'waiter'>
  },
) {
  const contexts = {
    visitor: await openContext(from, { width, theme }),
    customer: await openContext(from, { width, theme, account: ['demo', product.secrets.demoPassword] }),
    debtor: await openContext(from, { width, theme, account: people.debtor }),
    partner: await openContext(from, { width, theme, account: people.partner }),
    waiter: await openContext(from, { width, theme, account: people.waiter }),
    admin: await openContext(from, { width, theme, account: ['admin', product.secrets.adminPassword] }),
  }
  for (const screen of screens) {
    const page = await contexts[screen.who].newPage()
    try {
      await takePicture(page, screen, { width, theme })
    } catch (error) {
      // The others are still worth having.
      console.error(`${screen.name}, ${theme}, ${width}:`, error)
      process.exitCode = 1
    }
    await page.close()
  }
  for (const context of Object.values(contexts)) await context.close()
}

async function takePicture(
  page: Page,
  { name, path, prepare, isDialog = false }: Screen,
  { width, theme }: { width: number; theme: 'dark' | 'light' },
) {
  // Pages that are kept up to date are never idle for long; a moment is enough for what they show.
  await page.goto(`${product.origin}${path}`, { waitUntil: 'load' })
  await page.waitForTimeout(1200)
  await prepare?.(page)
  // A window as tall as the page: what is fixed to its edges stands where it belongs.
  const height = isDialog ? 0 : await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(leastHeight(width), Math.min(height, mostHeight)) })
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const file = join(folder, `${name}-${theme}-${width}.webp`)
  const { size } = await sharp(png).webp({ quality: 74, effort: 6, smartSubsample: true }).toFile(file)
  if (size > 100_000) console.error(`${file} is large: ${Math.round(size / 1000)} kB`)
}

async function openContext(
  from: Browser,
  { width, theme, account }: { width: number; theme: 'dark' | 'light'; account?: [login: string, password: string] },
): Promise<BrowserContext> {
  const context = await from.newContext({
    viewport: { width, height: leastHeight(width) },
    colorScheme: theme,
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
