/** The main job without a mouse: Tab, Enter, Space and arrows from the home page to a stopped server. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { createTypist } from '../support/keyboard.ts'
import { linkIn, waitForMail } from '../support/mail.ts'
import { type TestProduct, useProduct } from '../support/product.ts'

let product: TestProduct
let browser: Browser
beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

test('a server is rented and stopped by keyboard alone', async () => {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.origin })
  const page = await context.newPage()
  onTestFailed(async () => void (await page.screenshot({ path: 'test-results/keyboard.png', fullPage: true })))
  const { hasFocus, tabTo, press, type, arrive, faults } = createTypist(page)
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const field = (name: string | RegExp) => page.getByRole('textbox', { name }).first()

  // The first Tab offers to skip the header, and from there Tab goes on in the page.
  await page.goto(`${product.origin}/en`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Tab')
  expect(await hasFocus(link('Skip to the content'))).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.locator('#content:focus, #content :focus').count()).toBe(1)

  await press(button('Only necessary'))
  await page.locator('[data-consent]').waitFor({ state: 'detached' })
  await press(page.getByRole('banner').getByRole('link', { name: 'Log in' }))
  await page.waitForURL(/\/en\/login/)
  await arrive('Welcome back')
  await press(page.getByRole('main').getByRole('link', { name: 'Create one' }))
  await page.waitForURL(/\/en\/register/)
  await arrive('Create your account')

  await type(field('User name'), 'hania')
  await type(field('E-mail'), 'hania@example.test')
  await type(page.getByLabel('Password', { exact: true }), 'a lantern in the night')
  await press(page.getByRole('checkbox', { name: /accept the terms/ }), 'Space')
  await press(button('Create account'))
  await page.waitForURL(/\/(?:s|create)$/)

  const mail = await waitForMail(product.dataDir, 'hania@example.test')
  await page.goto(linkIn(mail), { waitUntil: 'networkidle' })
  await page.getByText('Your e-mail is confirmed').waitFor()
  await press(page.getByRole('main').getByRole('link').first())
  await page.waitForURL(/\/(?:s|create)/)

  await page.goto(`${product.origin}/en/create`, { waitUntil: 'networkidle' })
  await tabTo(page.getByRole('radio', { checked: true, name: /Free|Grass|Amethyst/i }).first())
  for (let turn = 0; !(await page.getByRole('radio', { name: /Grass/i }).isChecked()); turn++) {
    expect(turn).toBeLessThan(5)
    await page.keyboard.press('ArrowDown')
  }
  await type(field('Server name'), 'hania-castle')
  await page.keyboard.press('Tab')
  await page.getByText('hania-castle.localhost is available').waitFor()
  await press(link(/^Top up PLN/))
  await page.waitForURL(/recharge/)
  await arrive('Top up the wallet')
  await type(field('Other amount'), '50.00')
  await press(button(/^Pay.*50\.00/))
  await page.waitForURL(/\/pay\/\?orderId=/)
  await press(button(/^Pay/))
  await page.waitForURL(/\/en\/create/, { timeout: 30_000 })
  await press(button(/^Pay.*18\.44.*create/))
  await page.waitForURL(/\/s\//)
  await arrive('hania-castle')
  const state = (name: RegExp) => page.getByText(name).first()
  await state(/^(?:Online|Online, empty)$/).waitFor({ timeout: 90_000 })

  await press(button(/Copy address/))
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`hania-castle.localhost:${product.gamePort}`)
  await type(field('Command'), 'say hello from the keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('hello from the keyboard').last().waitFor()
  await press(page.getByRole('button', { name: 'Stop', exact: true }))
  await state(/^Stopped$/).waitFor({ timeout: 60_000 })
  await tabTo(page.getByRole('button', { name: 'Start', exact: true }))

  expect([...faults]).toEqual([])
  await context.close()
})

test('a focus that nobody can see is found', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  const { tabTo, faults } = createTypist(page)
  await page.goto(`${product.origin}/en/login`, { waitUntil: 'networkidle' })
  await page.addStyleTag({ content: 'header a:focus-visible { outline: none !important }' })
  await tabTo(page.getByRole('textbox').first())
  expect([...faults].join('\n')).toMatch(/nothing shows that a ".+" has the focus/)
  await context.close()
})
