/** axe finds nothing on any screen: narrow, middle and wide, in light and dark, in the language with the longest words. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
let product: Standalone
let browser: Browser
let visitor: BrowserContext
let customer: BrowserContext

beforeAll(async () => {
  product = await startStandalone()
  browser = await openBrowser()
  // Our content security policy would keep axe out.
  visitor = await browser.newContext({ bypassCSP: true })
  customer = await browser.newContext({ bypassCSP: true })
  const body = { login: 'demo', password: product.secrets.demoPassword }
  const answer = await customer.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: body,
    headers: { origin: product.origin },
  })
  if (!answer.ok()) throw new Error(`the demo customer cannot sign in: ${await answer.text()}`)
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const screens = [
  ['visitor', ''],
  ['visitor', '/login'],
  ['visitor', '/register'],
  ['visitor', '/no-such-page'],
  ['customer', '/s'],
  ['customer', '/create'],
] as const

test.each(screens)('%s at /pl%s', async (who, path) => {
  const page = await (who === 'visitor' ? visitor : customer).newPage()
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 768, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${product.origin}/pl${path}`, { waitUntil: 'networkidle' })
      expect(new URL(page.url()).pathname).toBe(`/pl${path}`)
      await page.evaluate(axe)
      const { violations } = await page.evaluate<AxeResults>('axe.run()')
      for (const { id, help, nodes } of violations) {
        faults.push(
          `${colorScheme}, ${width}: ${id} (${help}) at ${nodes.map(({ target }) => target.join(' ')).join('; ')}`,
        )
      }
      const overflow = await page.evaluate<number>(sideways)
      if (overflow > 0) faults.push(`${colorScheme}, ${width}: scrolls sideways by ${overflow} px`)
    }
  }
  await page.close()
  expect(faults).toEqual([])
})
