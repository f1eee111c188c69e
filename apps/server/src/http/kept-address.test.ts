/** Who hangs up before their request is looked at keeps their address: limits count by it. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { keepAddress } from './kept-address.ts'

const sender = '203.0.113.7'
const head = `POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${sender}\r\n`

/** @param see is told of each request once its connection is gone, or after a while */
async function listen(trustProxy: false | string[], see: (ip: string) => void): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy })
  onTestFinished(() => app.close())
  keepAddress(app)
  app.addHook('onRequest', async (request) => {
    for (let waited = 0; waited < 200 && !request.raw.socket.destroyed; waited++) await delay(1)
    see(request.ip)
  })
  app.post('/', () => ({}))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}
async function open({ server }: FastifyInstance) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

test.each([
  { proxies: false as const, address: '127.0.0.1' },
  { proxies: ['127.0.0.1'], address: sender },
])('$address, with proxies $proxies', async ({ proxies, address }) => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await open(await listen(proxies, resolve))
  // Node itself ends the connection of whoever sends this, after it has handed the request on.
  socket.end(`${head}Transfer-Encoding: chunked\r\n\r\nno length\r\n`)
  expect(await promise).toBe(address)
})

test('who is gone before they could be asked is passed over', async () => {
  const seen: string[] = []
  const app = await listen(['127.0.0.1'], (ip) => seen.push(ip))
  for (let time = 0; time < 40; time++) {
    const socket = await open(app)
    socket.write(`${head}Content-Length: 0\r\n\r\n`)
    socket.resetAndDestroy()
  }
  await delay(500)
  expect(seen.filter((ip) => ip !== sender)).toEqual([])
})
