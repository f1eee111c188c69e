/**
 * Takes the pictures of docs/screens: starts the product in a folder of its own, rents a server as a customer would,
 * lets two players join and talk, and photographs what they and their host see.
 *
 *   node scripts/screens.ts
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { createTransaction, getTransaction } from '@wakestone/contract/routes/transactions'
import { createServer, getServerStatus } from '@wakestone/contract/routes/servers'
import { listUserWallets, loginLocal } from '@wakestone/contract/routes/users'
import { demoAccount } from '../apps/server/src/features/users/first-accounts.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { openBrowser } from '../tests/support/browser.ts'
import { joinServer } from '../tests/support/player.ts'
import { order } from '../tests/support/servers.ts'
import { startStandalone } from '../tests/support/standalone.ts'

const folder = join(import.meta.dirname, '../docs/screens')
const views = [
  { name: 'dark-1440', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'light-1440', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'dark-390', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  { name: 'light-390', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

const until = async (what: string, isSo: () => Promise<boolean>) => {
  for (const deadline = Date.now() + 60_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

mkdirSync(folder, { recursive: true })
const language = process.argv[2] ?? 'en'
const product = await startStandalone()
const browser = await openBrowser()
try {
  const { call, cookie } = createCookieClient(product.origin)
  const user = await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const wallet = (await call(listUserWallets, { params: { id: user.id } })).find(({ currency }) => currency === 'PLN')
  if (wallet === undefined) throw new Error('the demo customer has no wallet')
  const top = await call(createTransaction, {
    body: { action: 'DEPOSIT', provider: 'payu', wallet_id: wallet.id, amount: 5000, currency: 'PLN' },
  })
  await until(
    'a payment page',
    async () => (await call(getTransaction, { params: { id: top.id } })).redirect_url !== null,
  )
  const { redirect_url } = await call(getTransaction, { params: { id: top.id } })
  const payer = await browser.newPage()
  await payer.goto(redirect_url ?? '')
  await payer
    .getByRole('button', { name: /^(Pay|Zapłać|Bezahlen)/ })
    .first()
    .click()
  await until('the money', async () => (await call(getTransaction, { params: { id: top.id } })).status === 'COMPLETED')
  await payer.close()

  const server = await call(createServer, {
    body: order(wallet.id, '1.21.4', { name: 'misty-allay', subdomain: 'misty-allay' }),
  })
  const status = () => call(getServerStatus, { params: { id: server.id } })
  await until('the server', async () => ['IRL_IDLE', 'IRL_RUNNING'].includes((await status()).game_status))
  const host = 'misty-allay.localhost'
  const zosia = await joinServer({ host, gamePort: product.gamePort, username: 'Zosia' })
  const kuba = await joinServer({ host, gamePort: product.gamePort, username: 'kuba_07' })
  zosia.chat('ktoś widział moją owcę?')
  kuba.chat('jest na dachu')
  await until('both players', async () => (await status()).players.online === 2)

  const cookies = cookie()
    .split('; ')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: product.origin,
    }))
  cookies.push({ name: 'ws_language', value: language, url: product.origin })
  const screens = [
    { name: 'home', path: `/${language}`, signedIn: false },
    { name: 'register', path: `/${language}/register`, signedIn: false },
    { name: 'servers', path: `/${language}/s`, signedIn: true },
    { name: 'create', path: `/${language}/create?product=AMETHYST&name=Wiewiórcza+chatka`, signedIn: true },
    { name: 'recharge', path: `/${language}/wallets/${wallet.id}/recharge`, signedIn: true },
    { name: 'wallet', path: `/${language}/wallets/${wallet.id}`, signedIn: true },
    { name: 'server', path: '/s/misty-allay', signedIn: true },
    { name: 'events', path: '/s/misty-allay/events', signedIn: true },
  ]
  for (const { name: view, ...options } of views) {
    for (const { name, path, signedIn } of screens) {
      const context: BrowserContext = await browser.newContext({
        ...options,
        locale: language,
        timezoneId: 'Europe/Warsaw',
        reducedMotion: 'reduce',
      })
      if (signedIn) await context.addCookies(cookies)
      const page = await context.newPage()
      await page.goto(`${product.origin}${path}`, { waitUntil: 'load' })
      // Graphs want some seconds of figures; everything else is there at once.
      await page.waitForTimeout(name === 'server' ? 20_000 : 1_500)
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true })
      await context.close()
    }
  }
  zosia.end()
  kuba.end()
} finally {
  await browser.close()
  await product.dispose()
}
