import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readHandshake, writeHandshake } from '@wakestone/minecraft/handshake'
import { readLegacyResponse, writeLegacyPing } from '@wakestone/minecraft/legacy-ping'
import { readLoginDisconnect, writeLoginStart } from '@wakestone/minecraft/login'
import { readPacket } from '@wakestone/minecraft/packet'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { readProxyHeader, writeProxyHeader } from '@wakestone/minecraft/proxy-protocol'
import { STATUS_REQUEST, writeStatusResponse } from '@wakestone/minecraft/status'
import { plainText } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import { afterEach, expect, test, vi } from 'vitest'
import { isLong } from '../../../tests/support/long.ts'
import { startBackend } from './test-support/backend.ts'
import { startTestGateway } from './test-support/gateway.ts'
import { makeRoute } from './test-support/route-feed-server.ts'
import { openWire, until } from './test-support/wire.ts'

vi.setConfig({ testTimeout: 90_000 })

const endings: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of endings.splice(0).toReversed()) await part.close()
})
function keep<T extends { close(): Promise<void> }>(part: T): T {
  endings.push(part)
  return part
}

function running(backend: { host: string; port: number }, more: Partial<Route> = {}): Route {
  return makeRoute({
    host: 'game.test',
    state: 'running',
    backend: { host: backend.host, port: backend.port },
    ...more,
  })
}
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const handshake = (host: string, intent: 'status' | 'login' | 'transfer' = 'login') =>
  writeHandshake({ protocol: 769, host, port: 25565, intent })

test('the game receives exactly the bytes that the player sent, and the other way round', async () => {
  const backend = keep(await startBackend((socket) => socket.on('data', (chunk) => socket.write(chunk))))
  const gateway = keep(await startTestGateway([running(backend)]))
  const hello = Buffer.concat([
    handshake('GAME.test.\x00203.0.113.9\x00069a79f444e94726a5befca90e38aaf5\x00[]', 'transfer'),
    writeLoginStart('Steve', Buffer.alloc(16, 1)),
    randomBytes(100_000),
  ])
  const wire = openWire(gateway.port)
  // Cut in the middle of the handshake, and again in the middle of what follows.
  wire.socket.write(hello.subarray(0, 9))
  await new Promise((resolve) => wire.socket.write(hello.subarray(9, 70), resolve))
  wire.socket.write(hello.subarray(70))
  expect(hash(await wire.atLeast(hello.length))).toBe(hash(hello))
  expect(hash(backend.input(0))).toBe(hash(hello))
})

test.runIf(isLong)(
  'much passes both ways at once, slow readers slow their senders, and an end comes after all bytes',
  async () => {
    const down = randomBytes(40_000_000)
    const up = randomBytes(40_000_000)
    const backend = keep(
      await startBackend((socket) => {
        socket.pause()
        socket.end(down)
      }),
    )
    const gateway = keep(await startTestGateway([running(backend)]))
    const wire = openWire(gateway.port)
    wire.socket.pause()
    wire.socket.write(handshake('game.test'))
    wire.socket.end(up)
    await until(() => backend.sockets.length === 1, 'game reached')
    const game = backend.sockets[0]!
    // Neither reads: once the system's buffers are full, the gateway must hold still instead of hoarding.
    const waiting = async () => Number(/waiting_bytes (\d+)/.exec(await gateway.metrics())![1])
    const seen: number[] = []
    await until(
      async () => seen.push(await waiting()) > 5 && seen.slice(-5).every((bytes) => bytes > 65_536),
      'both wait',
    )
    expect(Math.max(...seen)).toBeLessThan(300_000)
    wire.socket.resume()
    expect(hash(await wire.closed())).toBe(hash(down))
    game.resume()
    await until(() => game.readableEnded, 'end passed on')
    expect(hash(backend.input(0).subarray(handshake('game.test').length))).toBe(hash(up))
  },
)

