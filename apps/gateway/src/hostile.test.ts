import { MAX_HANDSHAKE_BYTES, writeHandshake } from '@wakestone/minecraft/handshake'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { STATUS_REQUEST } from '@wakestone/minecraft/status'
import { plainText } from '@wakestone/minecraft/text'
import { writeVarInt } from '@wakestone/minecraft/var-int'
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from './test-support/gateway.ts'
import { makeRoute } from './test-support/route-feed-server.ts'
import { openWire, until } from './test-support/wire.ts'

vi.setConfig({ testTimeout: 90_000 })

let gateway: TestGateway
afterEach(() => gateway.close())

const hello = Buffer.concat([
  writeHandshake({ protocol: 769, host: 'stopped.test', port: 25565, intent: 'status' }),
  STATUS_REQUEST,
])

async function start(overrides: Parameters<typeof startTestGateway>[1] = {}) {
  gateway = await startTestGateway([makeRoute({ host: 'stopped.test' })], overrides)
}

async function expectAlive() {
  const status = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'stopped.test' })
  expect(plainText(status.description)).toContain('Grass is stopped')
}

async function refusals(reason: string) {
  return Number(new RegExp(`refused_total\\{reason="${reason}"\\} (\\d+)`).exec(await gateway.metrics())?.[1] ?? 0)
}

/** Sends, says goodbye, and waits until the gateway has let go. */
async function throwAt(chunks: Uint8Array[]) {
  const wire = openWire(gateway.port)
  for (const chunk of chunks) wire.socket.write(chunk)
  wire.socket.end()
  await wire.closed()
}

test('garbage in any pieces never harms it', async () => {
  await start()
  const head = fc.constantFrom(Buffer.alloc(0), hello, hello.subarray(0, 7), Buffer.from('fe01fa', 'hex'))
  const garbage = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(head, garbage, async (begin, chunks) => throwAt([begin, ...chunks])),
    { numRuns: 300 },
  )
  await expectAlive()
  expect(await refusals('malformed')).toBeGreaterThan(0)
  await until(async () => /connections_open 0\n/.test(await gateway.metrics()), 'nothing left open')
})

test.each([
  ['a length without end', Buffer.alloc(10, 0xff)],
  ['a length below zero', writeVarInt(-1)],
  ['an empty packet', Buffer.from([0])],
  ['a handshake beyond the limit', writeVarInt(MAX_HANDSHAKE_BYTES + 1)],
  ['a host longer than its packet', Buffer.from([0x06, 0x00, 0x2f, 0xff, 0xff, 0x03, 0x41])],
  ['an unknown next state', writeHandshakeWithState(9)],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: stopped.test\r\n\r\n')],
  ['TLS', Buffer.from('16030100f8010000f40303', 'hex')],
  ['SSH', Buffer.from('SSH-2.0-Go\r\n')],
  ['a legacy message of another kind', Buffer.from('fe01fa000b0041', 'hex')],
  ['a huge packet after the handshake', Buffer.concat([hello, writeVarInt(2_000_000)])],
  ['an unknown packet after the handshake', Buffer.concat([hello, Buffer.from([1, 7])])],
])('%s is turned away at once', async (_, bytes) => {
  await start()
  const wire = openWire(gateway.port)
  wire.socket.write(bytes)
  await wire.closed()
  expect(await refusals('malformed')).toBe(1)
  await expectAlive()
})

function writeHandshakeWithState(state: number) {
  const bytes = writeHandshake({ protocol: 769, host: 'stopped.test', port: 25565, intent: 'status' })
  bytes[bytes.length - 1] = state
  return bytes
}

test('who is slow or silent has only so much time, however busy it keeps', async () => {
  await start({ handshakeSeconds: 0.5 })
  const silent = openWire(gateway.port)
  const afterHello = openWire(gateway.port)
  afterHello.socket.write(hello)
  const login = openWire(gateway.port)
  login.socket.write(writeHandshake({ protocol: 769, host: 'stopped.test', port: 25565, intent: 'login' }))
  const dripping = openWire(gateway.port)
  dripping.socket.write(writeVarInt(4000))
  const drip = setInterval(() => dripping.socket.write(Buffer.from([0])), 20)
  // Never closes its side after its answer.
  const lingering = openWire(gateway.port)
  lingering.socket.removeAllListeners('end')
  lingering.socket.write(Buffer.concat([hello, Buffer.from('090112345678', 'hex'), Buffer.alloc(4)]))
  try {
    for (const wire of [silent, afterHello, login, dripping]) await wire.closed()
    await until(async () => /connections_open 0\n/.test(await gateway.metrics()), 'nothing left open')
  } finally {
    clearInterval(drip)
    lingering.socket.destroy()
  }
  expect(await refusals('timeout')).toBeGreaterThanOrEqual(4)
  await expectAlive()
})

test('who asks for the status again and again gets it once', async () => {
  await start()
  const wire = openWire(gateway.port)
  wire.socket.write(Buffer.concat([hello, ...Array.from({ length: 5_000 }, () => STATUS_REQUEST)]))
  const answer = (await wire.closed()).toString()
  expect(answer.split('Grass is stopped').length - 1).toBeLessThanOrEqual(1)
  expect(await gateway.metrics()).toMatch(/answers_total\{kind="status",situation="stopped"\} 1\n/)
  expect(await refusals('malformed')).toBe(1)
  await expectAlive()
})

test('who goes on talking after the answer is cut off', async () => {
  await start()
  const wire = openWire(gateway.port)
  wire.socket.write(Buffer.concat([hello, Buffer.from('0901', 'hex'), Buffer.alloc(8), Buffer.alloc(1_000_000)]))
  await until(() => wire.socket.destroyed, 'cut off')
  await expectAlive()
})

test('one address holds only so many connections; others are served, and places come free', async () => {
  await start({ connectionsPerAddress: 3 })
  const held = Array.from({ length: 3 }, () => openWire(gateway.port, { localAddress: '127.0.0.2' }))
  await until(async () => /connections_open 3\n/.test(await gateway.metrics()), 'three held')
  const fourth = openWire(gateway.port, { localAddress: '127.0.0.2' })
  expect(await fourth.closed()).toHaveLength(0)
  expect(await refusals('too_many')).toBe(1)
  await expectAlive()
  held[0]!.socket.destroy()
  await until(async () => /connections_open 2\n/.test(await gateway.metrics()), 'one left')
  const next = openWire(gateway.port, { localAddress: '127.0.0.2' })
  next.socket.write(hello)
  expect((await next.atLeast(20)).toString()).toContain('Grass is stopped')
  for (const wire of [...held, next]) wire.socket.destroy()
})

test('one address opens only so many in a while', async () => {
  await start({ connectionRate: 5 })
  const visits = Array.from({ length: 12 }, async () => {
    const wire = openWire(gateway.port, { localAddress: '127.0.0.3' })
    wire.socket.end(hello)
    return (await wire.closed()).length > 0
  })
  const answered = (await Promise.all(visits)).filter(Boolean).length
  expect(answered).toBeGreaterThanOrEqual(5)
  expect(answered).toBeLessThan(12)
  expect(await refusals('too_fast')).toBe(12 - answered)
  await expectAlive()
})
