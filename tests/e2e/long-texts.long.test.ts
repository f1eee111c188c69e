/** Long words break nothing on the narrowest screen: every language as it is, and texts half as long again. */
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import de from '../../apps/web/app/i18n/locales/de.json' with { type: 'json' }
import en from '../../apps/web/app/i18n/locales/en.json' with { type: 'json' }
import pl from '../../apps/web/app/i18n/locales/pl.json' with { type: 'json' }
import { publicPages } from '../../apps/web/app/public-pages.ts'
import { openBrowser } from '../support/browser.ts'
import { findMisfits, longestOf, stretchTexts } from '../support/long-texts.ts'
import { type TestProduct, useProduct } from '../support/product.ts'

const narrow = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const
let product: TestProduct
let browser: Browser
let visitor: BrowserContext
let customer: BrowserContext
let walletPath = ''

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  visitor = await browser.newContext(narrow)
  customer = await browser.newContext(narrow)
  const answer = await customer.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login: 'demo', password: product.secrets.demoPassword },
    headers: { origin: product.origin },
  })
  const { wallets } = (await answer.json()) as { wallets: { id: string }[] }
  walletPath = `/wallets/${wallets[0]?.id}`
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const screens: readonly (readonly ['visitor' | 'customer', string])[] = [
  ...publicPages.map(({ path }) => ['visitor', path] as const),
  ['visitor', '/no-such-page'],
  ['customer', '/s'],
  ['customer', '/create'],
  ['customer', '/wallet'],
  ['customer', '/wallet/recharge'],
]

test.each(screens)('%s at %s', async (who, path) => {
  const page = await (who === 'visitor' ? visitor : customer).newPage()
  const faults: string[] = []
  const check = async (name: string) => faults.push(...(await findMisfits(page)).map((fault) => `${name}: ${fault}`))
  // German has the longest words.
  for (const language of ['pl', 'de'] as const) {
    const address = path.replace('/wallet', walletPath)
    await page.goto(`${product.origin}/${language}${address}`, { waitUntil: 'networkidle' })
    await check(language)
    if (language === 'pl') continue
    await stretchTexts(page, longestOf([en, pl, de], de), 0.5)
    await check('half as long again')
  }
  await page.close()
  expect(faults).toEqual([])
})

test('finds what sticks out and what is cut off', async () => {
  const page = await visitor.newPage()
  await page.setContent(`
    <p style="width: 280px"><span style="white-space: nowrap">A line that will not be broken however long it is, and this one is very long</span></p>
    <p style="height: 20px; width: 200px; overflow: hidden">Words that need more lines than this paragraph has to give them</p>
    <p style="overflow-x: auto; width: 200px"><b style="white-space: nowrap">A table or a picture may scroll within its own box</b></p>`)
  const faults = await findMisfits(page)
  expect(faults.map((fault) => fault.split(':')[0]?.replace(/\d+ px/, 'n px'))).toEqual([
    'the page scrolls sideways by n px',
    'beyond the edge',
    'cut by n px',
  ])
  await page.close()
})
