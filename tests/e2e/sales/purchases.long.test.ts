/**
 * Orders in Chromium that are not simply paid from the wallet: by a partner's earnings, by a bill that is paid later, and
 * by somebody who owes something and learns of it, and of the way out, before they order. Then what came of it, as partners
 * and administrators read it.
 */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { applyForAffiliate, changeAffiliate, getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { getPayLater } from '@wakestone/contract/sales/pay-later-routes'
import { enterChargeback } from '@wakestone/contract/money/payment-returns-routes'
import { getOwnReferralCode, setReferrer } from '@wakestone/contract/sales/referrals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getWallet } from '@wakestone/contract/money/wallets-routes'
import { releaseCommissions } from '../../../apps/server/src/features/sales/affiliates/commissions.ts'
import { registerRefundJobs } from '../../../apps/server/src/features/money/refunds/jobs.ts'
import { handleBills } from '../../../apps/server/src/features/sales/pay-later/service.ts'
import { reconcileDay } from '../../../apps/server/src/features/money/reconciliation/service.ts'
import { handleReferrals } from '../../../apps/server/src/features/sales/referrals/service.ts'
import type { Caller } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { payIn } from '../../support/direct-payments.ts'
import { deposit, settled, startPaymentWorld, walletOf } from '../../support/payment-world.ts'
import { order } from '../../support/servers.ts'
import { strangeGateway } from '../../support/strange-gateway.ts'

const day = 86_400_000
/** GRASS for 30 days, with 23 % of VAT. */
const month = 1844

let world: Awaited<ReturnType<typeof startPaymentWorld>>
let browser: Browser
let boss: Caller
let partner: Caller

beforeAll(async () => {
  world = await startPaymentWorld({ pages: true })
  await registerRefundJobs(world.context)
  browser = await openBrowser()
  boss = await world.signUp({ admin: true })
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

async function enter({ user, password }: Caller): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: world.origin }
  await context.request.post(`${world.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login: user.email, password }
  const answer = await context.request.post(`${world.origin}/api/v1/users/login/local`, { data, headers })
  expect(answer.ok()).toBe(true)
  const page = await context.newPage()
  page.setDefaultTimeout(12_000)
  onTestFailed(async () => console.log(page.url(), await page.locator('body').innerText()))
  return page
}
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${world.origin}${path}`)
  await waitForScripts(page)
}
const balance = async (caller: Caller) =>
  (await caller.call(getWallet, { params: { id: walletOf(caller) } })).balance.amount
const pay = (page: Page) => page.getByRole('button', { name: /^Pay PLN\s18\.44 and create$/ })

test('a partner pays for a server with what friends have brought, and for nothing else', async () => {
  partner = await world.signUp()
  const params = { id: partner.user.id }
  await partner.call(applyForAffiliate, {
    params,
    body: { website: 'https://stream.example', about: 'I stream every evening.' },
  })
  await boss.call(changeAffiliate, { params: { userId: partner.user.id }, body: { state: 'approved' } })
  const friend = await world.signUp()
  const { referral_code: code } = await partner.call(getOwnReferralCode, { params })
  await friend.call(setReferrer, { params: { userId: friend.user.id }, body: { code } })
  await payIn(world.context, friend, 30_000)
  await handleReferrals(world.context, new Date())
  await releaseCommissions(world.context, new Date(Date.now() + 31 * day))

  const page = await enter(partner)
  await open(page, '/en/create?product=GRASS&name=Paid+by+friends')
  // The wallet is empty, and pays where nothing else is chosen.
  await page.getByText(/^Your wallet is short by PLN\s18\.44\.$/).waitFor()
  await page.getByRole('radio', { name: /^Affiliate balance \(PLN\s30\.00\)$/ }).click()
  await page.getByText('paid-by-friends.localhost is available').waitFor()
  await pay(page).click()
  await page.waitForURL(/\/s\/paid-by-friends/)
  const { earnings } = await partner.call(getAffiliate, { params, query: {} })
  expect(earnings.find(({ currency }) => currency === 'PLN')).toMatchObject({ available: 3000 - month, paid: month })
  expect(await balance(partner)).toBe(0)
})

test('a server is bought now and its bill paid later', async () => {
  await boss.call(changeFlag, { params: { key: 'pay-later' }, body: { enabled: true, value: true } })
  const buyer = await world.signUp()
  const { id } = buyer.user
  const created_at = new Date(Date.now() - 90 * day)
  await world.context.db.updateTable('users').set({ created_at }).where('id', '=', id).execute()
  for (let count = 0; count < 2; count++) await payIn(world.context, buyer, 4000)
  await expect.poll(async () => (await buyer.call(getPayLater, { params: { id } })).refusal).toBe(null)

  const page = await enter(buyer)
  await open(page, '/en/create?product=GRASS&name=Paid+later')
  await page.getByRole('radio', { name: /^Pay later \(PLN\s40\.00\)$/ }).click()
  await page.getByText('You’ll get a bill for it').waitFor()
  await page.getByText('paid-later.localhost is available').waitFor()
  await pay(page).click()
  await page.waitForURL(/\/s\/paid-later/)
  expect(await balance(buyer)).toBe(8000)

  await open(page, '/en/account/bills')
  const bill = page.getByRole('row', { name: /Paid later/ })
  await bill.getByText('Open', { exact: true }).waitFor()
  await page.getByText(/^Left of PLN\s40\.00$/).waitFor()
  expect(await findFaults(page)).toEqual([])
  await bill.getByRole('button', { name: 'Pay' }).click()
  await bill.getByText('Paid', { exact: true }).waitFor()
  expect(await balance(buyer)).toBe(8000 - month)
  expect((await buyer.call(getPayLater, { params: { id } })).bills).toMatchObject([{ state: 'paid' }])
})

test('somebody who owes something is told before they order, settles it on the way, and then orders', async () => {
  const debtor = await world.signUp()
  const { id: payment } = await deposit(debtor, { provider: 'payu' }, randomUUID())
  world.payu.pay(world.orderOf(payment).orderId)
  await settled(debtor, payment)
  const server = await debtor.call(createServer, { body: order(walletOf(debtor), '1.21.4') })
  await boss.call(enterChargeback, {
    params: { id: payment },
    body: { kind: 'chargeback', amount: 5000, reason: 'a letter of the bank', case_id: 'CB-1' },
  })
  expect(await balance(debtor)).toBe(0)

  const page = await enter(debtor)
  const owed = page.getByText(/^You owe PLN\s18\.44$/)
  await open(page, `/s/${server.id}/payments/upgrade`)
  await owed.waitFor()
  const refused = page.getByRole('button', { name: /^Change to .* — Settle what you owe first/ })
  expect(await refused.getAttribute('aria-disabled')).toBe('true')
  expect(await findFaults(page)).toEqual([])
  await open(page, `/s/${server.id}/payments/renew`)
  await page.getByText('You can still renew').waitFor()

  await open(page, '/en/create?product=GRASS&name=After+all')
  await owed.waitFor()
  expect(await pay(page).count()).toBe(0)
  const submit = page.getByRole('button', { name: /and create — Settle what you owe first\.$/ })
  expect(await submit.getAttribute('aria-disabled')).toBe('true')
  expect(await findFaults(page)).toEqual([])
  // What is owed and what the server costs, in whole units.
  await page.getByRole('link', { name: /^Top up PLN\s37\.00$/ }).click()
  await page.waitForURL(/\/recharge\?/)
  await owed.waitFor()
  const line = (name: string, value: RegExp) =>
    page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).getByText(value)
  await line('Of that, to settle what you owe', /^PLN\s18\.44$/).waitFor()
  await line('Still owed', /^PLN\s0\.00$/).waitFor()
  await line('New balance', /^PLN\s18\.56$/).waitFor()
  await page.getByTestId('pay').click()
  await page.waitForURL(/\/pay\/\?orderId=/)
  await page.locator('button[value=pay]').click()
  // Back in the order, which can now be paid.
  await page.waitForURL(/\/en\/create\?/)
  await page.getByText(/^Your top-up of PLN\s37\.00 has arrived in your wallet\.$/).waitFor()
  // Only once: whoever looks at this payment again stays there.
  const returns = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('return-')))
  await expect.poll(returns, { timeout: 10_000 }).toEqual([])
  await page.getByText('after-all.localhost is available').waitFor()
  await pay(page).click()
  await page.waitForURL(/\/s\/after-all/)
  expect(await balance(debtor)).toBe(3700 - 2 * month)
})

