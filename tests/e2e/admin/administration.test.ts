/** An administrator at work in Chromium: finds a user, suspends them, ends that, sees the panel as they do, and goes back. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { register } from '@wakestone/contract/accounts/users-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
import { waitForMail } from '../../support/mail.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'

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

const zosia = { username: 'zosia_lantern', email: 'zosia.lantern@example.test', password: 'a lantern in the window' }
const reason = 'Sold accounts that were not hers'

async function open(): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB' })
  await context.request.post(`${product.origin}/consent`, {
    form: { choice: 'necessary', back: '/en' },
    headers: { origin: product.origin },
  })
  return context
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(product.origin + path)
  await waitForScripts(page)
}

async function logIn(page: Page, login: string, password: string): Promise<void> {
  await show(page, '/en/login')
  await page.getByLabel('User name or e-mail').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test.runIf(isLong)(
  'a user is found, suspended, let in again, and seen the panel as',
  async () => {
    await createCookieClient(product.origin).call(register, { body: { ...zosia, language: 'en', accepted_tos: true } })
    const admin = await (await open()).newPage()
    await logIn(admin, 'admin@wakestone.local', product.secrets.adminPassword)
    await admin.waitForURL('**/en/s')

    await show(admin, '/en/admin')
    await admin.getByRole('link', { name: zosia.username }).waitFor() // among those who came last
    await admin.getByRole('searchbox').fill('LANTERN')
    await admin.getByRole('button', { name: 'Search', exact: true }).click()
    await admin.waitForURL('**/en/admin?q=LANTERN')
    await admin.getByRole('link', { name: zosia.username }).click()
    await admin.getByRole('heading', { name: zosia.username }).waitFor()

    await admin.getByRole('button', { name: 'Suspend', exact: true }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('no')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByText('3–500 characters').waitFor()
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await admin.getByText(reason).waitFor()

    const user = await (await open()).newPage()
    await logIn(user, zosia.username, zosia.password)
    await user.getByText('This account is suspended.').waitFor()
    const mail = await waitForMail(product.dataDir, zosia.email, 'Your account is suspended')
    expect(mail.text).toContain(reason)

    await admin.getByRole('button', { name: 'End the suspension' }).click()
    await admin.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    await user.getByRole('button', { name: 'Log in' }).click()
    await user.waitForURL('**/en/s')

    const back = new URL(admin.url()).pathname
    await admin.getByRole('button', { name: 'View as' }).click()
    await admin.waitForURL('**/en/s')
    for (const [path, text] of [
      ['/en/s', 'You’re viewing the panel as'],
      ['/pl', 'Oglądasz panel jako'],
      ['/de/offers', 'Du siehst das Panel als'],
      ['/en/account/settings', 'You’re viewing the panel as'],
    ] as const) {
      await show(admin, path)
      const banner = admin.locator('[data-view-as]')
      await banner.getByText(text).waitFor()
      expect(await banner.textContent()).toContain(zosia.username)
    }
    expect(await admin.getByRole('link', { name: 'Administration' }).count()).toBe(0)
    await admin.getByRole('button', { name: 'Stop viewing' }).click()
    await admin.waitForURL(`**${back}`)
    expect(await admin.locator('[data-view-as]').count()).toBe(0)

    await show(user, '/en/s')
    await admin.goto(`${product.origin}${back}?tab=events`)
    await admin.getByRole('link', { name: 'An administrator stopped viewing the panel as this user' }).waitFor()
  },
  90_000,
)

test('in preview mode an administrator’s pages are a customer’s, and the switch stays', async () => {
  const page = await (await open()).newPage()
  await logIn(page, 'admin@wakestone.local', product.secrets.adminPassword)
  await page.waitForURL('**/en/s')
  await waitForScripts(page)
  const entry = page.getByRole('navigation').getByRole('link', { name: 'Administration' })
  await entry.waitFor()
  const toggle = page.getByRole('button', { name: 'Administrator’s panel' })
  const preview = page.getByRole('switch', { name: 'Preview mode' })
  // Customers are not urged to do what only administrators have to.
  const nudge = page.getByText('You’re an administrator, and only a password protects your account.')
  await nudge.waitFor()
  await toggle.click()
  // The panel's own link stays: it is the way back.
  const before = await entry.count()
  await preview.check()
  await expect.poll(() => entry.count()).toBe(before - 1)
  await expect.poll(() => nudge.count()).toBe(0)
  await page.reload()
  await waitForScripts(page)
  expect(await entry.count()).toBe(0)
  await toggle.click()
  await preview.uncheck()
  await expect.poll(() => entry.count()).toBe(before)
}, 60_000)
