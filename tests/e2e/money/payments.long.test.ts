/** Paying by PayNow and BLIK in Chromium, on the simulator's pages: happily, by a second code, and with a lost return. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFailed, test } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser
let page: Page
beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  browser = await openBrowser()
  page = await browser.newPage()
  page.setDefaultTimeout(12_000)
  await page.goto(`${product.origin}/en/login`)
  const signedIn = await page.evaluate(
    async (body) =>
      (
        await fetch('/api/v1/users/login/local', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
    { login, password },
  )
  if (signedIn !== 200) throw new Error(`the customer was answered ${signedIn}`)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

/** The top-up form, with the amount and the method chosen. */
async function begin(method: RegExp): Promise<void> {
  onTestFailed(async () => console.log(await page.locator('body').innerText()))
  await page.goto(`${product.origin}/en/create?product=GRASS`)
  const wallet = await page.evaluate(async () => {
    const user = (await (await fetch('/api/v1/users/verify')).json()) as { wallets: { id: string; currency: string }[] }
    return user.wallets.find(({ currency }) => currency === 'PLN')?.id
  })
  await page.goto(`${product.origin}/en/wallets/${wallet}/recharge`)
  await page.getByRole('textbox', { name: 'Other amount' }).fill('50.00')
  await page.getByRole('radio', { name: method }).check()
}
const pay = () => page.getByTestId('pay').click()
const arrived = () => page.getByRole('heading', { name: /50\.00 has arrived/ }).waitFor({ timeout: 30_000 })

test('PayNow, and back', async () => {
  await begin(/PayNow/)
  await pay()
  await page.waitForURL(/\/pay\?paymentId=/)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/en\/paynow\/continue/)
  await arrived()
}, 90_000)

test('the return is lost: the payment is followed wherever it is looked at', async () => {
  await begin(/PayNow/)
  await pay()
  await page.waitForURL(/\/pay\?paymentId=/)
  const [paymentId = '', token = ''] = ['paymentId', 'token'].map(
    (name) => new URL(page.url()).searchParams.get(name) ?? '',
  )
  await fetch(page.url().split('?')[0] ?? '', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ paymentId, token, action: 'pay' }),
  })
  await page.goto(`${product.origin}/en/create?product=GRASS`)
  await page.goBack()
  await page.goto(`${product.origin}/en/s`)
  await page.getByText('PLN 100.00').first().waitFor()
}, 90_000)

test('BLIK: a refused code, then a good one; a reload meanwhile changes nothing', async () => {
  await begin(/^BLIK/)
  const code = page.getByRole('textbox', { name: 'BLIK code' })
  await code.fill('3333')
  await pay()
  await page.getByText('2 digits are missing.').waitFor()
  await code.and(page.locator(':focus')).waitFor()
  await code.fill('333333')
  await pay()
  await page.getByText('This BLIK code isn’t right').waitFor()
  await code.fill('777 777')
  await pay()
  await page.waitForURL(/\/en\/paynow\/continue/)
  await page.getByRole('heading', { name: /Confirm the payment in your bank/ }).waitFor()
  await page.getByText(/\d+ seconds? left/).waitFor()
  await page.reload()
  await page.getByText(/\d+ seconds? left/).waitFor()
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/confirm.png` })
  const bank = await browser.newPage()
  await bank.goto(
    `http://localhost:${new URL(product.origin).port.replace(/^\d+$/, (port) => String(Number(port) + 203))}/bank`,
  )
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await bank.close()
  await arrived()
}, 90_000)
