/**
 * Forms with many fields in Chromium, on a low screen: their buttons stay in sight, and what is asked excludes nonsense.
 * Also how the page of a new server is first met.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { type TestProduct, useProduct } from '../../support/product.ts'
import { order } from '../../support/servers.ts'

let product: TestProduct
let browser: Browser
let page: Page
let serverId: string

beforeAll(async () => {
  product = await useProduct()
  const { login, password } = await product.signUp()
  const owner = createCookieClient(product.origin).call
  const user = await owner(loginLocal, { body: { login, password } })
  const walletId = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  serverId = (await owner(createServer, { body: order(walletId, '1.21.4', { requested_billing_services: ['FREE'] }) }))
    .id

  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1366, height: 768 } })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
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
const dialog = () => page.getByRole('dialog')
const isInSight = async (name: string) => {
  const box = await dialog().getByRole('button', { name, exact: true }).boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= 768
}
/** The lines on which fields stand, whatever is written above and below them; looked at again while a dialog still moves. */
const linesOf = async (labels: string[]) => {
  const boxes = await Promise.all(labels.map((label) => dialog().getByLabel(label, { exact: true }).boundingBox()))
  return [...new Set(boxes.map((box) => box?.y))]
}

test('a schedule: times are typed only where none of the usual ones fits, and opposites exclude each other', async () => {
  await show(`/s/${serverId}/schedules`)
  await page.getByRole('button', { name: 'Add a schedule' }).click()
  await expect.poll(async () => (await dialog().boundingBox())?.width).toBe(640)
  await expect.poll(() => isInSight('Save')).toBe(true)
  const expression = dialog().getByRole('textbox', { name: /cron/i })
  expect(await expression.count()).toBe(0)
  await dialog().getByLabel('How often').selectOption({ index: 4 })
  await dialog().getByLabel('Name').fill('Dawn')
  for (const wrong of ['at dawn', '99 5 * * *']) {
    await expression.fill(wrong)
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await dialog().getByText('Five parts', { exact: false }).waitFor()
  }
  await expression.fill('30 5 * * *')

  await dialog().getByLabel('Players', { exact: true }).selectOption('players')
  await dialog().getByLabel('Game').selectOption('running')
  await dialog().getByLabel('Game').selectOption('stopped')
  expect(await dialog().getByLabel('Players', { exact: true }).isDisabled()).toBe(true)
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('the game is off').waitFor()
  expect(await page.getByText('someone is playing').count()).toBe(0)
  await page.getByText('Every day at 5:30').waitFor()

  // It is switched off where it stands.
  await page.getByText('Hasn’t run yet.').waitFor()
  await page.getByRole('switch', { name: 'Dawn: switched on' }).click({ force: true })
  await page.getByRole('switch', { name: 'Dawn: switched off', checked: false }).waitFor()
  await page.reload()
  await page.getByRole('switch', { name: 'Dawn: switched off', checked: false }).waitFor()

  await page.getByRole('button', { name: 'Add a schedule' }).click()
  await dialog().getByLabel('Name').fill('Noon')
  await dialog()
    .getByText(/^Time zone: [A-Z]/)
    .waitFor()
  await dialog().getByLabel('Time', { exact: true }).fill('')
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  await dialog().getByText('Fill this in.').waitFor()
  await dialog().getByLabel('How often').selectOption('weekly')
  await dialog().getByLabel('Day', { exact: true }).selectOption('Wednesday')
  await dialog().getByLabel('Time', { exact: true }).fill('12:05')
  await expect.poll(() => linesOf(['How often', 'Day', 'Time'])).toHaveLength(1)
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByText('Every Wednesday at 12:05').waitFor()
})

test('whoever may have no website reads what one is, and asks for it', async () => {
  await show('/en/s')
  await page.getByRole('navigation').getByRole('link', { name: 'Websites' }).click()
  await page.getByRole('link', { name: 'Ask for a website' }).click()
  await page.waitForURL('**/account/support/new?*')
  expect(await page.getByLabel('Subject').inputValue()).toBe('A website for my server')
  expect(await page.getByLabel('What is it about?').inputValue()).toBe('offer')
})

test('an item of a shop: its buttons stay in sight, its fields on a line', async () => {
  await show(`/s/${serverId}/shop`)
  await page.getByRole('button', { name: 'Add an item' }).first().click()
  await expect.poll(async () => (await dialog().boundingBox())?.width).toBe(640)
  await expect.poll(() => isInSight('Save')).toBe(true)
  await expect.poll(() => linesOf(['Price in PLN, with all taxes', 'Category'])).toHaveLength(1)
})

test('a server that is being opened is seen in outline within the frame; a free one offers what can be done', async () => {
  await show('/en/s')
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/s\/[^/]+\.data/, async (route) => {
    await isAsked
    await route.continue()
  })
  await page.getByRole('link', { name: 'Meadow' }).first().click()
  await page.getByRole('status', { name: 'Loading server…' }).waitFor()
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Marketplace' }).isVisible()).toBe(true)
  answer()
  await page.getByRole('heading', { level: 1, name: 'Meadow' }).waitFor()
  await page.getByText(/You can renew it from \d/).waitFor()
  expect(await page.getByRole('link', { name: 'Renew', exact: true }).count()).toBe(0)
})
