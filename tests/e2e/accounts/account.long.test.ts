/** An account's own affairs in Chromium: a code by mail, name, password, devices; a forgotten password without scripts. */
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { linkIn, waitForMail } from '../../support/mail.ts'
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
  await page.getByText('This isn’t the code from the latest e-mail.').waitFor()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Log in' }).click()
  // Nobody has an account with this address: the same code opens one.
  await page.getByRole('checkbox', { name: /I am at least 13/ }).check()
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
  await page.getByText('Your password has been changed.').waitFor()

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
  await devices.getByRole('button', { name: /^Log out/ }).click()
  await devices.nth(1).waitFor({ state: 'detached' })
  await elsewhere.goto(`${product.origin}/en/s`)
  await elsewhere.waitForURL('**/en/login?from=*')
})

test('a forgotten password is set anew without scripts', async () => {
  const page = await (await open({ javaScriptEnabled: false })).newPage()
  await page.goto(`${product.origin}/en/forgot-password`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await page.goto(linkIn(await waitForMail(product.dataDir, email, 'Choose a new password')))
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('At least 10 characters.').waitFor()
  await page.getByLabel('New password').fill(`${password} again`)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor()
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
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByLabel('Night backup', { exact: true }).innerText()).trim()
  expect(key).toMatch(/^wk_/)
  const call = async () =>
    (await fetch(`${product.origin}/api/v1/users/verify`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await call()).toBe(200)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
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
  await page.getByLabel('Company name').fill('Latarnia sp. z o.o.')
  await page.getByLabel('NIP').fill('526-000-12-47')
  await page.getByLabel('Street and number').fill('Prosta 1')
  await page.getByLabel('Postal code').fill('00950')
  await page.getByLabel('Town').fill('Warszawa')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This isn’t a valid NIP. A NIP has ten digits; check for a typo.').waitFor()
  await page.getByLabel('NIP').fill('526-000-12-46')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('status').getByText('PL5260001246').waitFor()

  await page.goto(`${product.origin}/en/account/settings`)
  await waitForScripts(page)
  await page.locator('#delete').getByRole('button').first().click()
  const code = /^\d{4} \d{4}$/m.exec(
    (await waitForMail(product.dataDir, email, 'Confirm that you want to delete your account')).text ?? '',
  )?.[0]
  await page.goto(`${product.origin}/en/account/delete/confirm`)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await page.getByText('A code was sent less than a minute ago.').waitFor()
  await page.getByLabel('Code').fill('00000000')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByText('This isn’t the code from the latest e-mail.').waitFor()
  await page.getByLabel('Code').fill(code ?? '')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByRole('button', { name: 'Send a new code' }).waitFor()
})

test('terms that are not accepted are marked with the other fields of a registration', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/register`)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  const fault = page.getByText(/^Tick this to go on/)
  await fault.waitFor()
  expect(await page.getByText('Fill this in.').count()).toBe(3)
  await page.getByRole('checkbox', { name: /accept the terms/ }).check()
  await fault.waitFor({ state: 'detached' })
  await context.close()
})

describe('somebody who has just registered', () => {
  let page: Page
  const faults: string[] = []
  const language = () => page.evaluate<string>('document.documentElement.lang')
  const account = async () =>
    (await (await page.request.get(`${product.origin}/api/v1/users/verify`)).json()) as Record<string, unknown>

  beforeAll(async () => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'America/New_York' })
    page = await context.newPage()
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${String(error)}`))
    page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()}: ${message.text()}`))
    await page.goto(`${product.origin}/en/register`)
    await page.getByRole('textbox', { name: 'User name', exact: true }).fill('tola')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('tola@example.test')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('checkbox', { name: /accept the terms/ }).check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/en/s')
  })

  test('is told times by the clock of the browser, and in the language last chosen', async () => {
    await expect.poll(async () => (await account())['time_zone'], { timeout: 10_000 }).toBe('America/New_York')
    await page.goto(`${product.origin}/en/account/settings`)
    await waitForScripts(page)
    await page.getByLabel('Language of the panel, e-mails and messages').selectOption('Deutsch')
    await page.waitForURL('**/de/account/settings')
    expect(await account()).toMatchObject({ language: 'de' })
    await page.getByRole('button', { name: 'Konto von tola' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.waitForURL('**/en/account/settings')
    expect(await account()).toMatchObject({ language: 'en' })
    await page.goto(`${product.origin}/en/offers`)
    await page.getByRole('banner').locator('summary', { hasText: 'Language' }).first().click()
    await page.getByRole('banner').getByRole('link', { name: 'Polski' }).first().click()
    await page.waitForURL('**/pl/offers')
    expect(await language()).toBe('pl')
    expect(await account()).toMatchObject({ language: 'pl' })
  })

  test('reads what was decided about cookies before', async () => {
    const context = await browser.newContext({ storageState: await page.context().storageState(), locale: 'en-GB' })
    const other = await context.newPage()
    await other.goto(`${product.origin}/en/account/settings/consents`)
    const cookies = other.getByRole('listitem').filter({ hasText: 'Cookies' }).first()
    await cookies.getByText('Not asked yet in this browser').waitFor()
    await other.getByRole('button', { name: 'Only necessary' }).click()
    await cookies.getByText('In this browser: Only necessary').waitFor()
    // It is in the list too, without a reload.
    await other.getByRole('row', { name: /Cookies.*Only necessary/ }).waitFor()
    await other.reload()
    await cookies.getByText('In this browser: Only necessary').waitFor()
    await context.close()
  })

  test.each(['/en/country', '/pl/country', '/de/account/settings/invoice', '/pl/account/settings/invoice'])(
    'the server and the browser list the countries of %s alike',
    async (path) => {
      faults.length = 0
      await page.goto(product.origin + path)
      await waitForScripts(page)
      expect(await page.locator('option[value=HK]').count()).toBe(1)
      expect(faults).toEqual([])
    },
  )

  test('an address is asked about once it is typed, and not with every letter', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/domains/availability')) asked.push(request.postDataJSON().subdomain)
    })
    await page.goto(`${product.origin}/en/create?product=GRASS`)
    await waitForScripts(page)
    await page.getByLabel('Server name').click() // a suggestion stands there, which is typed over
    await page.keyboard.type('slowly typed', { delay: 40 })
    await page.keyboard.press('Tab')
    await page.getByText('slowly-typed.localhost is available').waitFor()
    // Of the suggestion too, but of nothing in between.
    expect(asked.filter((name) => name.startsWith('slow'))).toEqual(['slowly-typed'])
  })

  test('an order before the address is confirmed is refused as often as it is sent, and stays as it was', async () => {
    faults.length = 0
    await page.goto(`${product.origin}/en/create?product=FREE&name=Early%20Bird`)
    await waitForScripts(page)
    const send = page.getByRole('button', { name: 'Create for free' })
    const isRefusal = (answer: Response) => answer.request().method() === 'POST' && answer.status() === 403
    for (const _ of ['once', 'again']) await Promise.all([page.waitForResponse(isRefusal), send.click()])
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByLabel('Server name').inputValue()).toBe('Early Bird')
    expect(faults.filter((fault) => !fault.includes('403'))).toEqual([])
  })

  test('an engine that is away is named where it was asked for', async () => {
    const missing = 'Paper can’t be installed right now'
    await page.goto(`${product.origin}/en/create?engine=paper`)
    expect(await page.getByText(missing).count()).toBe(1)
    await page.goto(`${product.origin}/en/offers/create?engine=paper`)
    expect(await page.getByText(missing).count()).toBe(1)
    await page.goto(`${product.origin}/en/offers/create?engine=flying-squid`)
    expect(await page.getByText('Free, 30 days, flying-squid').count()).toBe(1)
  })

  test.each([
    ['/en/create', 'Server name'],
    ['/en/account/settings', 'User name'],
    ['/en/contact', 'Subject'],
  ])('what is pasted on %s before it has come to life stays', async (path, label) => {
    await keepsEarlyTyping(page, path, label)
  })
})

test.each([
  ['/en/login', 'User name or e-mail'],
  ['/en/register', 'User name'],
])('what is pasted on %s before it has come to life stays', async (path, label) => {
  const context = await open()
  await keepsEarlyTyping(await context.newPage(), path, label)
  await context.close()
})

/** Holds the scripts back until something is in a field. */
async function keepsEarlyTyping(page: Page, path: string, label: string): Promise<void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const scripts = /\/assets\/.*\.js$/
  await page.route(scripts, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('about:blank')
  await page.evaluate(`location.assign('${product.origin}${path}')`).catch(() => undefined)
  const field = page.getByLabel(label, { exact: true }).first()
  const terms = page.getByRole('checkbox', { name: /terms/ })
  const hasTerms = (await terms.count()) > 0
  if (hasTerms) await terms.check()
  await field.fill('Pasted in a hurry')
  const files = page.locator('input[type=file]').first()
  const takesFiles = (await files.count()) > 0
  if (takesFiles)
    await files.setInputFiles({ name: 'early.txt', mimeType: 'text/plain', buffer: Buffer.from('in a hurry') })
  release()
  await waitForScripts(page)
  await page.unroute(scripts)
  // Whatever draws the page anew draws the same.
  await page.keyboard.press('Tab')
  await expect.poll(() => field.inputValue()).toBe('Pasted in a hurry')
  if (takesFiles) await page.getByText('early.txt').waitFor()
  if (hasTerms) expect(await terms.isChecked()).toBe(true)
}
