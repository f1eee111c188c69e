/**
 * A game prints 5 000 lines a second; how many reach a browser's socket, and how late:
 *
 *   node bench/console.ts
 *
 * The whole way: game, supervisor in its sandbox, API, WebSocket in Chromium. Both ends read the same machine's clock.
 */
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { listUserWallets, loginLocal } from '@wakestone/contract/accounts/users-routes'
import { startUpstreams } from '@wakestone/simulators/upstreams'
import { demoAccount } from '../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { openBrowser } from '../tests/support/browser.ts'
import { isUp, order, untilStatus } from '../tests/support/servers.ts'
import { startStandalone } from '../tests/support/standalone.ts'
import { reportFigure } from './fixtures/figure.ts'

const rate = 5_000
const seconds = 10
const delayAllowed = 100

const upstreams = await startUpstreams()
const product = await startStandalone({ env: upstreams.settings })
const browser = await openBrowser()
try {
  const { call, cookie } = createCookieClient(product.origin)
  const user = await call(loginLocal, { body: { login: demoAccount.email, password: product.secrets.demoPassword } })
  const [wallet] = await call(listUserWallets, { params: { id: user.id } })
  const server = await call(createServer, {
    body: order(wallet?.id ?? '', '1.21.4', { engine: 'vanilla', requested_billing_services: ['FREE'] }),
  })
  await untilStatus({ call }, server.id, isUp)

  const context = await browser.newContext()
  await context.addCookies(
    cookie()
      .split('; ')
      .map((pair) => ({
        name: pair.slice(0, pair.indexOf('=')),
        value: pair.slice(pair.indexOf('=') + 1),
        url: product.origin,
      })),
  )
  const page = await context.newPage()
  await page.goto(`${product.origin}/healthz`)
  const delays = (await page.evaluate(listenToFlood(server.id))) as number[]
  const sorted = delays.toSorted((one, other) => one - other)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
  reportFigure('console: lines lost between game and browser at 5 000/s', rate * seconds - delays.length, 'lines', {
    atMost: 0,
  })
  reportFigure('console: delay from game to browser at 5 000/s, p99', p99, 'ms', { atMost: delayAllowed })
} finally {
  await browser.close()
  await product.dispose()
  await upstreams.close()
}

/** Runs in the browser: asks for the flood and resolves with each line's delay in milliseconds, all that came in time. */
function listenToFlood(serverId: string): string {
  return `new Promise((resolve) => {
    const delays = []
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/api/v1/servers/${serverId}/console')
    const timer = setTimeout(() => resolve(delays), ${(seconds + 20) * 1000})
    socket.onopen = () => socket.send(JSON.stringify({ type: 'command', id: '1', command: 'flood ${rate} ${seconds}' }))
    socket.onmessage = ({ data }) => {
      const now = Date.now()
      const frame = JSON.parse(data)
      if (frame.type !== 'console') return
      for (const { text } of frame.lines) {
        const printed = /flood \\d+ (\\d{13})$/.exec(text)
        if (printed) delays.push(now - Number(printed[1]))
      }
      if (delays.length >= ${rate * seconds}) { clearTimeout(timer); resolve(delays) }
    }
  })`
}
