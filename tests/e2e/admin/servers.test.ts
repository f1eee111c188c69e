/** An administrator at work on servers in Chromium: finds one, disables it, sets its limits, adds a cluster, looks at the health. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, getServer, startServer } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { isLong } from '../../support/long.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let context: BrowserContext
let page: Page
let owner: ApiClient
let serverId: string
let address: string

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  owner = createCookieClient(product.origin).call
  const user = await owner(loginLocal, { body: { login, password } })
  const walletId = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  // A free server has a name that is made up for it.
  const more = { name: 'Tended garden', requested_billing_services: ['FREE'] }
  const server = await owner(createServer, { body: order(walletId, '1.21.4', more) })
  serverId = server.id
  address = server.domains[0]!.fqdn

  browser = await openBrowser()
  context = await browser.newContext({ locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const data = { login: 'admin@wakestone.local', password: product.secrets.adminPassword }
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data, headers })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

async function show(path: string): Promise<void> {
  await page.goto(product.origin + path)
  await waitForScripts(page)
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a server is found by its address, disabled with a reason, and enabled again', async () => {
  await show('/en/admin')
  await page.getByRole('searchbox').fill(address)
  await button('Search').click()
  await page.getByRole('link', { name: 'Tended garden' }).click()
  await page.getByRole('heading', { name: 'Tended garden', level: 1 }).waitFor()

  await page.getByRole('switch', { name: 'Disabled' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('nobody can start it').waitFor()
  await dialog.getByLabel('Reason').fill('Sends spam')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Disabled by an administrator').waitFor()
  const refused = await owner(startServer, { params: { id: serverId } }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ body: { error: 'server_is_disabled' } })

  await page.getByRole('switch', { name: 'Disabled' }).click()
  await dialog.getByLabel('Reason').fill('A mistake')
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Disabled by an administrator').waitFor({ state: 'detached' })
})

test.runIf(isLong)(
  'its limits are set beside those of its plan, and what is wrong is said as it is typed',
  async () => {
    await show(`/en/admin/servers/${serverId}`)
    const field = page.getByLabel('Set by administrators')
    await field.fill('{"memory": 1}')
    await page.getByText('memory', { exact: true }).waitFor()
    await field.fill('{"ports": 2}')
    await button('Save').click()
    await expect
      .poll(async () => (await owner(getServer, { params: { id: serverId } })).parameters.limits.ports)
      .toBe(2)
  },
)

test.runIf(isLong)('a cluster is added, closed until it is opened, and seen in the list', async () => {
  await show('/en/admin/clusters')
  await page.getByRole('link', { name: 'Add a cluster' }).click()
  await page.getByLabel('ID', { exact: true }).fill('tended')
  await page.getByLabel('Zone').fill('tended.test')
  await page.getByLabel('Name').fill('Tended field')
  await button('Add a cluster').click()
  await page.getByRole('heading', { name: 'Tended field' }).waitFor()
  await page.getByText('No new servers can be ordered').waitFor()
  await button('Open').click()
  await page.getByText('New servers can be ordered here').waitFor()
  await button('Drain').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('tended')
  await dialog.getByRole('button', { name: 'Drain' }).click()
  await page.getByText('All servers here are stopped').waitFor()
  await page.getByRole('link', { name: 'All clusters' }).click()
  await page.getByRole('row', { name: /Tended field.*Draining/ }).waitFor()
})

test.runIf(isLong)('the health page is reached from the palette, and names what it measures', async () => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Health')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/en/admin/health')
  // Among those that have nothing to do, unless it is at work just now.
  await page.getByText('reconcile-server').waitFor({ state: 'attached' })
  await page.getByRole('heading', { name: 'Late backups' }).waitFor()
})

test.runIf(isLong)('the floating panel leads from a server to its page for administrators', async () => {
  await show(`/s/${serverId}`)
  await button('Administrator’s panel').click()
  await page.getByRole('link', { name: 'This server, as administrators see it' }).click()
  await page.waitForURL(`**/admin/servers/${serverId}`)
})
