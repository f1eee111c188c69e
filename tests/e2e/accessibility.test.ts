/**
 * axe finds nothing on any public page and on any screen of the main job: narrow, middle and wide, in light and dark, in
 * the language with the longest words; nor on what opens there. `npm test` looks at some of them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCapabilitySet } from '@wakestone/contract/admin/capability-sets-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { createServer, getServerStatus, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { listUserEvents, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { publicPages } from '../../apps/web/app/public-pages.ts'
import { createCookieClient } from '../support/api.ts'
import { findFaults } from '../support/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { isLong } from '../support/long.ts'
import { enterForAxe, type Login, openQuiet } from '../support/quiet-page.ts'
import { order } from '../support/servers.ts'
import { type TestProduct, useProduct } from '../support/product.ts'

/** Much of looking at a page is waiting for it: so many are looked at at the same time. */
vi.setConfig({ maxConcurrency: 3 })

let product: TestProduct
let browser: Browser
let visitor: Page
let customer: Page
let admin: Page
let ownerId: string
let walletId: string
let serverId: string
let serverEventId: string
let accountEventId: string
let notificationId: string
let capabilitySetId: string

/** A server that runs, bought by a customer. */
async function rent(login: { login: string; password: string }): Promise<void> {
  const { call } = createCookieClient(product.origin)
  const user = await call(loginLocal, { body: login })
  ownerId = user.id
  const more = { name: 'misty-allay', subdomain: 'misty-allay', requested_billing_services: ['FREE'] }
  const server = await call(createServer, { body: order(walletId, '1.21.4', more) })
  serverId = server.id
  for (const deadline = Date.now() + 120_000; ; await delay(500)) {
    const { game_status } = await call(getServerStatus, { params: { id: serverId } })
    if (game_status === 'IRL_IDLE' || game_status === 'IRL_RUNNING') break
    if (Date.now() > deadline) throw new Error(`the server is ${game_status}`)
  }
  serverEventId = (await call(listServerEvents, { params: { id: serverId } })).data[0]!.id
  const told = await call(listNotifications, { params: { id: ownerId } })
  notificationId = told.notifications[0]!.id
  accountEventId = (await call(listUserEvents, { params: { id: user.id } })).data[0]!.id
}

/** A set with values of every kind. */
async function saveSet(login: { login: string; password: string }): Promise<string> {
  const { call } = createCookieClient(product.origin)
  await call(loginLocal, { body: login })
  const capabilities = { 'user.craftum': true, 'user.offers': false, 'server.slots': 3, 'cluster.name': 'north' }
  return (await call(createCapabilitySet, { body: { name: 'Support', description: '', capabilities } })).id
}

beforeAll(async () => {
  product = await useProduct()
  browser = await openBrowser()
  const { login, password, user } = await product.signUp()
  const owner = { login, password }
  walletId = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const boss = { login: 'admin@wakestone.local', password: product.secrets.adminPassword }
  if (isLong) {
    await rent(owner)
    capabilitySetId = await saveSet(boss)
  }
  visitor = await (await enter()).newPage()
  customer = await (await enter(owner)).newPage()
  admin = await (await enter(boss)).newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.dispose()
})

const enter = (login?: Login) => enterForAxe(browser, product, login)
const open = (page: Page, path: string) => openQuiet(page, product.origin, path)

type Who = 'visitor' | 'customer' | 'admin'
const people = (): Record<Who, Page> => ({ visitor, customer, admin })
const idle = new Map<Who, Page[]>()

/** Looks at a page in a window of its own, beside other looks of the same person. */
function beside<Args extends unknown[]>(who: Who, look: (page: Page, ...args: Args) => Promise<void>) {
  return async (...args: Args): Promise<void> => {
    const pages = idle.get(who) ?? []
    idle.set(who, pages)
    const page = pages.pop() ?? (await people()[who].context().newPage())
    await look(page, ...args)
    // One on which something went wrong is not used again.
    pages.push(page)
  }
}

const others = [
  '/no-such-page',
  '/login/discord?code=forged&state=forged',
  '/email/confirm?code=nothing',
  '/invitation?code=nothing',
  '/notifications/unsubscribe',
  '/notifications/unsubscribe?code=something',
  '/messages/no-such-code',
  '/docs/operators/settings',
]
/**
 * Pages share most of their parts: `npm test` checks those that differ most, and that no other test of it looks at;
 * `npm run test:long` all of them.
 */
