/**
 * From the order to a player in the world, with the whole product running and its packages at hand:
 *
 *   node bench/order.ts
 *
 * Three servers, one after the other; the slowest counts.
 */
import { createTransaction, getTransaction } from '@wakestone/contract/money/transactions-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listUserWallets, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { demoAccount } from '../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { joinServer } from '../tests/support/player.ts'
import { isUp, order, untilStatus } from '../tests/support/servers.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { reportFigure } from './fixtures/figure.ts'

const rounds = 3
const secondsAllowed = 15

const product = await startStandalone()
try {
  const { call } = createCookieClient(product.origin)
  const user = await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const wallet = (await call(listUserWallets, { params: { id: user.id } })).find(({ currency }) => currency === 'PLN')
  if (wallet === undefined) throw new Error('the demo customer has no wallet')
  await pay(wallet.id)

  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const server = await call(createServer, { body: order(wallet.id, '1.21.4') })
    await untilStatus({ call }, server.id, isUp)
    const bot = await joinServer({
      host: server.address.split(':')[0] ?? '',
      gamePort: product.gamePort,
      username: `Bench${round}`,
    })
    times.push((performance.now() - started) / 1000)
    bot.end()
  }
  const slowest = Math.round(Math.max(...times) * 100) / 100
  reportFigure('order accepted → player in the world, slowest of three', slowest, 's', { atMost: secondsAllowed })
} finally {
  await product.dispose()
}

/** Tops the wallet up on the sandbox's payment page, as a payer without a browser. */
async function pay(walletId: string): Promise<void> {
  const { call } = createCookieClient(product.origin)
  await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const begun = await call(createTransaction, {
    body: { action: 'DEPOSIT', provider: 'payu', wallet_id: walletId, amount: 20_000, currency: 'PLN' },
  })
  const follow = () => call(getTransaction, { params: { id: begun.id } })
  for (const deadline = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const { status, redirect_url } = await follow()
    if (status === 'COMPLETED') return
    if (Date.now() > deadline) throw new Error(`the payment stays ${status}`)
    if (status !== 'NEW' && status !== 'PROCESSING') throw new Error(`the payment is ${status}`)
    if (redirect_url !== null) await payAt(redirect_url)
  }
}

async function payAt(address: string): Promise<void> {
  const page = await (await fetch(address)).text()
  const fields = [...page.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  )
  if (fields.length === 0) return // already paid
  await fetch(new URL('/pay/', address), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams([...fields, ['action', 'pay']] as [string, string][]),
  })
}
