/** A server shared between two browsers: invited by mail, accepted, used as far as was chosen, and revoked. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { createCookieClient } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { linkIn, waitForMail } from '../../support/mail.ts'
import { order } from '../../support/servers.ts'
import { type Customer, type TestProduct, useProduct } from '../../support/product.ts'

let product: TestProduct
let browser: Browser
let serverId: string
let login: Customer
beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  login = await product.signUp()
  const { call } = createCookieClient(product.origin)
  const user = await call(loginLocal, { body: { login: login.login, password: login.password } })
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'misty-allay', subdomain: 'shared-allay', requested_billing_services: ['FREE'] }
  serverId = (await call(createServer, { body: order(wallet, '1.21.4', more) })).id
  for (const deadline = Date.now() + 120_000; ; await delay(200)) {
    const { game_status } = await call(getServerStatus, { params: { id: serverId } })
    if (game_status === 'IRL_IDLE') break
    if (Date.now() > deadline) throw new Error(`the server is ${game_status}`)
  }
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const address = 'helper@example.test'
async function newPage(path: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(product.origin + path)
  await waitForScripts(page)
  return page
}

test('a guest gets what was chosen, and loses it while looking at it', async () => {
  const owner = await newPage(`/en/login?from=/s/${serverId}/settings/access`)
  await owner.getByLabel('User name or e-mail').fill(login.login)
  await owner.getByLabel('Password', { exact: true }).fill(login.password)
  await owner.getByRole('button', { name: 'Log in', exact: true }).click()
  await owner.waitForURL(`**/s/${serverId}/settings/access`)
  await owner.getByText('Only you so far').waitFor() // asked for by the page's scripts
  await owner.getByRole('button', { name: 'Invite somebody' }).click()
  await owner.getByLabel('E-mail address or user name').fill('nobody_by_this_name')
  await owner.getByRole('button', { name: 'Send the invitation' }).click()
  await owner.getByText('No user has this name.').waitFor()
  await owner.getByLabel('E-mail address or user name').fill(address)
  await owner.getByRole('checkbox', { name: 'Type in the console' }).check()
  await owner.getByRole('button', { name: 'Send the invitation' }).click()
  await owner.getByRole('heading', { name: 'Pending invitations' }).waitFor()

  const link = new URL(linkIn(await waitForMail(product.dataDir, address)))
  const guest = await newPage(link.pathname + link.search)
  await guest.getByRole('link', { name: 'Register' }).last().click()
  await guest.waitForURL('**/en/register?from=*')
  await waitForScripts(guest)
  await guest.getByRole('textbox', { name: 'User name', exact: true }).fill('helping_hand')
  await guest.getByRole('textbox', { name: 'E-mail' }).fill(address)
  await guest.getByRole('textbox', { name: 'Password' }).fill('a lantern in the window')
  await guest.getByRole('checkbox', { name: /accept the terms/ }).check()
  await guest.getByRole('button', { name: 'Create account' }).click()
  await guest.waitForURL('**/en/invitation?code=*')
  await waitForScripts(guest)
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.waitForURL(`**/s/${serverId}`)
  await waitForScripts(guest)

  await guest.getByRole('heading', { name: 'misty-allay' }).waitFor()
  const input = guest.getByLabel('Command')
  await input.fill('list')
  await input.press('Enter')
  await guest
    .getByText(/players online/i)
    .first()
    .waitFor()
  const stop = guest.getByRole('button', { name: /^Stop/ })
  expect(await stop.getAttribute('aria-disabled')).toBe('true')
  expect(await guest.getByText(`Paid for by ${login.user.username}`).count()).toBe(1)

  // What is only about changing the server is not offered, and says so where it is opened all the same.
  expect(await guest.getByRole('link', { name: 'Events' }).count()).toBeGreaterThan(0)
  expect(await guest.getByRole('link', { name: 'Schedules' }).count()).toBe(0)
  for (const path of ['schedules', 'settings', 'settings/engine']) {
    await guest.goto(`${product.origin}/s/${serverId}/${path}`)
    await guest.getByRole('heading', { name: 'You can look, but not change anything here' }).waitFor()
  }
  await guest.goto(`${product.origin}/s/${serverId}`)
  await waitForScripts(guest)

  // Less is granted: the page that is open learns it by itself.
  await owner.getByRole('button', { name: 'Change what helping_hand can do' }).click()
  await owner.getByRole('checkbox', { name: 'Type in the console' }).uncheck()
  await owner.getByRole('button', { name: 'Save', exact: true }).click()
  await guest.locator('input[aria-label="Command"]:disabled').waitFor()

  await owner.getByRole('button', { name: 'Revoke helping_hand’s access' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await guest.getByRole('heading', { name: 'You no longer have access to “misty-allay”' }).waitFor()
  await guest.goto(`${product.origin}/s/${serverId}`)
  await guest.waitForURL('**/en/server-not-found?server=*')

  // Invited again: the notification itself takes the answer.
  await owner.getByRole('button', { name: 'Invite somebody' }).click()
  await owner.getByLabel('E-mail address or user name').fill('helping_hand')
  await owner.getByRole('button', { name: 'Send the invitation' }).click()
  await owner.getByRole('heading', { name: 'Pending invitations' }).waitFor()
  await guest.goto(`${product.origin}/en/notifications`)
  await guest.getByRole('link', { name: /shared misty-allay with you/ }).click()
  await guest.waitForURL('**/en/notifications/*')
  await guest.getByRole('button', { name: 'Accept', exact: true }).click()
  await guest.waitForURL(`**/s/${serverId}`)
})