test('when the player says goodbye first, the game may still finish its sentence', async () => {
  const backend = keep(await startBackend((socket) => socket.on('end', () => socket.end(Buffer.from('last words')))))
  const gateway = keep(await startTestGateway([running(backend)]))
  const wire = openWire(gateway.port)
  wire.socket.end(handshake('game.test'))
  expect((await wire.closed()).toString()).toBe('last words')
  await until(async () => /joined_open 0\n/.test(await gateway.metrics()), 'nothing left open')
})

test('a connection broken on one side is closed on the other', async () => {
  const backend = keep(await startBackend())
  const gateway = keep(await startTestGateway([running(backend)]))
  const first = openWire(gateway.port)
  first.socket.write(handshake('game.test'))
  await until(() => backend.input(0).length > 0, 'first one in')
  first.socket.resetAndDestroy()
  await until(() => backend.sockets[0]!.destroyed || backend.sockets[0]!.readableEnded, 'game hears of it')
  const second = openWire(gateway.port)
  second.socket.write(handshake('game.test'))
  await until(() => backend.input(1).length > 0, 'second one in')
  backend.sockets[1]!.resetAndDestroy()
  await second.closed()
  backend.sockets[0]!.destroy()
  await until(async () => /joined_open 0\n/.test(await gateway.metrics()), 'nothing left open')
})

test('a game that does not answer is said not to', async () => {
  const gone = await startBackend()
  await gone.close()
  const gateway = keep(await startTestGateway([running(gone, { language: 'pl' })]))
  const status = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'game.test' })
  expect(plainText(status.description)).toContain('Grass nie odpowiada')
  const wire = openWire(gateway.port)
  wire.socket.write(handshake('game.test'))
  wire.socket.write(writeLoginStart('Steve'))
  expect(readLoginDisconnect(readPacket(await wire.closed())!)).toContain('Grass nie odpowiada')
})

/** A process that listens, stands still and has no room left in its queue: a dial to it hangs. */
async function startFrozen() {
  const script = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    process.kill(process.pid, 'SIGSTOP')
  })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  const fillers = Array.from({ length: 4 }, () => openWire(Number(port)))
  await until(() => fillers.some(({ socket }) => !socket.connecting), 'queue filling')
  return {
    host: '127.0.0.1',
    port: Number(port),
    async close() {
      for (const { socket } of fillers) socket.destroy()
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('a game that never accepts is given up after the dial time', async () => {
  const frozen = keep(await startFrozen())
  const gateway = keep(await startTestGateway([running(frozen)], { dialSeconds: 0.2 }))
  const status = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'game.test' })
  expect(plainText(status.description)).toContain('Grass is not responding')
  expect(await gateway.metrics()).toContain('backend_failures_total{code="ETIMEDOUT"} 1')
})

/** A game that answers the server list, after a PROXY header if one is due. */
function serveStatus(proxied: boolean) {
  const answer = writeStatusResponse({
    version: { name: '1.21.4', protocol: 769 },
    players: { max: 20, online: 3 },
    description: { text: 'Hello\nthere' },
  })
  return startBackend((socket) => {
    let answered = false
    let input = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk])
      const skip = proxied ? readProxyHeader(input)?.size : 0
      const packet = skip === undefined ? undefined : readPacket(input.subarray(skip))
      if (!packet || skip === undefined) return
      const rest = input.subarray(skip + packet.size)
      if (!answered && rest.length >= 2) {
        answered = true
        socket.write(answer)
      }
      if (rest.length === 12) socket.end(rest.subarray(2))
    })
  })
}

