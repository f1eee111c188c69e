/** A notification's whole way: something happens, the bell says so, it is read, and mails of its kind are stopped. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getNotificationSettings } from '@wakestone/contract/ground/notifications-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { inTransaction } from '../../../apps/server/src/db/client.ts'
import { notify } from '../../../apps/server/src/features/ground/notifications/service.ts'
import { type Caller, startTestApi, type TestApi } from '../../support/api.ts'
import { openBrowser, waitForScripts } from '../../support/browser.ts'
import { waitForMail } from '../../support/mail.ts'
import { order, topUp } from '../../support/servers.ts'

let api: TestApi
let browser: Browser
let owner: Caller
let page: Page
beforeAll(async () => {
  api = await startTestApi({}, { pages: true, mails: true })
  // Forms are taken from pages of this site only, and mails lead to it.
  Object.assign(api.context.settings, { PUBLIC_URL: api.origin })
  browser = await openBrowser()
  owner = await api.signUp()
  const context = await browser.newContext({ locale: 'en-GB' })
  const data = { login: owner.user.email, password: owner.password }
  await context.request.post(`${api.origin}/api/v1/users/login/local`, { data, headers: { origin: api.origin } })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

const rent = async (name: string) => {
  const walletId = await topUp(api.context, owner, 5000)
  const { id } = await owner.call(createServer, { body: order(walletId, '1.21.4', { name, subdomain: name }) })
  return id
}
/** Something that may be kept from being mailed. */
const tellMoved = (id: string) =>
  inTransaction(api.context.db, (trx) =>
    notify(trx, {
      userId: owner.user.id,
      kind: 'SERVER_MIGRATED',
      fields: { server: 'meadow', cluster: 'Warsaw' },
      resource: { type: 'server', id },
    }),
  )
const bell = (unread: number) =>
  page.getByRole('link', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`, exact: true })
/** How a notification of a server went out, by channel. */
const waysOf = async (serverId: string) =>
  api.context.db
    .selectFrom('notifications')
    .leftJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
    .select(['notifications.kind', 'delivery.channel'])
    .where('notifications.resource_id', '=', serverId)
    .orderBy('notifications.id')
    .execute()

test('from the event to the bell, the page and the end of its mails', async () => {
  await page.goto(`${api.origin}/en/s`)
  await waitForScripts(page)
  const atFirst = Number(
    /(\d+) unread/.exec(await page.locator('header a[href$="/notifications"]').innerText())?.[1] ?? 0,
  )

  // The page stays as it is; the number comes by itself, and with it what is in the wallet.
  const first = await rent('meadow')
  await bell(atFirst + 1).waitFor()
  await page
    .getByText(/^PLN\s31\.56$/)
    .first()
    .waitFor()
  await bell(atFirst + 1).click()
  await page.waitForURL('**/en/notifications')
  await page.getByRole('link', { name: 'meadow is on its way' }).click()
  await page.waitForURL('**/en/notifications/*')
  await page.getByText('We’re preparing your server. Its address is meadow.localhost', { exact: false }).waitFor()
  await bell(atFirst).waitFor() // opened is read
  expect(await page.getByRole('link', { name: 'Open the server' }).getAttribute('href')).toBe('/s/meadow')

  await rent('harbour')
  await bell(atFirst + 1).waitFor()
  await page.getByRole('link', { name: 'All notifications' }).click()
  await page.getByRole('link', { name: 'harbour is on its way' }).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await bell(0).waitFor()
  await page.reload()
  await waitForScripts(page)
  await bell(0).waitFor()

  // A mail says how to have no more of its kind; for that nobody needs to be signed in.
  await tellMoved(first)
  await bell(1).waitFor()
  const mail = await waitForMail(api.dataDir, owner.user.email, 'meadow has moved')
  const [link = ''] = /https?:\S+\/notifications\/unsubscribe\S+/.exec(mail.text ?? '') ?? []
  const reader = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await reader.goto(link)
  await reader.getByRole('button', { name: 'Stop these e-mails' }).click()
  await reader.getByText('You’ll still see these notifications in the panel.', { exact: false }).waitFor()

  await tellMoved(first)
  await bell(2).waitFor()
  expect(await waysOf(first)).toEqual([
    { kind: 'SERVER_CREATED', channel: 'mail' },
    { kind: 'SERVER_MIGRATED', channel: 'mail' },
    { kind: 'SERVER_MIGRATED', channel: null },
  ])
})

test('a topic is set at once, kept, mixed by one box, and recommended again', async () => {
  /** What goes anywhere but to the panel. */
  const beside = async () => {
    const { kinds } = await owner.call(getNotificationSettings, { params: { userId: owner.user.id } })
    return kinds
      .filter(({ group }) => group === 'marketplace')
      .flatMap(({ kind, channels: { mail, discord, push } }) =>
        Object.entries({ mail, discord, push }).flatMap(([way, state]) => (state?.on ? [`${kind} ${way}`] : [])),
      )
  }
  const before = await beside()
  await page.goto(`${api.origin}/en/account/settings/notifications`)
  await waitForScripts(page)
  const topic = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Marketplace' }) })
  const way = (name: string) => topic.getByRole('radio', { name })
  expect(await way('Recommended').isChecked()).toBe(true)

  await way('Panel only').click({ force: true })
  await expect.poll(beside).toEqual([])
  await page.reload()
  await waitForScripts(page)
  expect(await way('Panel only').isChecked()).toBe(true)

  await topic.getByText('Choose one by one').click()
  await topic
    .getByRole('checkbox', { name: /: Discord$/ })
    .first()
    .click()
  await expect.poll(beside).toEqual([expect.stringMatching(/ discord$/)])
  expect(await way('Mixed').isChecked()).toBe(true)

  await way('Recommended').click({ force: true })
  await expect.poll(beside).toEqual(before)
  expect(await topic.getByRole('radio', { name: 'Mixed' }).count()).toBe(0)
})
