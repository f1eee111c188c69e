/** What the pictures show: a customer with servers, players and payments of every outcome, as if he had been here a while. */
import type { Browser } from 'playwright-core'
import { createServer, getServerStatus, stopServer } from '@wakestone/contract/servers/servers-routes'
import { listUserWallets, loginLocal, register } from '@wakestone/contract/accounts/users-routes'
import { demoAccount } from '../../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { createCookieClient } from '../../tests/support/api.ts'
import { joinServer } from '../../tests/support/player.ts'
import { order } from '../../tests/support/servers.ts'
import type { Standalone } from '../../tests/support/standalone.ts'
import { type BusinessScene, setBusinessScene } from './business.ts'
import { setFiles } from './files.ts'
import { setKept } from './kept.ts'
import { type MoneyScene, setMoneyScene } from './money.ts'
import { createPayer, until } from './payments.ts'
import { type ReturnScene, setReturnScene } from './returns.ts'
import { letSleep, type ServerScene, setServerScene } from './servers.ts'

export type Scene = {
  customerId: string
  walletId: string
  /** A server that its owner has stopped. */
  restingId: string
  /** The server that is played on. */
  playedId: string
  /** A backup of the server that is played on. */
  backupId: string
  /** A payment in each state. */
  payments: Record<'completed' | 'waiting' | 'cancelled' | 'failed', string>
  returns: ReturnScene
  money: MoneyScene
  servers: ServerScene
  business: BusinessScene
  leave: () => Promise<void>
}

export async function setScene(
  product: Pick<Standalone, 'origin' | 'gamePort' | 'dataDir' | 'secrets'>,
  browser: Browser,
): Promise<Scene> {
  const client = createCookieClient(product.origin)
  const { call } = client
  const user = await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const wallets = await call(listUserWallets, { params: { id: user.id } })
  const wallet = wallets.find(({ currency }) => currency === 'PLN')
  const euros = wallets.find(({ currency }) => currency === 'EUR')
  if (wallet === undefined || euros === undefined) throw new Error('the demo customer lacks a wallet')

  // A mail for the outbox.
  await createCookieClient(product.origin).call(register, {
    body: {
      username: 'Zosia',
      email: 'zosia@example.com',
      password: 'latarnia nad wodą',
      language: 'pl',
      accepted_tos: true,
    },
  })

  const { order: deposit, begin, press, reach, addressOf } = createPayer(call, wallet.id, browser)
  const cancelled = await press(5000, 'cancel')
  const simulator = new URL('/simulator/faults', await addressOf(await begin(20_000)))
  await fetch(simulator, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ faults: { mismatch: true } }),
  })
  // An order of another amount than ours is refused as soon as it is looked at.
  const failed = await deposit(5000)
  await reach(failed, 'FAILED')
  await fetch(simulator, { method: 'DELETE' })
  const completed = await press(5000, 'pay')
  const waiting = await begin(10_000)
  const returns = await setReturnScene(call, { PLN: wallet.id, EUR: euros.id })

  const rent = async (name: string, product_id: string) => {
    const server = await call(createServer, {
      body: order(wallet.id, '1.21.4', { name, subdomain: name, requested_billing_services: [product_id] }),
    })
    const status = () => call(getServerStatus, { params: { id: server.id } })
    await until(name, async () => ['IRL_IDLE', 'IRL_RUNNING'].includes((await status()).game_status))
    return { id: server.id, status }
  }
  const asleep = await rent('quiet-owl', 'GRASS')
  await letSleep(call, asleep.id, 'quiet-owl')
  const money = await setMoneyScene(product, { call, walletId: wallet.id }, browser)
  const resting = await rent('brave-axolotl', 'FREE')
  await call(stopServer, { params: { id: resting.id }, query: {} })
  const { id: busyId, status } = await rent('misty-allay', 'GRASS')
  await setFiles(client, product.origin, busyId)
  const { backupId } = await setKept(client, product.origin, busyId)
  const join = (username: string) => joinServer({ host: 'misty-allay.localhost', gamePort: product.gamePort, username })
  const [zosia, kuba] = [await join('Zosia'), await join('kuba_07')]
  // What players type in any language: the pictures are taken in all of them.
  zosia.chat('o/ 120 64 -340')
  kuba.chat('gg, brb 5 min')
  await until('both players', async () => (await status()).players.online === 2)
  const servers = await setServerScene(product, { call, asleepId: asleep.id, scheduledId: busyId })
  const business = await setBusinessScene(product, {
    call,
    userId: user.id,
    walletId: wallet.id,
    serverId: busyId,
  })
  return {
    customerId: user.id,
    walletId: wallet.id,
    restingId: resting.id,
    playedId: busyId,
    backupId,
    payments: { completed, waiting, cancelled, failed },
    returns,
    money,
    servers,
    business,
    async leave() {
      zosia.end()
      kuba.end()
      await business.leave()
    },
  }
}
