/** Who hangs up before their request is looked at keeps their address: limits count by it. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { keepAddress } from './kept-address.ts'

test.each([
  { proxies: false, address: '127.0.0.1' },
  { proxies: ['127.0.0.1'], address: '203.0.113.7' },
])('$address, with proxies $proxies', async ({ proxies, address }) => {
  const app = Fastify({ trustProxy: proxies })
  onTestFinished(() => app.close())
  keepAddress(app)
  const seen: Promise<string> = new Promise((resolve) => {
    app.addHook('onRequest', async (request) => {
      const { socket } = request.raw
      while (!socket.destroyed) await delay(1)
      resolve(request.ip)
    })
  })
  app.post('/', () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  // Node itself ends the connection of whoever sends this, after it has handed the request on.
  socket.end(
    'POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n',
  )
  expect(await seen).toBe(address)
})
