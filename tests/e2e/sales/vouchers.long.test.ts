/** Vouchers in Chromium: an administrator makes them, customers redeem them; a trial server is offered and made. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { type Customer, type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let buyer: Customer
let browser: Browser
beforeAll(async () => {
  product = await useProduct()
  buyer = await product.signUp()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

async function enter(login: string, password: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login, password }
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, { data, headers })
  expect(answer.ok()).toBe(true)
  return context.newPage()
}
const open = async (page: Page, path: string) => {
  await page.goto(`${product.origin}${path}`)
  await waitForScripts(page)
}

test('an administrator makes vouchers, and a customer puts one into the wallet', async () => {
  const admin = await enter('admin@wakestone.local', product.secrets.adminPassword)
  await open(admin, '/en/admin/create-new-voucher')
  await admin.getByRole('radio', { name: 'Money' }).check({ force: true })
  await admin.getByLabel('Amount').fill('25,00')
  await admin.getByLabel('How many codes').fill('3')
  await admin.getByLabel('Prefix').fill('spring-')
  await admin.getByLabel('Group').fill('spring')
  await admin.getByText(/25\.00 for your wallet/).waitFor()
  await admin.getByRole('button', { name: 'Create 3 codes' }).click()
  await admin.getByRole('heading', { name: '3 codes are ready' }).waitFor()
  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Save as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('vouchers-spring.csv')
  const [head, ...codes] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toBe('code,group,uses,expires')
  expect(codes).toHaveLength(3)
  const [first = '', second = ''] = codes.map((line) => line.split(',')[0] ?? '')
  expect(first).toMatch(/^SPRING-[A-Z0-9]{8}$/)

  const customer = await enter(buyer.login, buyer.password)
  await open(customer, '/en/voucher/use')
  await customer.getByLabel('Voucher code').fill('SPRING-NOTHING1')
  await customer.getByRole('button', { name: 'Check code' }).click()
  await customer.getByText('We couldn’t find this voucher.', { exact: false }).waitFor()
  await customer.getByLabel('Voucher code').fill(first.toLowerCase())
  await customer.getByRole('button', { name: 'Check code' }).click()
  await customer.getByText(/25\.00 for your wallet/).waitFor()
  await customer.getByRole('button', { name: 'Redeem' }).click()
  await customer.getByText('Redeemed.').waitFor()
  await open(customer, `/en/voucher/use?code=${second}`)
  await customer.getByText('you’ve already used one like it', { exact: false }).waitFor()

  await open(admin, '/en/admin/create-new-voucher')
  await admin.getByText('1 of 3').waitFor()

  // What is left is taken back.
  await admin.getByRole('button', { name: '3 codes' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByText(first).waitFor()
  if (process.env['PICTURES']) await admin.screenshot({ path: `${process.env['PICTURES']}/codes.png` })
  await dialog.getByRole('button', { name: 'Take all back' }).click()
  await dialog.getByText('2 codes that aren’t used up', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Take back' }).click()
  await dialog.getByText('Revoked on', { exact: false }).first().waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await admin.getByText('2 taken back').waitFor()
  const other = await enter('admin@wakestone.local', product.secrets.adminPassword)
  await open(other, `/en/voucher/use?code=${second}`)
  await other.getByText('This voucher has been taken back', { exact: false }).waitFor()
})

test('a price of a voucher stands beside the old one in an order', async () => {
  const admin = await enter('admin@wakestone.local', product.secrets.adminPassword)
  const answer = await admin.context().request.post(`${product.origin}/api/v1/admin/voucher/generate`, {
    headers: { origin: product.origin },
    data: {
      quantity: 1,
      data: { product_id: ['GRASS'], billing_period: ['720h'], new_cost: [{ amount: 500, currency: 'PLN' }] },
    },
  })
  const { vouchers } = (await answer.json()) as { vouchers: { code: string }[] }
  const customer = await enter(buyer.login, buyer.password)
  await open(customer, '/en/create?product=GRASS&name=Cheap')
  await customer.getByRole('button', { name: 'I have a voucher' }).click()
  await customer.getByLabel('Voucher code').fill(vouchers[0]?.code ?? '')
  await customer.getByRole('button', { name: 'Apply' }).click()
  await customer.locator('del', { hasText: '18.44' }).waitFor()
  await customer.getByText('PLN 6.15', { exact: false }).first().waitFor()
  await customer.getByRole('button', { name: 'Change plan' }).click()
  await customer.getByRole('radio', { name: /^Amethyst/ }).check({ force: true })
  await customer.getByText('This voucher is for another plan.').waitFor()
})

test('a visitor is offered a trial, registers, and has it', async () => {
  const admin = await enter('admin@wakestone.local', product.secrets.adminPassword)
  const flag = await admin.context().request.fetch(`${product.origin}/api/v1/admin/flags/redeem-free-server`, {
    method: 'PATCH',
    headers: { origin: product.origin },
    data: { enabled: true, value: true },
  })
  expect(flag.ok()).toBe(true)
  const customer = await enter(buyer.login, buyer.password)
  await open(customer, '/en?redeem-free-server')
  await customer.getByRole('dialog').getByRole('link').click()
  await customer.getByText(/^TRY-/).waitFor()
  // It pays for the whole server: there is no time to choose, no wallet, and nothing to withdraw from.
  expect(await customer.getByRole('radiogroup', { name: 'Wallet' }).count()).toBe(0)
  expect(await customer.getByRole('checkbox').count()).toBe(0)
  const refused: string[] = []
  customer.on('response', (answer) => void (answer.status() === 400 && refused.push(answer.url())))
  await customer.getByLabel('Server name').fill('trial run')
  await customer.getByRole('button', { name: 'Create for free' }).click()
  await customer.waitForURL('**/s/**')
  expect(refused).toEqual([])
  await open(customer, '/en?redeem-free-server')
  await customer.getByText('You’ve already tried them all').waitFor()
})
