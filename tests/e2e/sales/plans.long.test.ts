/** A rented server in Chromium: renewed by hand and by itself, added to, upgraded, and a smaller plan planned and not. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { hoursOfPeriod } from '@wakestone/contract/primitives'
import { changeService, getService } from '@wakestone/contract/sales/billings-routes'
import { changeUserCapabilities } from '@wakestone/contract/admin/admin-routes'
import { createCraftum } from '@wakestone/contract/websites/craftums-routes'
import { createServer, getServer } from '@wakestone/contract/servers/servers-routes'
import { listUserWallets, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { generateVouchers, redeemIntoWallet } from '@wakestone/contract/sales/vouchers-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser } from '../../support/browser.ts'
import { order } from '../../support/servers.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

const gibibyte = 1024 ** 3

let product: TestProduct
let browser: Browser
let page: Page
let walletId: string
let serverId: string
let serviceId: string
let ownerId: string
let call: ReturnType<typeof createCookieClient>['call']
let admin: typeof call

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  ;({ call } = createCookieClient(product.origin))
  const user = await call(loginLocal, { body: { login, password } })
  ownerId = user.id
  walletId = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  ;({ call: admin } = createCookieClient(product.origin))
  await admin(loginLocal, { body: { login: 'admin@wakestone.local', password: product.secrets.adminPassword } })
  const { vouchers } = await admin(generateVouchers, {
    body: { quantity: 1, data: { wallet_tx: [{ amount: 30_000, currency: 'PLN' }] } },
  })
  await call(redeemIntoWallet, { params: { id: walletId }, body: { voucher: vouchers[0]!.code } })
  const server = await call(createServer, { body: order(walletId, '1.21.4') })
  serverId = server.id
  serviceId = server.service_id

  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login, password },
    headers,
  })
  if (!answer.ok()) throw new Error(`the customer was answered ${answer.status()}`)
  page = await context.newPage()
  page.setDefaultTimeout(12_000)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

/** One of the server's pages about money. */
async function open(path: string): Promise<void> {
  onTestFailed(async () => console.log(await page.locator('body').innerText()))
  await page.goto(`${product.origin}/s/${serverId}/payments${path}`)
}
const service = () => call(getService, { params: { id: serviceId } })
const limits = async () => (await call(getServer, { params: { id: serverId } })).parameters.limits
const balance = async () =>
  (await call(listUserWallets, { params: { id: ownerId } })).find(({ id }) => id === walletId)!.balance.amount

/** The amount, in minor units, that a list of names and values shows beside a name. */
async function amountBeside(place: Locator | Page, name: string): Promise<number> {
  const value = place.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  await value.getByText(/PLN/).first().waitFor()
  return minor(await value.innerText())
}
const minor = (text: string) => Math.round(Number(/(-?[\d,]+\.\d\d)/.exec(text)?.[1]?.replaceAll(',', '')) * 100)

/** What a bill says that is charged and left is what then is; minus comes back. */
async function pay(
  bill: Locator,
  { button, isDone, chargeOf = 'To pay now' }: { button: RegExp; isDone: () => Promise<void>; chargeOf?: string },
): Promise<number> {
  const charge = await amountBeside(bill, chargeOf)
  const before = await balance()
  expect(await amountBeside(bill, 'Wallet now')).toBe(before)
  const after = await amountBeside(bill, 'Wallet after')
  await bill.getByRole('button', { name: button }).click()
  await isDone()
  expect(await balance()).toBe(after)
  expect(Math.abs(before - after)).toBe(charge)
  return before - after
}
async function confirm(button: RegExp, chargeOf?: string): Promise<number> {
  const dialog = page.getByRole('dialog')
  return pay(dialog, { button, isDone: () => dialog.waitFor({ state: 'hidden' }), ...(chargeOf && { chargeOf }) })
}

test('renewed from the wallet, for what the button says', async () => {
  const { expires } = await service()
  const before = await balance()
  await open('/renew')
  await page.getByRole('radio', { name: '90 days' }).click()
  const button = page.getByRole('button', { name: /^Renew for/ })
  await page.waitForURL(/period=2160h/)
  await expect.poll(() => button.innerText()).not.toContain('18.44')
  const price = minor(await button.innerText())
  const left = await amountBeside(page, 'Wallet after')
  const consent = page.getByRole('checkbox', { name: /^The new period may start/ })
  await consent.check()
  await button.click()
  await page.getByText(/^Renewed: paid until/).waitFor()
  // No button to renew again stands there by itself, and what was agreed to was that renewal, not the next.
  expect(await button.count()).toBe(0)
  await page.getByRole('button', { name: 'Renew once more' }).click()
  await button.waitFor()
  expect(await consent.isChecked()).toBe(false)
  expect([before - (await balance()), await balance()]).toEqual([price, left])
  // 14.99 net for 30 days, 5 % less for 90, with 23 % VAT.
  expect(price).toBe(Math.round(Math.round(1499 * 3 * 0.95) * 1.23))
  const renewed = await service()
  expect(new Date(renewed.expires!).getTime() - new Date(expires!).getTime()).toBe(hoursOfPeriod('2160h') * 3_600_000)
})

