/** Discord in Chromium, with the stand-in that the demo starts: registering, logging in, linking, and what stops it. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
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

const open = (options: { javaScriptEnabled?: boolean } = {}): Promise<BrowserContext> =>
  browser.newContext({ locale: 'en-GB', ...options })
const settings = () => `${product.origin}/en/account/settings`
const verify = async (page: Page) => {
  const answer = await page.request.get(`${product.origin}/api/v1/users/verify`)
  return (await answer.json()) as { username: string; referrer_code_id: string | null }
}
/** At the stand-in: who agrees. An address is that of an account of one's own. */
async function agree(page: Page, who: string) {
  await page.getByRole('heading', { name: /wants to know you/ }).waitFor()
  if (who.includes('@')) {
    await page.getByRole('radio', { name: 'Another account' }).check()
    await page.getByLabel('Address of another account').fill(who)
  } else await page.getByRole('radio', { name: who }).check()
  await page.getByRole('button', { name: 'Authorize' }).click()
}
const acceptTerms = async (page: Page) => {
  await page.getByRole('heading', { name: 'One more thing' }).waitFor()
  await page.getByRole('checkbox', { name: /I am at least 13/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
}
async function logIn(page: Page, login: string, password: string) {
  await page.getByLabel('User name or e-mail').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a visitor registers by Discord, lands where they were going, counts as invited, and logs in again', async () => {
  const page = await (await open()).newPage()
  const demo = await (await open()).newPage()
  await demo.goto(`${product.origin}/en/login`)
  await waitForScripts(demo)
  await logIn(demo, 'demo', product.secrets.demoPassword)
  await demo.waitForURL('**/en/s')
  await demo.goto(`${product.origin}/en/account/referrals`)
  const link = await demo.locator('#invite').getByText('?ref=').innerText()

  await page.goto(link)
  await waitForScripts(page)
  await page.goto(settings())
  await page.waitForURL('**/en/login?from=*')
  await waitForScripts(page)
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(page, 'zosia.k@example.test')
  await acceptTerms(page)
  await page.waitForURL('**/en/account/settings')
  await page.locator('#connected').getByRole('button', { name: 'Disconnect' }).waitFor()
  const deadline = Date.now() + 10_000
  while ((await verify(page)).referrer_code_id === null) {
    if (Date.now() > deadline) throw new Error('nobody was told who had invited')
    await page.waitForTimeout(50)
  }

  await page.context().clearCookies()
  await page.goto(`${product.origin}/en/login?from=%2Fen%2Fcreate`)
  await page.getByText('Last used').waitFor()
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(page, 'zosia.k@example.test')
  await page.waitForURL('**/en/create')
  expect(await verify(page)).toMatchObject({ username: 'zosia_k' })
})

test('a customer links Discord in the account, unlinks it, and logs in by it in between', async () => {
  const page = await (await open()).newPage()
  await page.goto(`${product.origin}/en/login?from=%2Fen%2Faccount%2Fsettings`)
  await waitForScripts(page)
  await logIn(page, 'demo', product.secrets.demoPassword)
  await page.waitForURL('**/en/account/settings')
  await waitForScripts(page)
  const section = page.locator('#connected')
  await section.getByRole('button', { name: 'Connect' }).click()
  await agree(page, 'Lantern Keeper')
  await page.waitForURL('**/en/account/settings#connected')
  await section.getByText('Lantern Keeper').waitFor()

  const other = await (await open()).newPage()
  await other.goto(`${product.origin}/en/login`)
  await other.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(other, 'Lantern Keeper')
  await other.waitForURL('**/en/s')
  expect(await verify(other)).toMatchObject({ username: 'demo' })

  await waitForScripts(page)
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await section.getByRole('button', { name: 'Connect' }).waitFor()
})

test('a Discord account with the address of a customer is linked once they have logged in, without scripts too', async () => {
  const page = await (await open({ javaScriptEnabled: false })).newPage()
  await page.goto(`${product.origin}/en/login`)
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(page, 'Demo')
  await page.getByRole('heading', { name: 'We know this address' }).waitFor()
  await page.getByRole('link', { name: 'Log in with your password' }).click()
  await logIn(page, 'demo', product.secrets.demoPassword)
  await page.waitForURL('**/en/s')
  await page.context().clearCookies()
  await page.goto(`${product.origin}/en/login`)
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(page, 'Demo')
  await page.waitForURL('**/en/s')
  expect(await verify(page)).toMatchObject({ username: 'demo' })
})

test('without scripts somebody new registers, after being asked for the terms again', async () => {
  const page = await (await open({ javaScriptEnabled: false })).newPage()
  await page.goto(`${product.origin}/en/register`)
  await page.getByRole('link', { name: 'Sign up with Discord' }).click()
  await agree(page, 'no-scripts@example.test')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Tick this to go on: without your consent we can’t open an account.').waitFor()
  await acceptTerms(page)
  await page.waitForURL('**/en/s')
})

test('who says no at Discord, or has no verified address there, is told so and goes on', async () => {
  const page = await (await open()).newPage()
  await page.goto(`${product.origin}/en/login?from=%2Fen%2Fcreate`)
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'You didn’t give permission' }).waitFor()
  await page.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(page, 'night_owl')
  await page.getByText('Discord hasn’t verified your e-mail address.').waitFor()
  // The way is not forgotten on it.
  const onward = await page.getByRole('link', { name: 'Log in with your password' }).getAttribute('href')
  expect(onward).toBe('/en/login?from=%2Fen%2Fcreate')
})

test('a forged, a foreign and a used address of return sign nobody in', async () => {
  const [victim, attacker] = [await (await open()).newPage(), await (await open()).newPage()]
  await victim.goto(`${product.origin}/en/login/discord?code=made-up&state=made-up`)
  await victim.getByRole('heading', { name: 'That didn’t work' }).waitFor()

  let back = ''
  attacker.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('/login/discord?')) back ||= request.url()
  })
  await attacker.goto(`${product.origin}/en/login`)
  await attacker.getByRole('link', { name: 'Continue with Discord' }).click()
  await agree(attacker, 'attacker@example.test')
  await acceptTerms(attacker)
  await attacker.waitForURL('**/en/s')
  expect(back).toContain('state=')
  for (const page of [victim, attacker]) {
    if (page === attacker) await attacker.context().clearCookies({ name: /^ws_(access|refresh)$/ })
    await page.goto(back)
    await page.getByRole('heading', { name: 'That didn’t work' }).waitFor()
    await page.goto(settings())
    await page.waitForURL('**/en/login?from=*')
  }
})
