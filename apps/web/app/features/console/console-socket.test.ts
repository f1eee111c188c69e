import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConsoleLine, ConsoleServerFrame } from '@wakestone/contract/servers/stream'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket as Peer, WebSocketServer } from 'ws'
import { type ConsoleConnection, openConsoleSocket } from './console-socket.ts'
import { createLineBuffer } from './line-buffer.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const line = (seq: number): ConsoleLine => ({ seq, time: 1_700_000_000_000 + seq, stream: 'out', text: `line ${seq}` })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i))
const sendFrame = (peer: Peer, frame: ConsoleServerFrame) => peer.send(JSON.stringify(frame))

/** A server that speaks the console's frames; `onPeer` decides what each connection meets. */
async function serve(onPeer: (peer: Peer, after: number, connection: number) => void) {
  const http = createServer()
  const sockets = new WebSocketServer({ server: http })
  let connections = 0
  sockets.on('connection', (peer, request) => {
    connections += 1
    onPeer(peer, Number(new URL(request.url ?? '/', 'http://x').searchParams.get('after') ?? 0), connections)
  })
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  cleanups.push(async () => {
    for (const peer of sockets.clients) peer.terminate()
    await new Promise((done) => http.close(done))
  })
  return { port: (http.address() as AddressInfo).port, connections: () => connections, peers: sockets.clients }
}

function openClient(port: number, renewSession: () => Promise<boolean> = async () => true, firstWait = 10) {
  const buffer = createLineBuffer()
  const connections: ConsoleConnection[] = []
  const socket = openConsoleSocket({
    address: (after) => `ws://127.0.0.1:${port}/console${after === null ? '' : `?after=${after}`}`,
    lastSeq: buffer.lastSeq,
    onFrame: (frame) => {
      if (frame.type === 'console') buffer.append(frame.lines)
    },
    onConnection: (connection) => connections.push(connection),
    renewSession,
    waits: { first: firstWait, longest: Math.max(50, firstWait), answer: 2000 },
  })
  cleanups.push(socket.close)
  const texts = () => Array.from({ length: buffer.size() }, (_, i) => buffer.at(i)?.text)
  return { socket, buffer, texts, connections, now: () => connections.at(-1) }
}

test('resumes after the last line seen, without a gap and without a duplicate', async () => {
  const server = await serve((peer, after, connection) => {
    // Overlaps on purpose: a resumed stream may repeat lines.
    const from = Math.max(1, after - 5)
    sendFrame(peer, { type: 'console', lines: range(from, connection * 100) })
    if (connection < 5) setImmediate(() => peer.terminate())
  })
  const client = openClient(server.port)
  await vi.waitFor(() => expect(client.buffer.lastSeq()).toBe(500), { timeout: 15_000 })
  expect(client.texts()).toEqual(range(1, 500).map((entry) => entry.text))
  expect(client.connections.map((connection) => connection.state)).toContain('reconnecting')
  expect(client.now()).toEqual({ state: 'live' })
})

test('says what is missing when the server no longer holds it', async () => {
  const server = await serve((peer, after) => {
    sendFrame(peer, { type: 'console', lines: after === 0 ? range(1, 3) : range(5000, 5001) })
    if (after === 0) peer.close(1001)
  })
  const client = openClient(server.port)
  await vi.waitFor(() => expect(client.buffer.lastSeq()).toBe(5001), { timeout: 15_000 })
  expect(Array.from({ length: client.buffer.size() }, (_, i) => client.buffer.at(i)?.missing)).toEqual([
    0, 0, 0, 4996, 0, 0,
  ])
})

test('keeps trying while the supervisor is away and names it', async () => {
  const server = await serve((peer, _after, connection) => {
    if (connection < 4) peer.close(4503)
    else sendFrame(peer, { type: 'console', lines: range(1, 1) })
  })
  // A connection that holds for the first wait counts as live: long enough here for the close to come before.
  const client = openClient(server.port, undefined, 500)
  await vi.waitFor(() => expect(client.now()).toEqual({ state: 'live' }), { timeout: 15_000 })
  const reconnecting = client.connections.filter((connection) => connection.state === 'reconnecting')
  expect(reconnecting).toEqual([1, 2, 3].map((attempt) => ({ state: 'reconnecting', attempt, because: 'supervisor' })))
})

test('renews an ended session and gives up when it cannot be renewed', async () => {
  let renewals = 0
  const server = await serve((peer, _after, connection) => {
    if (connection === 1) peer.close(4401)
    else sendFrame(peer, { type: 'console', lines: range(1, 1) })
  })
  const client = openClient(server.port, async () => {
    renewals += 1
    return renewals === 1
  })
  await vi.waitFor(() => expect(client.now()).toEqual({ state: 'live' }), { timeout: 15_000 })
  for (const peer of server.peers) peer.close(4401)
  await vi.waitFor(() => expect(client.now()).toEqual({ state: 'ended', because: 'session' }), { timeout: 15_000 })
  expect(server.connections()).toBe(2)
})

test.each([
  [4403, 'right'],
  [4404, 'missing'],
] as const)('close code %i is final', async (code, because) => {
  const server = await serve((peer) => peer.close(code))
  const client = openClient(server.port)
  await vi.waitFor(() => expect(client.now()).toEqual({ state: 'ended', because }), { timeout: 15_000 })
})

test('a command is answered, refused, lost or not sent: each is told apart', async () => {
  const server = await serve((peer) => {
    sendFrame(peer, { type: 'console', lines: range(1, 1) })
    peer.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { id: string; command: string }
      if (frame.command === 'hang') return
      if (frame.command === 'die') peer.terminate()
      else
        sendFrame(peer, {
          type: 'command_result',
          id: frame.id,
          error: frame.command === 'no' ? 'server_is_not_running' : null,
        })
    })
  })
  const client = openClient(server.port)
  expect(await client.socket.send('too early')).toEqual({ error: 'console_not_connected' })
  const live = () => vi.waitFor(() => expect(client.now()).toEqual({ state: 'live' }), { timeout: 15_000 })
  await live()
  expect(await client.socket.send('say hi')).toEqual({ error: null })
  expect(await client.socket.send('no')).toEqual({ error: 'server_is_not_running' })
  expect(await client.socket.send('die')).toEqual({ error: 'console_connection_lost' })
  await live()
  expect(await client.socket.send('hang')).toEqual({ error: 'console_connection_lost' })
  await live()
})

test('frames of another version and rubbish are passed over', async () => {
  const server = await serve((peer) => {
    peer.send('{')
    peer.send(Buffer.from([1, 2, 3]))
    peer.send(JSON.stringify({ type: 'from_the_future' }))
    peer.send(JSON.stringify({ type: 'console', lines: 'none' }))
    sendFrame(peer, { type: 'console', lines: range(1, 2) })
  })
  const client = openClient(server.port)
  await vi.waitFor(() => expect(client.buffer.lastSeq()).toBe(2), { timeout: 15_000 })
  expect(client.connections.map((connection) => connection.state)).toEqual(['connecting', 'live'])
})
