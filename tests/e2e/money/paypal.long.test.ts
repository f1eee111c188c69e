/** A wallet topped up through PayPal in Chromium: approved, called off, and with a return that never came. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser
let page: Page
let walletId: string
beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  const { login, password, user } = await product.signUp()
  walletId = user.wallets.find(({ currency }) => currency === 'EUR')?.id ?? ''
  const context = await browser.newContext()
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login, password },
    headers: { origin: product.origin },
  })
  if (!answer.ok()) throw new Error('the customer could not sign in')
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

/** From the form to PayPal's page. */
async function toPaypal(amount: string) {
  await page.goto(`${product.origin}/en/wallets/${walletId}/recharge`)
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('textbox', { name: 'Other amount' }).fill(amount)
  await page.getByTestId('pay').click()
  await page.waitForURL(/\/checkoutnow\?token=/)
  await page.getByText(`€${amount}`).waitFor()
}

test('the payer approves, and finds the money in the wallet, also after a reload', async () => {
  await toPaypal('20.00')
  await page.getByRole('button', { name: 'Agree and pay' }).click()
  await page.waitForURL(/\/en\/paypal\/continue\?transaction=/)
  await page.getByRole('heading', { name: '€20.00 has arrived' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '€20.00 has arrived' }).waitFor()
  await page.getByRole('link', { name: 'Go to the wallet' }).click()
  await page.getByText('€20.00').first().waitFor()
})

test('the payer calls it off: nothing is charged, and they may try again', async () => {
  await toPaypal('7.00')
  await page.getByRole('button', { name: 'Cancel and return' }).click()
  await page.waitForURL(/\/en\/paypal\/cancel\?transaction=/)
  await page.getByRole('heading', { name: 'The payment was cancelled' }).waitFor()
  await page.getByRole('link', { name: 'Try again' }).waitFor()
})

test('the payer approves, and the way back is lost: the money arrives all the same, also on a page that is open', async () => {
  await toPaypal('3.00')
  await page.route('**/paypal/continue**', (route) => route.abort())
  const approved = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Agree and pay' }).click()
  await approved
  await page.goto(`${product.origin}/en/wallets/${walletId}`)
  await page.unroute('**/paypal/continue**')
  await page.getByTestId('wallet-balance').getByText('€23.00').waitFor({ timeout: 60_000 })
})
