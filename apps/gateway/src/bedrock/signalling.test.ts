/** Players of newer Bedrock versions at the gateway, who agree by HTTP on a connection of WebRTC. */
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { once } from 'node:events'
import { readSide } from '@wakestone/bedrock/sdp'
import type { Route } from '@wakestone/protocol/gateway'
import { afterEach, expect, test, vi } from 'vitest'
import { freeUdpPort } from '../../../../tests/support/bedrock-game.ts'
import { ask, joinNetherNet, startNetherNetGame } from '../../../../tests/support/nethernet.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { makeRoute, type OnWake } from '../test-support/route-feed-server.ts'
import { until } from '../test-support/wire.ts'

vi.setConfig({ testTimeout: 30_000 })

let open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.toReversed()) await part.close()
  open = []
})
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  open.push(part)
  return part
}

type Change = (change: Partial<Route>) => void
const host = 'cavern.example.test'

async function openServer(route: Partial<Route>, onWake?: (set: Change) => ReturnType<OnWake>) {
  const [port, shared] = [await freeUdpPort(), await freeUdpPort()]
  const first = makeRoute({ host, bedrock: { port, signalling: true }, canWake: true, serverName: 'Cavern', ...route })
  const set: Change = (change) => gateway.feed.set({ ...first, ...change })
  const gateway = keep(
    await startTestGateway([first], {
      signalling: { port: shared, publicAddress: undefined, tls: undefined },
      onWake: () => onWake?.(set) ?? { expectedSeconds: null },
    }),
  )
  await until(async () => (await gateway.metrics()).includes('bedrock_ports 1'), 'the port is open', 10_000)
  await until(async () => (await tried(shared)) === 'open', 'the port that is shared is open', 10_000)
  return { port, shared, set, gateway, orders: gateway.feed.wakes }
}
const leadsTo = (game: { port: number }) =>
  ({ state: 'running', backend: { host: '127.0.0.1', port: game.port } }) as const
const statusAt = async (port: number, name = host) =>
  JSON.parse((await ask({ port, host: name, path: '/v1/join' })).text) as Record<string, unknown>

test('a player of a running game is led to it through the one port that is open, by name or by port', async () => {
  const offers: string[] = []
  const game = keep(await startNetherNetGame({ offers: (sdp) => offers.push(sdp) }))
  const { port, shared, gateway } = await openServer(leadsTo(game))
  expect(await statusAt(shared)).toMatchObject({ name: 'Cavern', version: '1.26.51', players: 0, maxPlayers: 10 })
  for (const place of [{ port: shared, host: `${host}:${shared}` }, { port }]) {
    const player = await joinNetherNet(place)
    // Neither side learns of another way than this.
    expect(readSide(player.answer).ports).toEqual([port])
    expect(readSide(offers.at(-1)!).ports).toEqual([9])
    expect(await player.say('hello')).toBe('you said hello')
    expect(await gateway.metrics()).toMatch(/bedrock_sessions [1-9]/) // one for each address of theirs
    await player.leave()
  }
})

test('looking wakes nothing and shows that it sleeps; a join wakes it, and is answered once it is up', async () => {
  const gamePort = await freeUdpPort()
  const { shared, orders } = await openServer({ state: 'asleep' }, (set) => {
    set({ state: 'starting' })
    void startNetherNetGame({ port: gamePort }).then((game) => set(leadsTo(keep(game))))
    return { expectedSeconds: 2 }
  })
  for (let count = 0; count < 20; count += 1)
    expect(await statusAt(shared)).toMatchObject({ name: expect.stringMatching(/Cavern is asleep.*Join to wake it/) })
  expect(orders).toEqual([])
  const player = await joinNetherNet({ port: shared, host })
  expect(orders).toMatchObject([{ name: null, address: '127.0.0.1' }])
  expect(await player.say('awake')).toBe('you said awake')
  await player.leave()
})

test('what does not come up is refused; who is banned there wakes nothing', async () => {
  const { shared, orders, set, gateway } = await openServer({ state: 'asleep' }, () => ({ error: 'server_is_expired' }))
  await expect(joinNetherNet({ port: shared, host })).rejects.toThrow('503')
  set({ state: 'asleep', door: { whitelist: null, banned: [], bannedAddresses: ['127.0.0.1'] } })
  const given = orders.length
  await until(async () => (await gateway.health()).routes === 1, 'the route has come')
  await expect(joinNetherNet({ port: shared, host })).rejects.toThrow('503')
  expect(orders).toHaveLength(given)
})

test('another server, a game without it, and what is no request are sent away', async () => {
  const { shared, port, set } = await openServer({ state: 'asleep' })
  expect((await ask({ port: shared, host: 'nobody.example.test', path: '/v1/join' })).status).toBe(404)
  expect((await ask({ port: shared, host, path: '/v2' })).status).toBe(404)
  expect((await ask({ port: shared, host, path: '/v1/join/x', method: 'POST' })).status).toBe(404)
  const large = 'x'.repeat(70_000)
  expect((await ask({ port: shared, host, path: '/v1/join/1', method: 'POST', body: large })).status).toBe(413)
  for (const bytes of [Buffer.from([0x16, 3, 1, 0, 0]), Buffer.from('\0\0\0'), Buffer.from('GET /v1/join\r\n\r\n')]) {
    const socket = connect({ port: shared, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.resume()
    socket.end(bytes)
    await once(socket, 'close')
  }
  // Its clients go on to RakNet, which is at the same port.
  set({ bedrock: { port, signalling: false } })
  await until(async () => (await tried(port)) === 'refused', 'the port is closed')
})

test('datagrams that nobody has agreed on go nowhere', async () => {
  const game = keep(await startNetherNetGame())
  const { port, gateway } = await openServer(leadsTo(game))
  const socket = createSocket('udp4')
  const request = Buffer.alloc(32)
  request.writeUInt16BE(1, 0)
  request.writeUInt16BE(12, 2)
  request.writeUInt32BE(0x2112a442, 4)
  request.writeUInt16BE(6, 20)
  request.writeUInt16BE(8, 22)
  request.write('abcd:efg', 24)
  for (const bytes of [request, Buffer.alloc(1), Buffer.alloc(1_400, 22)]) socket.send(bytes, port, '127.0.0.1')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await gateway.metrics()).toContain('bedrock_sessions 0')
  socket.close()
})

async function tried(port: number): Promise<'open' | 'refused'> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return 'open'
  } catch {
    return 'refused'
  } finally {
    socket.destroy()
  }
}