test('a running server speaks for itself in the server list, and in the old one through us', async () => {
  const backend = keep(await serveStatus(false))
  const gateway = keep(await startTestGateway([running(backend)]))
  const status = await pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'Game.Test' })
  expect(status).toMatchObject({ version: '1.21.4', online: 3 })
  const wire = openWire(gateway.port)
  wire.socket.write(writeLegacyPing({ form: '1.6', protocol: 74, host: 'game.test', port: 25565 }))
  const old = { protocol: 74, version: '1.21.4', motd: 'Hello there', online: 3, max: 20 }
  expect(readLegacyResponse(await wire.closed())).toEqual(old)
})

test('PROXY out: the game learns who the player is, then reads the untouched bytes', async () => {
  const backend = keep(await serveStatus(true))
  const gateway = keep(await startTestGateway([running(backend, { proxyProtocol: true })]))
  const wire = openWire(gateway.port, { localAddress: '127.0.0.9' })
  const sent = Buffer.concat([handshake('game.test', 'status'), STATUS_REQUEST])
  wire.socket.write(sent)
  await wire.atLeast(10)
  const { localPort } = wire.socket
  const input = backend.input(0)
  const header = readProxyHeader(input)!
  expect(header.source).toEqual({ address: '127.0.0.9', port: localPort })
  expect(header.destination).toEqual({ address: '127.0.0.1', port: gateway.port })
  expect(readHandshake(readPacket(input.subarray(header.size))!).host).toBe('game.test')
  expect(input.subarray(header.size)).toEqual(sent)
  wire.socket.destroy()
  const old = openWire(gateway.port)
  old.socket.write(writeLegacyPing({ form: '1.6', protocol: 74, host: 'game.test', port: 25565 }))
  expect(readLegacyResponse(await old.closed())).toMatchObject({ online: 3 })
})

test('PROXY in: the header is believed, limits count the player it names, and it is passed on', async () => {
  const backend = keep(await serveStatus(true))
  const gateway = keep(
    await startTestGateway([running(backend, { proxyProtocol: true }), makeRoute({ host: 'stopped.test' })], {
      proxyIn: true,
      connectionsPerAddress: 1,
    }),
  )
  const ends = (address: string) => ({
    source: { address, port: 4000 },
    destination: { address: '2001:db8::1', port: 25565 },
  })
  const first = openWire(gateway.port)
  const hello = Buffer.concat([
    writeProxyHeader(ends('2001:db8:7::9')),
    handshake('game.test', 'status'),
    STATUS_REQUEST,
  ])
  for (const byte of hello) first.socket.write(Buffer.from([byte]))
  await first.atLeast(10)
  expect(readProxyHeader(backend.input(0))).toMatchObject(ends('2001:db8:7::9'))

  const neighbour = openWire(gateway.port)
  neighbour.socket.write(
    Buffer.concat([writeProxyHeader(ends('2001:db8:7::a')), handshake('stopped.test', 'status'), STATUS_REQUEST]),
  )
  expect(await neighbour.closed()).toHaveLength(0)

  const other = openWire(gateway.port)
  other.socket.write(
    Buffer.concat([writeProxyHeader(ends('2001:db8:8::9')), handshake('stopped.test', 'status'), STATUS_REQUEST]),
  )
  expect((await other.atLeast(10)).toString()).toContain('is stopped')

  const bare = openWire(gateway.port)
  bare.socket.write(handshake('stopped.test', 'status'))
  expect(await bare.closed()).toHaveLength(0)

  const local = await pingServer({
    host: '127.0.0.1',
    port: gateway.port,
    virtualHost: 'stopped.test',
    proxyProtocol: true,
  })
  expect(plainText(local.description)).toContain('is stopped')
})

test('a stop closes players and games, and the port', async () => {
  const backend = keep(await startBackend())
  const gateway = await startTestGateway([running(backend)])
  const wire = openWire(gateway.port)
  wire.socket.write(handshake('game.test'))
  const idle = openWire(gateway.port)
  await until(() => backend.input(0).length > 0, 'player in')
  await gateway.close()
  await wire.closed()
  await idle.closed()
  await expect(pingServer({ host: '127.0.0.1', port: gateway.port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
