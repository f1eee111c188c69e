/** A free server in Chromium: no place, the queue, the turn, a start; and an hour more before its time is over. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import {
  confirmFreePlace,
  getFreePlay,
  joinFreeQueue,
  leaveFreeQueue,
} from '@wakestone/contract/servers/free-play-routes'
import { createServer, getServerStatus, stopServer } from '@wakestone/contract/servers/servers-routes'
import { createCookieClient } from '../../support/api.ts'
import { findFaults } from '../../support/axe.ts'
import { openBrowser } from '../../support/browser.ts'
import { order } from '../../support/servers.ts'
import { type Customer, type TestProduct, useProduct } from '../../support/product.ts'

type Call = ReturnType<typeof createCookieClient>['call']

let product: TestProduct
let browser: Browser
let page: Page
let database: pg.Client
let serverId: string
let owner: Call
let holder: Call

const signIn = async ({ login, password }: Customer) => {
  const { call } = createCookieClient(product.origin)
  return { call, user: await call(loginLocal, { body: { login, password } }) }
}
const until = async (isThere: () => Promise<boolean>, what: string) => {
  for (const deadline = Date.now() + 120_000; !(await isThere()); await delay(200))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}
const statusIs = (status: string) => async () =>
  (await owner(getServerStatus, { params: { id: serverId } })).game_status === status
/** Has the session end so long from now. */
const endIn = (interval: string) =>
  database.query(
    'update free_sessions set ends_at = now() + $2::interval, warned = null where ended_at is null and server_id = $1',
    [serverId, interval],
  )
const stateIs = (call: Call, state: string) => async () => (await call(getFreePlay, {})).state === state

beforeAll(async () => {
  product = await useProduct()
  database = new pg.Client(product.databaseUrl)
  await database.connect()
  // One place, and nobody who had one before this file has it any more.
  await database.query(`update free_sessions set ended_at = now(), end_reason = 'asleep' where ended_at is null`)
  await database.query('delete from free_server_queue')
  await database.query(`update clusters set free_places = 1 where id = 'local'`)

  const customer = await product.signUp()
  const { call, user } = await signIn(customer)
  owner = call
  holder = (await signIn(await product.signUp())).call
  const wallet = user.wallets.find(({ currency }) => currency === 'PLN')!.id
  const more = { name: 'patient-axolotl', subdomain: 'patient-axolotl', requested_billing_services: ['FREE'] }
  serverId = (await call(createServer, { body: order(wallet, '1.21.4', more) })).id
  await until(statusIs('IRL_IDLE'), 'the first start')
  await call(stopServer, { params: { id: serverId } })
  await until(stateIs(owner, 'idle'), 'the place of a stopped server')
  await holder(joinFreeQueue, {})
  await holder(confirmFreePlace, {})

  browser = await openBrowser()
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB' })
  const headers = { origin: product.origin }
  await context.request.post(`${product.origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  const { login, password } = customer
  await context.request.post(`${product.origin}/api/v1/users/login/local`, { data: { login, password }, headers })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
}, 240_000)
afterAll(async () => {
  await database?.query(`update clusters set free_places = null where id = 'local'`)
  await database?.end()
  await browser?.close()
  await product?.dispose()
})

/** Where the page tells of the place. */
const card = () => page.locator('section', { hasText: /^(Free play|Your place)/ })

test(
  'who finds no place waits, is told when it is their turn, and is up with one click',
  { timeout: 240_000 },
  async () => {
    onTestFailed(async () => console.log(await page.locator('body').innerText()))
    await page.goto(`${product.origin}/s/${serverId}`)
    await card().getByText('All places are taken right now').waitFor()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByText('There are no free places for free servers right now.').waitFor()
    await card().getByRole('button', { name: 'Join the queue' }).click()
    await card().getByText('You’re next').waitFor()
    await card()
      .getByText(/You then have 2\smin to take the place/)
      .waitFor()

    await page.goto(`${product.origin}/en/free-play`)
    await card().getByText('You’re next').waitFor()
    expect(await findFaults(page)).toEqual([])

    // Nobody touches the page: the place becomes free elsewhere.
    await holder(leaveFreeQueue, {})
    await card().getByText('It’s your turn!').waitFor()
    expect(await card().getByRole('timer').innerText()).toMatch(/^[12]:\d\d left to take it$/)
    expect(await page.title()).toMatch(/^Your turn!/)
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Open the server' }).click()
    await card().getByRole('button', { name: 'Take the place and start' }).click()
    await card().getByText(/left$/).waitFor({ timeout: 90_000 })
    await until(statusIs('IRL_IDLE'), 'the start')
    await card()
      .getByText(/3\sh 59\smin left|4\sh left/)
      .waitFor()

    const extend = card().getByRole('button', { name: '+1 hour' })
    expect(await extend.count()).toBe(0)
    await card()
      .getByText(/From .+ you can add another hour\./)
      .waitFor()
    await endIn('29 minutes')
    await card()
      .getByText(/^28\smin left/)
      .waitFor()
    expect(await findFaults(page)).toEqual([])
    await extend.click()
    await card()
      .getByText(/^1\sh 28\smin left/)
      .waitFor()

    // Players read it in the game, and in the end it sleeps.
    await endIn('9 minutes')
    await page
      .getByText(/This server will go to sleep in 10 minutes/)
      .first()
      .waitFor()
    await endIn('0 minutes')
    await card().getByText('1 of 1 places are free').waitFor()
    await page.getByRole('heading', { name: 'Asleep', exact: false }).waitFor()
  },
)