const few = ['/offers', 'wallet', '/admin/clusters']
const someOf = <Each extends string | readonly [string, ...unknown[]]>(pages: readonly Each[]) =>
  isLong ? pages : pages.filter((page) => few.includes(typeof page === 'string' ? page : page[0]))

test.concurrent.each(someOf([...publicPages.map(({ path }) => path), ...others]))(
  'a visitor at /pl%s',
  beside('visitor', async (page, path: string) => {
    await open(page, `/pl${path}`)
    expect(await findFaults(page)).toEqual([])
  }),
)

const screens: readonly [string, () => string][] = [
  ['servers', () => '/pl/s'],
  ['order', () => '/pl/create'],
  ['server', () => `/s/${serverId}`],
  ['files', () => `/s/${serverId}/files`],
  ['a file', () => `/s/${serverId}/files?file=server.properties`],
  ['trash', () => `/s/${serverId}/files/trash`],
  ['worlds', () => `/s/${serverId}/app/worlds`],
  ['MySQL', () => `/s/${serverId}/mysql`],
  ['packages', () => `/s/${serverId}/m`],
  ['installed packages', () => `/s/${serverId}/m?view=installed`],
  ['history of packages', () => `/s/${serverId}/m?view=history`],
  ['what I follow', () => '/pl/m/follows'],
  ['events', () => `/s/${serverId}/events`],
  ['an event', () => `/s/${serverId}/events/${serverEventId}`],
  ['events of the account', () => '/pl/account/events'],
  ['an event of the account', () => `/pl/account/events/${accountEventId}`],
  ['addresses', () => `/s/${serverId}/settings/addresses`],
  ['access', () => `/s/${serverId}/settings/access`],
  ['renew', () => `/s/${serverId}/payments/renew`],
  ['server-payments', () => `/s/${serverId}/payments`],
  ['withdrawal', () => `/s/${serverId}/payments/withdraw`],
  ['invoices', () => '/pl/account/invoices'],
  ['upgrade', () => `/s/${serverId}/payments/upgrade`],
  ['wallet', () => `/pl/wallets/${walletId}`],
  ['payments of a wallet', () => `/pl/wallets/${walletId}?list=payments`],
  ['top-up', () => `/pl/wallets/${walletId}/recharge`],
  ['account', () => '/pl/account/settings'],
  ['security', () => '/pl/account/settings/security'],
  ['what reaches me', () => '/pl/account/settings/notifications'],
  ['notifications', () => '/pl/notifications'],
  ['a notification', () => `/pl/notifications/${notificationId}`],
  ['webhooks', () => '/pl/account/settings/webhooks'],
  ['consents', () => '/pl/account/settings/consents'],
  ['help', () => '/pl/account/support'],
  ['a new ticket', () => '/pl/account/support/new'],
  ['bills', () => '/pl/account/bills'],
  ['invitations', () => '/pl/account/referrals'],
  ['free play', () => '/pl/free-play'],
  ['API keys', () => '/pl/account/settings/api-keys'],
  ['invoice data', () => '/pl/account/settings/invoice'],
  ['end of the account', () => '/pl/account/delete/confirm'],
  ['a voucher', () => '/pl/voucher/use'],
  ['return from payment', () => '/pl/payu/continue?transaction=none'],
  ['return from PayNow', () => '/pl/paynow/continue?transaction=none'],
  ['return from PayPal', () => '/pl/paypal/success?transaction=none'],
  ['settings', () => `/s/${serverId}/settings`],
  ['its engine', () => `/s/${serverId}/settings/engine`],
  ['its shop', () => `/s/${serverId}/shop`],
  ['who sells in its shop', () => `/s/${serverId}/shop?tab=settings`],
  ['schedules', () => `/s/${serverId}/schedules`],
  ['players', () => `/s/${serverId}/players`],
]
test.concurrent.each(someOf(screens))(
  'a customer: %s',
  beside('customer', async (page, _: string, path: () => string) => {
    await open(page, path())
    expect(await findFaults(page)).toEqual([])
  }),
)

