import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createByteQueue } from './byte-queue.ts'
import { readHandshake } from './handshake.ts'
import { readPacket } from './packet.ts'
import { pingServer } from './ping-server.ts'
import { ProtocolError } from './protocol-error.ts'
import { readProxyHeader } from './proxy-protocol.ts'
import { writeStatusResponse } from './status.ts'

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  endings.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const answer = writeStatusResponse({
  version: { name: '1.21.4', protocol: 769 },
  players: { max: 20, online: 3 },
  description: { text: 'Hello' },
})

/** A server that takes its input byte by byte and gives its output so. */
function serveStatus({ proxied = false } = {}) {
  const seen: string[] = []
  const serve = (socket: Socket) => {
    const queue = createByteQueue()
    let stage: 'proxy' | 'handshake' | 'status' = proxied ? 'proxy' : 'handshake'
    socket.on('data', (chunk) => {
      for (const byte of chunk) queue.push(Buffer.from([byte]))
      for (;;) {
        if (stage === 'proxy') {
          const header = readProxyHeader(queue.peek())
          if (!header) return
          seen.push(`proxy ${header.source?.address ?? 'local'}`)
          queue.skip(header.size)
          stage = 'handshake'
          continue
        }
        const packet = readPacket(queue.peek())
        if (!packet) return
        if (stage === 'handshake') {
          const { host, intent } = readHandshake(packet)
          seen.push(`${intent} ${host}`)
          stage = 'status'
        } else if (packet.id === 0) {
          for (const byte of answer) socket.write(Buffer.from([byte]))
        } else socket.write(queue.peek().subarray(0, packet.size))
        queue.skip(packet.size)
      }
    })
  }
  return { seen, serve }
}

test('asks a server under the given name', async () => {
  const { seen, serve } = serveStatus()
  const port = await listen(serve)
  const status = await pingServer({ host: '127.0.0.1', port, virtualHost: 'grass.example.org' })
  expect(status).toMatchObject({ version: '1.21.4', protocol: 769, online: 3, max: 20, names: [] })
  expect(status.latencyMs).toBeGreaterThan(0)
  expect(seen).toEqual(['status grass.example.org'])
})

test('begins with LOCAL where the PROXY protocol is expected', async () => {
  const { seen, serve } = serveStatus({ proxied: true })
  const port = await listen(serve)
  await pingServer({ host: '127.0.0.1', port, proxyProtocol: true })
  expect(seen).toEqual(['proxy local', 'status 127.0.0.1'])
})

test('a server that says nothing times out, one that hangs up or babbles is refused', async () => {
  const silent = await listen(() => {})
  await expect(pingServer({ host: '127.0.0.1', port: silent, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  })
  const closing = await listen((socket) => socket.end())
  await expect(pingServer({ host: '127.0.0.1', port: closing })).rejects.toThrow(ProtocolError)
  const babbling = await listen((socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'.repeat(200)))
  await expect(pingServer({ host: '127.0.0.1', port: babbling })).rejects.toThrow(ProtocolError)
  const flooding = await listen((socket) => void socket.write(Buffer.alloc(100_000, 0xff)))
  await expect(pingServer({ host: '127.0.0.1', port: flooding })).rejects.toThrow(ProtocolError)
})

test('nobody listens', async () => {
  const port = await listen(() => {})
  for (const end of endings.splice(0)) end()
  await expect(pingServer({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