test('a payment leads to its document, and that to all of them', async () => {
  await open('')
  await page.getByRole('link', { name: 'Open', exact: true }).first().click()
  await page.waitForURL(/\/account\/invoices\?transaction=/)
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.waitForURL(/\/account\/invoices(\?|$)/)
  await expect.poll(() => rows.count()).toBeGreaterThan(2)
})

test('whether it renews itself is switched, kept, and told wherever the plan is', async () => {
  const { auto_renew: wasOn } = await service()
  for (const on of [!wasOn, wasOn]) {
    await open('/renew')
    await page.getByRole('checkbox', { name: 'Renew automatically a day before the end', checked: !on }).click()
    await expect.poll(async () => (await service()).auto_renew).toBe(on)
    await open('')
    await page.getByText(on ? /^PLN.52\.55 on / : /^Off$/).waitFor()
    const upcoming = page.locator('section', { has: page.getByRole('heading', { name: 'Upcoming' }) })
    await upcoming.getByText(on ? 'Automatic renewal for 90 days' : 'Server stops').waitFor()
    expect(await upcoming.getByText(/^PLN.52\.55$/).count()).toBe(on ? 1 : 0)
    await page.goto(`${product.origin}/s/${serverId}`)
    await page
      .getByText(on ? /^Renews on .* for PLN.52\.55, incl\. PLN.9\.83 VAT/ : /^PLN.52\.55 for 90 days/)
      .waitFor()
  }
})

test('an add-on is bought for the time left, and the server has what it gives', async () => {
  await open('')
  await page.getByText('2 GiB', { exact: true }).waitFor()
  const size = page.getByRole('spinbutton', { name: /more memory$/ })
  for (const [typed, taken] of [
    ['7', '8'],
    ['2', '2'],
  ] as const) {
    await size.fill(typed)
    await size.press('Enter')
    await page.getByRole('button', { name: `Add ${taken} GiB more memory` }).waitFor()
    expect(await size.inputValue()).toBe(taken)
  }
  const add = page.getByRole('button', { name: 'Add 2 GiB more memory' })
  await add.click()
  const consent = page.getByRole('checkbox', { name: /^Start now/ })
  await consent.check()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await add.click()
  expect(await consent.isChecked()).toBe(false)
  const charge = await confirm(/^Add and pay /)
  await page.getByRole('status').getByText('2 GiB more memory added.').waitFor()
  // 9.00 net for 30 days, of which 120 are left, at the price of the period that was paid last: 5 % less.
  expect(charge).toBeLessThanOrEqual(Math.ceil(900 * 4 * 1.23))
  expect(charge).toBeGreaterThan(900 * 4 * 0.9)
  await page.getByRole('list', { name: 'Your add-ons' }).getByText('2 GiB more memory').waitFor()
  await page.getByText('4 GiB', { exact: true }).waitFor()
  expect((await limits()).memory).toBe(4 * gibibyte)
  const payments = page.getByRole('table', { name: 'Payments for this server' })
  await payments.getByText(`PLN\u00a0${(charge / 100).toFixed(2)}`).waitFor()
  await payments.getByText('Purchase: 2 GiB more memory').waitFor()
})

const section = (heading: string) => page.locator('section', { has: page.getByRole('heading', { name: heading }) })

test('an upgrade is compared, charged as shown, and done', async () => {
  await open('/upgrade')
  // Its own 6 GiB and the add-on's.
  await section('Amethyst').getByText('8 GiB').waitFor()
  const now = section('When').locator('label', { hasText: 'Now, for the time left' })
  expect(await now.getByRole('radio').isChecked()).toBe(true)
  const offered = minor(await now.innerText())
  const isDone = () => page.getByText('Your server is now on Amethyst.').waitFor()
  expect(await pay(section('Summary'), { button: /^Change to Amethyst/, isDone })).toBe(offered)
  expect((await service()).product.id).toBe('AMETHYST')
  // The add-on stays.
  expect((await limits()).memory).toBe(8 * gibibyte)
})

test('a smaller plan is planned for the end of the paid time, for nothing, and taken back', async () => {
  await open('/upgrade')
  await section('Grass').getByText('Downgrade').waitFor()
  // Nobody who has just upgraded is asked whether to go back.
  expect(await page.getByRole('heading', { name: 'When' }).count()).toBe(0)
  await section('Grass')
    .getByRole('button', { name: /^Choose/ })
    .click()
  await page.getByRole('radio', { name: /^At the end of the paid term/ }).click()
  const isDone = () => page.getByText(/^Grass starts on/).waitFor()
  expect(await pay(section('Summary'), { button: /^Schedule the change$/, isDone })).toBe(0)
  expect((await service()).scheduled_actions).toMatchObject([
    { action: 'CHANGE_PRODUCT', details: { product_id: 'GRASS' } },
  ])
  await open('')
  await page.getByText(/plan changes to Grass/i).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/plan changes to Grass/i).waitFor({ state: 'detached' })
  expect(await service()).toMatchObject({ product: { id: 'AMETHYST' }, scheduled_actions: [] })
})