test('what is owed in one wallet stops orders that another one pays for, until it is settled where it is owed', async () => {
  const debtor = await world.signUp()
  const { id: payment } = await deposit(debtor, { provider: 'paynow', currency: 'EUR', amount: 2000 })
  world.paynow.pay(world.paymentOf(payment).paymentId)
  await settled(debtor, payment)
  await debtor.call(createServer, { body: order(walletOf(debtor, 'EUR'), '1.21.4', { currency: 'EUR' }) })
  await boss.call(enterChargeback, {
    params: { id: payment },
    body: { kind: 'chargeback', amount: 2000, reason: 'a letter of the bank', case_id: 'CB-2' },
  })
  const { owed } = await debtor.call(getWallet, { params: { id: walletOf(debtor, 'EUR') } })
  await payIn(world.context, debtor, month)

  const page = await enter(debtor)
  await open(page, '/en/create?product=GRASS&name=From+another')
  await page.getByText(`You owe €${(owed.amount / 100).toFixed(2)}`).waitFor()
  expect(await pay(page).count()).toBe(0)
  // What the order costs is in the wallet that pays for it: the top-up is for what is owed alone.
  await page.getByRole('link', { name: `Top up €${Math.ceil(owed.amount / 100)}.00` }).click()
  await page.waitForURL(new RegExp(`/${walletOf(debtor, 'EUR')}/recharge`))
  await page.getByRole('radio', { name: /PayNow/ }).check()
  await page.getByTestId('pay').click()
  await page.waitForURL(/\/pay\?paymentId=/)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/en\/create\?/)
  await page.getByText('from-another.localhost is available').waitFor()
  await pay(page).click()
  await page.waitForURL(/\/s\/from-another/)
  expect(await balance(debtor)).toBe(0)
})

