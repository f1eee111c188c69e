/** Second factors in Chromium: an app's codes, recovery codes, a passkey of a virtual authenticator, and proofs. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { createAuthenticatorApp } from '../../support/authenticator-app.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { createTypist } from '../../support/keyboard.ts'

let api: TestApi
let browser: Browser
let origin: string
beforeAll(async () => {
  api = await startTestApi({}, { pages: true })
  // Passkeys belong to a site with a name; that it is this one, the settings say.
  origin = `http://localhost:${new URL(api.origin).port}`
  Object.assign(api.context.settings, { PUBLIC_URL: origin })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

const open = (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> =>
  // Our content security policy would keep axe out.
  browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options })

/** A browser in which somebody is signed in. */
async function enter({ user, password }: Caller): Promise<Page> {
  const context = await open()
  const data = { login: user.email, password }
  await context.request.post(`${origin}/api/v1/users/login/local`, { data, headers: { origin } })
  return context.newPage()
}
async function logIn(page: Page, { user, password }: Caller): Promise<void> {
  await page.goto(`${origin}/en/login`)
  await page.getByLabel('User name or e-mail').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
const security = (page: Page) => page.goto(`${origin}/en/account/settings/security`)
const recoveryCodes = (page: Page) => page.getByRole('group', { name: /^Your recovery codes/ }).getByRole('listitem')

test('an app is set up by its code, then asked for at every login; a recovery code stands in for it', async () => {
  const owner = await api.signUp()
  const page = await enter(owner)
  await security(page)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
  const secret = (await page.locator('#two-step code').innerText()).replaceAll(/\s/g, '')
  const address = new URL((await page.getByRole('link', { name: 'open the app' }).getAttribute('href')) ?? '')
  expect(address.searchParams.get('secret')).toBe(secret)
  expect(await findFaults(page)).toEqual([])
  const app = createAuthenticatorApp(secret)
  const code = page.getByLabel('The six digits shown in the app')
  await code.fill('12345')
  await page.getByRole('button', { name: 'Switch it on' }).click()
  await page.getByText('Enter six digits.').waitFor()
  const first = app.next()
  await code.fill(`${first.slice(0, 3)} ${first.slice(3)}`)
  await page.getByRole('button', { name: 'Switch it on' }).click()
  await recoveryCodes(page).nth(9).waitFor()
  const codes = await recoveryCodes(page).allInnerTexts()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 codes left.').waitFor()

  const elsewhere = await (await open()).newPage()
  await elsewhere.goto(`${origin}/en/login`)
  await waitForScripts(elsewhere)
  await logIn(elsewhere, owner)
  await elsewhere.waitForURL('**/en/login/second-step')
  expect(await findFaults(elsewhere)).toEqual([])
  const second = elsewhere.getByLabel('Code from your app')
  await second.fill(first) // used up by the set-up
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await elsewhere.getByText(/^This code is wrong/).waitFor()
  await second.fill(app.next())
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await elsewhere.waitForURL('**/en/s')

  // Without scripts, and without the phone; the page that was asked for is kept.
  const plain = await (await open({ javaScriptEnabled: false })).newPage()
  await plain.goto(`${origin}/en/create?product=GRASS`)
  expect(plain.url()).toContain('/en/login?from=')
  await plain.getByLabel('User name or e-mail').fill(owner.user.email)
  await plain.getByLabel('Password', { exact: true }).fill(owner.password)
  await plain.getByRole('button', { name: 'Log in', exact: true }).click()
  await plain.getByLabel('Code from your app').fill('not-a-code')
  await plain.getByRole('button', { name: 'Log in', exact: true }).click()
  await plain.getByText(/^Six digits from your app/).waitFor()
  await plain.getByLabel('Code from your app').fill(codes[0] ?? '')
  await plain.getByRole('button', { name: 'Log in', exact: true }).click()
  expect(new URL(plain.url()).pathname).toBe('/en/create')
})

test('a passkey signs in without a name, is a second step too, and is renamed and removed', async () => {
  const owner = await api.signUp()
  const page = await enter(owner)
  // Its owner is always there, and would take what is offered before the button is pressed.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await addAuthenticator(page)
  await security(page)
  await waitForScripts(page)
  const keys = page.locator('#passkeys').getByRole('listitem')
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill(name)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await add('Lantern')
  await recoveryCodes(page).nth(9).waitFor()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  expect(await keys.count()).toBe(1)
  await keys.getByText('never used').waitFor()
  await add('Lantern again') // the same authenticator
  await page.getByText('This device already has a passkey for your account.').waitFor()
  await page.locator('#passkeys').getByRole('button', { name: 'Cancel' }).click()

  await page.context().clearCookies()
  await page.goto(`${origin}/en/login?from=%2Fen%2Faccount%2Fsettings%2Fsecurity`)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/en/account/settings/security')
  await keys.getByText('last used').waitFor()

  await page.context().clearCookies()
  await page.goto(`${origin}/en/login`)
  await waitForScripts(page)
  await logIn(page, owner)
  await page.waitForURL('**/en/login/second-step')
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/en/s')

  await security(page)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Rename Lantern' }).click()
  await page.getByLabel('Name of the passkey').fill('Desk')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^It’s your only second step/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await keys.first().waitFor({ state: 'detached' })
  await logInAnew(owner)
})

async function addAuthenticator(page: Page) {
  const chrome = await page.context().newCDPSession(page)
  await chrome.send('WebAuthn.enable')
  const { authenticatorId } = await chrome.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { chrome, authenticatorId }
}

test('a passkey is offered where the name is typed, and signs in without a click; where to, is kept', async () => {
  const owner = await api.signUp()
  const page = await enter(owner)
  const { chrome, authenticatorId } = await addAuthenticator(page)
  await security(page)
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of the passkey').fill('Lantern')
  await page.getByRole('button', { name: 'Continue' }).click()
  await recoveryCodes(page).nth(9).waitFor()

  await page.context().clearCookies()
  await chrome.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${origin}/en/login?from=%2Fen%2Faccount%2Fsettings%2Fsecurity`)
  await waitForScripts(page)
  expect(await page.getByLabel('User name or e-mail').getAttribute('autocomplete')).toBe('username webauthn')
  expect(asked.filter((path) => path.includes('passkey'))).toEqual([]) // nobody has stirred
  const begun = page.waitForResponse('**/api/v1/users/login/passkey/begin')
  await page.getByLabel('User name or e-mail').focus()
  await begun
  expect(new URL(page.url()).pathname).toBe('/en/login')
  // The owner takes it: the question of a page that is looked at again is answered at once.
  await chrome.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await page.waitForURL('**/en/account/settings/security')
})

async function logInAnew(owner: Caller): Promise<void> {
  const page = await (await open()).newPage()
  await page.goto(`${origin}/en/login`)
  await waitForScripts(page)
  await logIn(page, owner)
  await page.waitForURL('**/en/s')
}

test('a session left open is asked once before what is dangerous, by keyboard too; then it goes on by itself', async () => {
  const owner = await api.signUp()
  const page = await enter(owner)
  await page.goto(`${origin}/en/account/settings`)
  await waitForScripts(page)
  const longAgo = new Date(Date.now() - 16 * 60_000)
  await api.context.db
    .updateTable('sessions')
    .set({ proven_at: longAgo })
    .where('user_id', '=', owner.user.id)
    .execute()
  const typist = createTypist(page)
  await typist.tabTo(page.getByRole('button', { name: 'Send me a code to delete it' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const password = dialog.getByLabel('Your password')
  await password.waitFor()
  expect(await findFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByText('First confirm it’s you.').waitFor()

  await page.getByRole('button', { name: 'Send me a code to delete it' }).click()
  await password.waitFor()
  await page.keyboard.type('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password isn’t right.').waitFor()
  await password.fill(owner.password)
  await page.keyboard.press('Enter')
  await page.getByText(/^We’ve sent a code to/).waitFor()
  expect(await dialog.isVisible()).toBe(false)
})
