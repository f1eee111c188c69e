/** An administrator gives a payment back in the browser, notes another as taken; the customer reads what became of it. */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { registerRefundJobs } from '../../../apps/server/src/features/money/refunds/jobs.ts'
import type { Caller } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { deposit, settled, startPaymentWorld, walletOf } from '../../support/payment-world.ts'
import { order } from '../../support/servers.ts'

let world: Awaited<ReturnType<typeof startPaymentWorld>>
let browser: Browser
let boss: Caller
let payer: Caller

beforeAll(async () => {
  world = await startPaymentWorld({ pages: true })
  await registerRefundJobs(world.context)
  browser = await openBrowser()
  boss = await world.signUp({ admin: true })
  payer = await world.signUp()
  for (let count = 0; count < 2; count++) {
    const { id } = await deposit(payer, { provider: 'payu' }, randomUUID())
    world.payu.pay(world.orderOf(id).orderId)
    await settled(payer, id)
  }
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

async function enter({ user, password }: Caller, locale = 'en-GB'): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true, locale })
  const headers = { origin: world.origin }
  await context.request.post(`${world.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login: user.email, password }
  const answer = await context.request.post(`${world.origin}/api/v1/users/login/local`, { data, headers })
  expect(answer.ok()).toBe(true)
  return context.newPage()
}
async function open(page: Page, path: string) {
  await page.goto(`${world.origin}${path}`)
  await waitForScripts(page)
}

test('a part is given back, and shows on both sides', async () => {
  const admin = await enter(boss)
  await open(admin, `/en/user/${payer.user.id}?tab=transactions`)
  await admin.getByRole('button', { name: 'Refund', exact: true }).last().click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByText('Can be refunded').waitFor()
  expect(await findFaults(admin)).toEqual([])
  await dialog.getByLabel('Amount').fill('60')
  await dialog.getByLabel('Reason').fill('paid too much')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).last().click()
  await dialog.getByText('That’s more than is left of this payment.', { exact: false }).waitFor()
  await dialog.getByLabel('Amount').fill('20,00')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).last().click()
  await dialog.waitFor({ state: 'hidden' })
  await admin.getByText('PLN 20.00 is being refunded to').waitFor()
  await admin.getByText('PLN 20.00 of it refunded').waitFor()
  await admin.getByRole('link', { name: /^of the payment of PLN 50\.00/ }).waitFor()

  await expect.poll(() => world.payu.orders().flatMap(({ refunds }) => refunds), { timeout: 20_000 }).toHaveLength(1)
  await open(admin, '/en/admin/refunds')
  await admin.getByText('paid too much').waitFor()
  expect(await findFaults(admin)).toEqual([])

  const customer = await enter(payer)
  await open(customer, `/en/wallets/${walletOf(payer)}?list=payments`)
  await customer.getByText(/^Refund: top-up on .*, PayU$/).waitFor()
  await customer.close()
})

test('a payment that is taken back is owed, and can be won', async () => {
  await payer.call(createServer, {
    body: order(walletOf(payer), '1.21.4', { requested_billing_services: ['AMETHYST'] }),
  })
  const admin = await enter(boss, 'pl-PL')
  await open(admin, `/pl/user/${payer.user.id}?tab=transactions`)
  await admin.getByRole('button', { name: 'Zwróć' }).first().click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Odnotuj cofnięcie' }).check({ force: true })
  await dialog.getByLabel('Numer sprawy').fill('CB-2026/17')
  await dialog.getByLabel('Powód').fill('list z banku')
  expect(await findFaults(admin)).toEqual([])
  await dialog.getByRole('button', { name: 'Odnotuj cofnięcie' }).click()
  await dialog.waitFor({ state: 'hidden' })

  const customer = await enter(payer)
  await open(customer, `/en/wallets/${walletOf(payer)}`)
  await customer.getByText(/You owe/).waitFor()
  expect(await findFaults(customer)).toEqual([])
  await customer.close()

  await open(admin, '/pl/admin/refunds?list=debts')
  await admin.getByRole('link', { name: payer.user.username }).waitFor()
  expect(await findFaults(admin)).toEqual([])
  await open(admin, '/pl/admin/refunds?kind=chargeback')
  await admin.getByRole('button', { name: 'Rozlicz' }).click()
  await dialog.getByLabel('Powód').fill('sprawa wygrana')
  expect(await findFaults(admin)).toEqual([])
  await dialog.getByRole('button', { name: 'Podaj wynik' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await admin.getByRole('table').getByText('odzyskano').waitFor()
})