test('a partner reads what friends have brought, and moves the rest to the wallet', async () => {
  const page = await enter(partner)
  await open(page, '/en/affiliate')
  const mine = page.locator('#mine')
  const line = (name: string) => mine.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
  // Comes after the page, with scripts of its own.
  await line('Available').waitFor()
  await expect.poll(() => line('Available').innerText()).toMatch(/^PLN\s11\.56$/)
  expect(await line('Moved to the wallet').innerText()).toMatch(/^PLN\s18\.44$/)
  expect(await line('Sign-ups').innerText()).toBe('1')
  await mine.getByRole('button', { name: 'Move all to the wallet' }).click()
  await mine.getByText(/^PLN\s11\.56 is in your wallet now\.$/).waitFor()
  await expect.poll(() => line('Available').innerText()).toMatch(/^PLN\s0\.00$/)
  expect(await balance(partner)).toBe(3000 - month)
  expect(await findFaults(page)).toEqual([])
})

test('administrators read of partners, of bills that are late, and of a day that differs', async () => {
  const now = new Date()
  const [created_at, due_at] = [16, 2].map((ago) => new Date(now.getTime() - ago * day))
  const late = await world.signUp()
  const past = { created_at: new Date(now.getTime() - 90 * day) }
  await world.context.db.updateTable('users').set(past).where('id', '=', late.user.id).execute()
  for (let count = 0; count < 2; count++) await payIn(world.context, late, 2000)
  await late.call(createServer, { body: order(walletOf(late), '1.21.4', { payment_method: 'pay-later' }) })
  await payIn(world.context, late, -4000)
  await world.context.db.updateTable('bills').set({ created_at, due_at }).where('user_id', '=', late.user.id).execute()
  await handleBills(world.context, now)
  const reportId = await reconcileDay(world.context, strangeGateway, { day: new Date(now.getTime() - 2 * day), now })

  const page = await enter(boss)
  const looked = async (path: string, row: string) => {
    await open(page, path)
    await page.getByRole('table').getByText(row).first().waitFor()
    expect(await findFaults(page)).toEqual([])
  }
  await looked('/en/admin/affiliates', partner.user.username)
  await looked('/en/admin/affiliates?list=bills', late.user.username)
  await looked('/en/admin/reconciliation', 'PayPal')
  await looked(`/en/admin/reconciliation/${reportId}`, '3C679366HH908993F')
  await page.getByRole('link', { name: 'All days' }).waitFor()
})