const administration = [
  '/admin',
  '/admin?q=misty',
  '/admin/outbox',
  '/admin/announcements',
  '/admin/flags',
  '/admin/servers',
  '/admin/servers?flag=disabled',
  '/admin/users',
  '/admin/payments',
  '/admin/clusters',
  '/admin/clusters?cluster=local',
  '/admin/clusters?cluster=new',
  '/admin/health',
  '/admin/tickets',
  '/admin/feedback',
  '/admin/marketplace',
  '/admin/marketplace?list=reports',
  '/admin/marketplace?list=projects',
  '/admin/marketplace?list=quarantine',
  '/admin/create-new-voucher',
  '/admin/reports',
  '/admin/reports?report=tax',
  '/admin/reconciliation',
  '/admin/refunds',
  '/admin/refunds?list=debts',
  '/admin/invoices',
  '/admin/affiliates',
  '/admin/affiliates?list=referrals',
  '/admin/affiliates?list=bills',
  '/admin/capability-sets',
  '/admin/capability-sets?set=new',
]
test.concurrent.each(someOf(administration))(
  'an administrator at /pl%s',
  beside('admin', async (page, path: string) => {
    await open(page, `/pl${path}`)
    expect(await findFaults(page)).toEqual([])
  }),
)

test.runIf(isLong)('an administrator: one server', async () => {
  await open(admin, `/pl/admin/servers/${serverId}`)
  expect(await findFaults(admin)).toEqual([])
})

test.runIf(isLong)('an administrator: one set of capabilities', async () => {
  await open(admin, `/pl/admin/capability-sets?set=${capabilitySetId}`)
  expect(await findFaults(admin)).toEqual([])
})

const tabs = ['services', 'wallets', 'transactions', 'vouchers', 'events', 'sessions', 'capabilities']
test.concurrent.each(someOf(['', ...tabs.map((tab) => `?tab=${tab}`)]))(
  'an administrator: a user %s',
  beside('admin', async (page, tab: string) => {
    await open(page, `/pl/user/${ownerId}${tab}`)
    expect(await findFaults(page)).toEqual([])
  }),
)

test.runIf(isLong)('a top-up by a code of BLIK', async () => {
  await open(customer, `/pl/wallets/${walletId}/recharge`)
  await customer.getByRole('radio', { name: /^BLIK/ }).check()
  await customer.getByRole('textbox', { name: 'Kod BLIK' }).waitFor()
  expect(await findFaults(customer)).toEqual([])
})

test.runIf(isLong)('the choice of cookies, folded and unfolded', async () => {
  const context = await browser.newContext({ bypassCSP: true, locale: 'pl-PL' })
  const page = await context.newPage()
  await open(page, '/pl/login')
  const region = page.locator('[data-consent]')
  expect(await findFaults(page)).toEqual([])
  await region.getByRole('button').last().click()
  await region.getByRole('switch').first().waitFor()
  expect(await findFaults(page)).toEqual([])
  await context.close()
})

test.runIf(isLong)('the menu of languages', async () => {
  await open(visitor, '/pl/login')
  await visitor.locator('header details summary').first().click()
  expect(await findFaults(visitor)).toEqual([])
})

test('a form with faults', async () => {
  await open(visitor, '/pl/register')
  await visitor.locator('form[method=post]:not([action]) button[type=submit]').click()
  await visitor.locator('[aria-invalid=true]').first().waitFor()
  expect(await findFaults(visitor)).toEqual([])
})

test.runIf(isLong)('the command palette', async () => {
  await open(customer, `/s/${serverId}`)
  await customer.keyboard.press('Control+K')
  await customer.getByRole('dialog').waitFor()
  expect(await findFaults(customer)).toEqual([])
})

test.runIf(isLong)('the question before a server is killed', async () => {
  await open(customer, `/s/${serverId}`)
  // By now it may sleep, and then there is nothing to kill.
  const headers = { origin: product.origin }
  await customer.request.post(`${product.origin}/api/v1/servers/${serverId}/start`, { headers })
  await customer.getByRole('button', { name: 'Więcej działań' }).click()
  await customer.getByRole('menuitem').first().click()
  await customer.getByRole('dialog').waitFor()
  expect(await findFaults(customer)).toEqual([])
})
