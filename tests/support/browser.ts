/** Chromium of the system, driven by Playwright. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const candidates = [
  process.env['CHROME_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Letters and colours drawn the same on every machine and by each of the browsers, for pictures that are compared. */
export const steadyLetters = [
  '--font-render-hinting=slight',
  '--disable-lcd-text',
  '--disable-font-subpixel-positioning',
  '--force-color-profile=srgb',
]

export function findChromium(): string {
  const path = candidates.find((candidate) => candidate !== undefined && existsSync(candidate))
  if (path === undefined) throw new Error('no Chromium found: install the package chromium, or set CHROME_PATH')
  return path
}

/** Opens a headless browser. As root it runs without its own sandbox, which Chromium demands. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    if (options?.javaScriptEnabled !== false) context.on('page', arriveWithScripts)
    return context
  }
  return browser
}

/**
 * Has a page's `goto` wait a while for our scripts, which come after the page is painted and so after it is loaded: a
 * visitor takes longer to find a button than a test does.
 */
function arriveWithScripts(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    const deadline = Date.now() + 5_000
    const isOurs = `document.querySelector('script[type="text/late-module"]') !== null`
    const isWaiting = () => page.evaluate<boolean>(`${isOurs} && !${isAlive}`)
    // A page that already moves on has nobody to wait for.
    while (Date.now() < deadline && (await isWaiting().catch(() => false))) await page.waitForTimeout(20)
    return answer
  }
}

/** Whether React has taken a page over, asked in the page. */
const isAlive = `Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps'))`

/** Until then links and forms do what they do without scripts. */
export async function waitForScripts(page: Page): Promise<void> {
  const deadline = Date.now() + 20_000
  // Asked from here: our content security policy forbids what a browser would have to evaluate by itself.
  while (!(await page.evaluate<boolean>(isAlive))) {
    if (Date.now() > deadline) throw new Error(`the scripts of ${page.url()} do not run`)
    await page.waitForTimeout(50)
  }
}
