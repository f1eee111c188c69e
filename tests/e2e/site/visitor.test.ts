/** What the server decides for a visitor before a page is drawn, and the newsletter without scripts. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
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

test.runIf(isLong)('the newsletter is asked for, confirmed and left without scripts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const heading = () => page.locator('main h1').innerText()
  const press = () => page.click('main form[method=post] button[type=submit]')

  await page.goto(`${product.origin}/pl/newsletter`)
  await page.fill('input[name=email]', 'not an address')
  await press()
  expect(await page.locator('main form').innerText()).toContain('To nie jest adres e-mail.')
  expect(await page.inputValue('input[name=email]')).toBe('not an address')
  await page.fill('input[name=email]', 'reader@example.test')
  await press()
  expect(await heading()).toBe('Zajrzyj do skrzynki')

  const mail = await waitForMail(product.dataDir, 'reader@example.test')
  const confirm = linkIn(mail)
  await page.goto(confirm)
  expect(await heading()).toBe('Wysyłać Ci newsletter?') // opening the link alone does nothing
  await press()
  expect(await heading()).toBe('Jesteś na liście')
  await page.goto(confirm)
  await press()
  expect(await heading()).toBe('Jesteś już na liście')

  // As a mail program does it, when its own button is pressed.
  const header = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
  const left = await fetch(header.slice(1, -1), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(left.status).toBe(200)
  await page.goto(confirm)
  await press()
  expect(await heading()).toBe('Ten link nie działa')
  await page.goto(`${product.origin}/de/newsletter/unsubscribe?code=forged`)
  await press()
  expect(await heading()).toBe('Dieser Link funktioniert nicht')
  await context.close()
})

test('an order that needs a confirmed e-mail waits for it, and goes on as it was left', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const email = 'hasty@example.test'
  const account = { username: 'hasty', email, password: 'ordered before reading', language: 'en', accepted_tos: true }
  const answer = await context.request.post(`${product.origin}/api/v1/users`, { data: account, headers })
  expect(answer.ok()).toBe(true)
  const page = await context.newPage()
  await page.goto(`${product.origin}/en/create?product=FREE`)
  await waitForScripts(page)
  await page.getByRole('textbox', { name: 'Server name' }).fill('Hasty hill')
  await page.getByRole('button', { name: 'Create for free' }).click()
  await page.getByText('The server wasn’t created', { exact: true }).waitFor()

  // The mail is often opened in another tab.
  const other = await context.newPage()
  await other.goto(linkIn(await waitForMail(product.dataDir, email)))
  await other.getByRole('link', { name: 'Continue your order' }).click()
  await other.waitForURL(/\/en\/create/)
  expect(await other.getByRole('textbox', { name: 'Server name' }).inputValue()).toBe('Hasty hill')
  await other.getByRole('button', { name: 'Create for free' }).click()
  await other.waitForURL(/\/s\//)
  await context.close()
})

test('an administrator sets a flag; a bad value cannot be saved; pages have it in their first answer', async () => {
  const context = await browser.newContext()
  const answer = await context.request.post(`${product.origin}/api/v1/users/login/local`, {
    data: { login: 'admin', password: product.secrets.adminPassword },
    headers: { origin: product.origin },
  })
  expect(answer.ok()).toBe(true)
  const page = await context.newPage()
  const text = 'The lantern festival has begun'
  const firstAnswer = async () => (await fetch(`${product.origin}/en`)).text()
  expect(await firstAnswer()).not.toContain(text)

  await page.goto(`${product.origin}/en/admin/flags`, { waitUntil: 'networkidle' })
  await page.click('a:has-text("panel-announcement")')
  const save = page.locator('main form button[type=submit]')
  await page.getByLabel('Link to the community').fill('https://example.test/chat')
  await page.locator('main form').getByText('Fill this in.').first().waitFor()
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  // One language is enough.
  await page.getByLabel('Text · English').fill(text)
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'panel-announcement is on' }).press('Space')
  await page.getByText('admin', { exact: true }).first().waitFor()
  await expect.poll(firstAnswer, { timeout: 15_000 }).toContain(text)

  // Who reads Polish is told something else.
  await page.getByRole('button', { name: 'Add a rule' }).click()
  const rule = page.getByRole('group', { name: 'Rules' }).getByRole('listitem').first()
  await rule.getByText('Choose at least one condition.').waitFor()
  for (const name of ['English', 'Polski', 'Deutsch']) await rule.getByLabel(`Text · ${name}`).fill('Tylko dziś')
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await rule.getByRole('checkbox', { name: 'Polski' }).check()
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect
    .poll(async () => (await fetch(`${product.origin}/pl`)).text(), { timeout: 15_000 })
    .toContain('Tylko dziś')
  expect(await firstAnswer()).toContain(text)
  await context.close()
})
