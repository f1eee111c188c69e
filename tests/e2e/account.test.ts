/** An account's own affairs in Chromium: a code by mail, name, password, devices; a forgotten password without scripts. */
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../support/browser.ts'
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

const email = 'ola.nowak@example.test'
const password = 'a lantern in the window'
const open = async (options: { javaScriptEnabled?: boolean } = {}): Promise<BrowserContext> =>
  browser.newContext({ locale: 'en-GB', ...options })

test('an account is opened by a code, gets a name and a password, and signs a device out', async () => {
  const context = await open()
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/login`)
  await waitForScripts(page)
  await page.getByRole('link', { name: 'Log in with a code by e-mail' }).click()
  // The address changes before the page does, and the login page has a field of that name too.
  await page.getByRole('heading', { name: 'Log in by e-mail' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me the code' }).click()
  const code = /^\d{4} \d{4}$/m.exec((await waitForMail(product.dataDir, email)).text ?? '')?.[0] ?? ''
  await page.getByLabel('Code').fill('00000000')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('This is not the code from the newest mail.').waitFor()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Log in' }).click()
  // Nobody has an account with this address: the same code opens one.
  await page.getByRole('checkbox', { name: /I am over 13/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/en/s')

  await page.goto(`${product.origin}/en/account/settings`)
  await waitForScripts(page)
  await page.getByLabel('User name').fill('ola_nowak_1')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Your password is changed.').waitFor()

  const elsewhere = await (await open()).newPage()
  await elsewhere.goto(`${product.origin}/en/login`)
  await waitForScripts(elsewhere)
  await elsewhere.getByLabel('User name or e-mail').fill('ola_nowak_1')
  await elsewhere.getByLabel('Password', { exact: true }).fill(password)
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await elsewhere.waitForURL('**/en/s')

  await page.reload()
  const devices = page.locator('#devices').getByRole('listitem')
  await devices.nth(1).waitFor()
  expect(await devices.count()).toBe(2)
  await devices.getByRole('button', { name: /^Sign out/ }).click()
  await devices.nth(1).waitFor({ state: 'detached' })
  await elsewhere.goto(`${product.origin}/en/s`)
  await elsewhere.waitForURL('**/en/login?from=*')
})

test('a forgotten password is set anew without scripts', async () => {
  const page = await (await open({ javaScriptEnabled: false })).newPage()
  await page.goto(`${product.origin}/en/forgot-password`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('heading', { name: 'Look in your inbox' }).waitFor()
  await page.goto(linkIn(await waitForMail(product.dataDir, email, 'Choose a new password')))
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('At least 10 characters.').waitFor()
  await page.getByLabel('New password').fill(`${password} again`)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
  await page.getByRole('link', { name: 'Log in' }).last().click()
  await page.getByLabel('User name or e-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(`${password} again`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/en/s')
})

test('an API key is shown once, opens the API, and no more once it is revoked', async () => {
  const page = await (await open()).newPage()
  await page.goto(`${product.origin}/en/login`)
  await waitForScripts(page)
  await page.getByLabel('User name or e-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(`${password} again`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/en/s')
  await page.goto(`${product.origin}/en/account/settings/api-keys`)
  await waitForScripts(page)
  await page.getByLabel('Name').fill('Night backup')
  await page.getByLabel('See the account').check()
  await page.getByRole('button', { name: 'Make key' }).click()
  const key = (await page.getByLabel('Night backup', { exact: true }).innerText()).trim()
  expect(key).toMatch(/^wk_/)
  const call = async () =>
    (await fetch(`${product.origin}/api/v1/users/verify`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await call()).toBe(200)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.reload()
  await page.locator('#keys').getByText('Night backup', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(key)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Revoke Night backup' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  expect(await call()).toBe(401)
})

test('an account is to be deleted by a mailed code, and is kept after all; invoices get a buyer', async () => {
  const page = await (await open()).newPage()
  await page.goto(`${product.origin}/en/login`)
  await waitForScripts(page)
  await page.getByLabel('User name or e-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(`${password} again`)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/en/s')

  await page.goto(`${product.origin}/en/account/settings/invoice`)
  await waitForScripts(page)
  await page.getByLabel('Country').selectOption('PL')
  await page.getByLabel('Name of the company').fill('Latarnia sp. z o.o.')
  await page.getByLabel('NIP').fill('526-000-12-47')
  await page.getByLabel('Street and number').fill('Prosta 1')
  await page.getByLabel('Postal code').fill('00950')
  await page.getByLabel('Town').fill('Warszawa')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Ten digits; the last one does not match the others.').waitFor()
  await page.getByLabel('NIP').fill('526-000-12-46')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('status').getByText('PL5260001246').waitFor()

  await page.goto(`${product.origin}/en/account/settings`)
  await waitForScripts(page)
  await page.locator('#delete').getByRole('button').first().click()
  const code = /^\d{4} \d{4}$/m.exec(
    (await waitForMail(product.dataDir, email, 'Confirm that your account is to be deleted')).text ?? '',
  )?.[0]
  await page.goto(`${product.origin}/en/account/delete/confirm`)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await page.getByText('A code was sent less than a minute ago.').waitFor()
  await page.getByLabel('Code').fill('00000000')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('This is not the code from the newest mail.').waitFor()
  await page.getByLabel('Code').fill(code ?? '')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByRole('button', { name: 'Send a new code' }).waitFor()
})