test('cancelled at the end of its term once that was confirmed, told everywhere, and undone as it was', async () => {
  await call(changeService, { params: { id: serviceId }, body: { auto_renew: true } })
  await open('')
  const cancel = page.getByRole('button', { name: 'Cancel at end of term' })
  const dialog = page.getByRole('dialog')
  await cancel.first().click()
  await dialog.getByText('Automatic renewal is switched off.', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Keep the server' }).click()
  expect((await service()).auto_renew).toBe(true)
  await cancel.first().click()
  await dialog.getByRole('button', { name: 'Cancel at end of term' }).click()
  await page.getByText('Cancelled: server stops').waitFor()
  await page.getByText(/^World and files are kept until/).waitFor()
  await page.goto(`${product.origin}/s/${serverId}`)
  await page.getByText(/^Cancelled: the server stops on/).waitFor()
  await page.goto(`${product.origin}/en/s`)
  await page.getByText(/^ends\s/).waitFor()
  await open('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Automatic renewal for 90 days').waitFor()
  // The plan and its add-on, for 90 days.
  await page.getByText('2 GiB more memory', { exact: true }).first().waitFor()
  expect((await service()).auto_renew).toBe(true)
})

test('a withdrawal that deletes the server wants its name typed', async () => {
  const other = await call(createServer, {
    body: order(walletId, '1.21.4', { name: 'Not kept', subdomain: 'not-kept' }),
  })
  await page.goto(`${product.origin}/s/${other.id}/payments/withdraw`)
  await page.getByText('the server stops at once', { exact: false }).waitFor()
  const opening = page.getByRole('button', { name: 'Withdraw from the contract' })
  const place = await opening.boundingBox()
  await opening.dblclick()
  const dialog = page.getByRole('dialog')
  const confirmed = dialog.getByRole('button', { name: /^Confirm withdrawal/ })
  const at = await confirmed.boundingBox()
  // Nobody who clicks once more at the same place withdraws.
  expect(Math.abs((at?.x ?? 0) - (place?.x ?? 0))).toBeGreaterThan(place?.width ?? Infinity)
  await dialog.getByText(/^PLN.18\.44$/).waitFor()
  await dialog.getByRole('textbox').fill('Not')
  expect(await confirmed.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByRole('textbox').press('Enter')
  expect((await call(getServer, { params: { id: other.id } })).deleted_at).toBe(null)
  await dialog.getByRole('textbox').fill('Not kept')
  await confirmed.click()
  await page.getByText(/^PLN.18\.44 is back in your wallet/).waitFor()
  await page.getByText(/^The world and files are kept until/).waitFor()
  await page.getByRole('link', { name: 'Download files' }).waitFor()
  // It says so wherever it stands, offers its files, and no second withdrawal.
  await page.goto(`${product.origin}/s/${other.id}/payments`)
  await page.getByText(/^You withdrew from the contract on/).waitFor()
  await page.getByRole('link', { name: 'download them' }).waitFor()
  expect(await page.getByRole('link', { name: 'Withdraw from the contract here' }).count()).toBe(0)
  await page.goto(`${product.origin}/s/${other.id}`)
  await page.getByText('Withdrawn', { exact: true }).first().waitFor()
  expect(await page.getByText('Expired', { exact: true }).count()).toBe(0)
  await page.goto(`${product.origin}/s/${other.id}/events`)
  await page.getByText('Withdrawal from the contract').filter({ visible: true }).waitFor()
})

test('a website is withdrawn from as a server is', async () => {
  await admin(changeUserCapabilities, { params: { id: ownerId }, body: { set: { 'user.craftum': true } } })
  const { id } = await call(createCraftum, {
    body: {
      name: 'Not kept either',
      subdomain: 'not-kept-either',
      billing_period: '720h',
      currency: 'PLN',
      wallet_id: walletId,
      immediate: true,
    },
  })
  await page.goto(`${product.origin}/en/c/${id}/payments`)
  await page.getByRole('link', { name: 'Withdraw from the contract here' }).click()
  await page.getByText('the website goes offline at once', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Withdraw from the contract' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Not kept either')
  await dialog.getByRole('button', { name: /^Confirm withdrawal/ }).click()
  await page.getByText(/^PLN.12\.2\d is back in your wallet/).waitFor()
  await page.getByText(/^The pages and pictures are kept until/).waitFor()
  await page.goto(`${product.origin}/en/c`)
  await page.getByText('Withdrawn', { exact: true }).first().waitFor()
})
