/** A panel that somebody opens at home by plain http: browsers keep some of what they can from such pages. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { openBrowser, waitForScripts } from '../support/browser.ts'
import { findFreePorts } from '../support/ports.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

let product: Standalone
let origin: string
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  const ports = await findFreePorts()
  // Of another machine: one's own is as good as https to a browser.
  origin = `http://panel.test:${ports.http}`
  product = await startStandalone({ ports, env: { PUBLIC_URL: origin } })
  browser = await openBrowser(['--host-resolver-rules=MAP panel.test 127.0.0.1'])
  const context = await browser.newContext()
  page = await context.newPage()
  page.on('pageerror', ({ message }) => void faults.push(message))
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const show = async (path: string) => {
  onTestFailed(async () => console.log(page.url(), await page.locator('body').innerText()))
  await page.goto(origin + path)
  await waitForScripts(page)
}

test('is signed in to, topped up from, copied from and set, without a fault', async () => {
  await show('/en/login')
  expect(await page.evaluate('isSecureContext')).toBe(false)
  await page.getByRole('button', { name: 'Only necessary' }).click()
  await page.getByLabel('User name or e-mail').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(product.secrets.adminPassword)
  await page.locator('main form button[type=submit]').click()
  await page.waitForURL(/\/en\/s$/)

  const wallet = await page.evaluate(async () => {
    const user = (await (await fetch('/api/v1/users/verify')).json()) as { wallets: { id: string; currency: string }[] }
    return user.wallets.find(({ currency }) => currency === 'PLN')?.id
  })
  await show('/en/docs/operators/deploying')
  await page.locator('[data-copy]').first().click()
  await page.locator('[data-copy]').first().getByText('Copied').waitFor()

  await show('/en/admin/flags?flag=pay-later')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('heading', { name: 'Rule 1' }).waitFor()

  await show(`/en/wallets/${wallet}/recharge`)
  await page.getByRole('textbox', { name: 'Other amount' }).fill('50.00')
  await page.getByRole('radio', { name: /PayNow/ }).check()
  await page.getByTestId('pay').click()
  await page.waitForURL(/\/pay\?paymentId=/)
  expect(faults).toEqual([])
}, 120_000)
