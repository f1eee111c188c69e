/** Ports beside the game's own: taken through the front door, and led into a real sandbox by a real gateway. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { addServiceAddOn } from '@wakestone/contract/sales/billings-routes'
import * as routes from '@wakestone/contract/servers/ports-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import type { Route } from '@wakestone/protocol/gateway'
import { makeRoute } from '../../apps/gateway/src/test-support/route-feed-server.ts'
import { startTestGateway } from '../../apps/gateway/src/test-support/gateway.ts'
import { canSeparateNetworks } from '../../apps/server/src/adapters/clusters/process/test-support/machine.ts'
import { openSandboxBench } from '../../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { endServer } from '../../apps/server/src/features/servers/servers/service.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { outcomeOf, refusalOf } from '../support/outcome.ts'
import { order, prepareArtifacts, topUp } from '../support/servers.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

describe('taking and giving back', () => {
  let api: TestApi
  let owner: Caller
  let walletId: string
  let engineVersion: string
  beforeAll(async () => {
    api = await startTestApi({ EXTRA_PORTS: '20000-20005', EXTRA_PORTS_PER_DAY: '4' })
    ;({ engineVersion } = await prepareArtifacts(api))
    owner = await api.signUp()
    walletId = await topUp(api.context, owner, 100_000)
  })
  afterAll(() => api?.close())

  const rent = (plan: string) =>
    owner.call(createServer, { body: order(walletId, engineVersion, { requested_billing_services: [plan] }) })
  const params = ({ id }: Server) => ({ id })
  const acquire = (server: Server, name: string, instead_of?: number) =>
    owner.call(routes.acquirePort, { params: params(server), body: { name, ...(instead_of && { instead_of }) } })
  const limits = (server: Server) => owner.call(routes.getPortLimits, { params: params(server) })

  test('as many as the plan has, each of them named, and shown with the server', async () => {
    const free = await rent('FREE')
    expect((await limits(free)).quota).toEqual({ available: 0, limit: 0 })
    expect(await refusalOf(acquire(free, 'Voice'))).toMatchObject({ error: 'too_many_ports', fields: { limit: 0 } })

    const server = await rent('AMETHYST')
    expect(await limits(server)).toEqual({
      limit: 4,
      availability: 4,
      next_available_at: null,
      quota: { available: 3, limit: 3 },
    })
    const voice = await acquire(server, 'Voice chat')
    expect(voice).toMatchObject({
      type: 'proxy',
      name: 'Voice chat',
      cluster_id: 'local',
      target_port: voice.port,
      service_id: server.service_id,
      created_by: owner.user.id,
    })
    expect(voice.port).toBeGreaterThanOrEqual(20_000)
    expect(voice.port).toBeLessThanOrEqual(20_005)
    expect(await outcomeOf(acquire(server, 'voice CHAT'))).toBe('resource_already_exists')
    expect(await outcomeOf(acquire(server, '<b>'))).toBe('invalid_request')
    expect((await owner.call(getServer, { params: params(server) })).cluster_ports).toEqual([voice])

    // Exchanged: it counts once, and the event says for which.
    const other = await acquire(server, 'Voice chat', voice.port)
    expect(other.port).not.toBe(voice.port)
    expect((await limits(server)).quota.available).toBe(2)
    // Three at once for two: then the day is over too.
    const tries = await Promise.all(['a', 'b', 'c'].map((name) => outcomeOf(acquire(server, name))))
    expect(tries.filter((outcome) => outcome === 'success')).toHaveLength(2)
    const used = await limits(server)
    expect(used).toMatchObject({ availability: 0, quota: { available: 0, limit: 3 } })
    expect(Date.parse(used.next_available_at!) - Date.now()).toBeGreaterThan(86_300_000)

    await owner.call(routes.releasePort, { params: params(server), body: { port: other.port } })
    expect(
      await outcomeOf(owner.call(routes.releasePort, { params: params(server), body: { port: other.port } })),
    ).toBe('resource_not_found')
    expect(await refusalOf(acquire(server, 'Voice chat'))).toMatchObject({ error: 'too_many_requests' })
    const { data } = await owner.call(listServerEvents, {
      params: params(server),
      query: { action: 'SERVER_PORT_CHANGE' },
    })
    expect(data).toHaveLength(5)

    // What was given up is nobody's for a day; of six numbers two are in use, two rest, and two are left.
    const grass = await rent('GRASS')
    const more = await acquire(grass, 'Map')
    expect([voice.port, other.port]).not.toContain(more.port)
    expect(await outcomeOf(acquire(grass, 'Votes'))).toBe('too_many_ports')
    const last = await rent('GRASS')
    expect([voice.port, other.port, more.port]).not.toContain((await acquire(last, 'Map')).port)
    expect(await outcomeOf(acquire(await rent('GRASS'), 'Map'))).toBe('service_unavailable')

    // They go with the server.
    await inTransaction(api.context.db, (trx) => endServer(trx, server.id, new Date()))
    const { rows } = await api.context.database.pool.query('select port from cluster_ports where server_id is not null')
    expect(rows).toHaveLength(2)
  })

  test('an add-on raises their number, for as long as it is paid', async () => {
    const server = await rent('GRASS')
    await owner.call(addServiceAddOn, {
      params: { id: server.service_id },
      body: { product_id: 'EXTRA_PORTS_3', wallet_id: walletId },
    })
    expect((await limits(server)).quota).toEqual({ available: 4, limit: 4 })
    expect((await owner.call(getServer, { params: params(server) })).parameters.limits.ports).toBe(4)
  })

  test('a place without walls around networks has none', async () => {
    const server = await rent('AMETHYST')
    await api.context.database.pool.query(`update servers set game_host = '127.0.0.1' where id = $1`, [server.id])
    expect(await outcomeOf(acquire(server, 'Voice'))).toBe('cluster_does_not_support_module')
  })

  test('whoever may manage ports alone may do that alone', async () => {
    const server = await rent('AMETHYST')
    const guest = await api.signUp()
    const limitsOf = () => outcomeOf(guest.call(routes.getPortLimits, { params: params(server) }))
    expect(await limitsOf()).toBe('server_id_not_found')
    const grant = (name: string) =>
      api.context.database.pool.query(
        `insert into user_capabilities (user_id, resource_type, resource_id, name, value) values ($1, 'server', $2, $3, 'true')`,
        [guest.user.id, server.id, name],
      )
    await grant('server.manage.read')
    expect(await limitsOf()).toBe('insufficient_capabilities')
    await grant('server.manage.ports')
    expect(await limitsOf()).toBe('success')
  })
})

const game = readFileSync(new URL('../../apps/supervisor/src/test-support/script-game.ts', import.meta.url), 'utf8')
/** What a game has that listens for voice by UDP and serves a page by TCP, beside the game itself. */
const VOICE = `
import { createSocket } from 'node:dgram'
import { createServer as listenFor } from 'node:net'
listenFor((socket) => {
  socket.on('error', () => {})
  socket.on('data', (bytes) => socket.write('page ' + bytes))
}).listen(EXTRA)
const voice = createSocket('udp4')
voice.on('message', (bytes, from) => {
  if (!String(bytes).startsWith('junk')) voice.send('heard ' + bytes, from.port, from.address)
})
voice.bind(EXTRA)
`

/** A port that is free by TCP and UDP. */
async function freeBoth(): Promise<number> {
  for (;;) {
    const server = createTcpServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    const socket = createSocket('udp4')
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false))
      socket.bind(port, '127.0.0.1', () => resolve(true))
    })
    socket.close()
    if (isFree) return port
  }
}

const udp = async (address: string): Promise<UdpSocket> => {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  await new Promise<void>((done) => socket.bind(0, address, () => done()))
  return socket
}
/** What a server answers to a datagram; undefined: nothing. */
function ask(socket: UdpSocket, port: number, text: string, milliseconds = 2_000): Promise<string | undefined> {
  return new Promise((resolve) => {
    const heard = (bytes: Buffer) => end(String(bytes))
    const timer = setTimeout(() => end(undefined), milliseconds)
    const end = (answer: string | undefined) => {
      clearTimeout(timer)
      socket.off('message', heard)
      resolve(answer)
    }
    socket.on('message', heard)
    socket.send(text, port, '127.0.0.1')
  })
}
function dial(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  return socket
}
/** What is answered to a text by TCP; empty: the connection was refused. */
async function talk(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const heard = await Promise.race([
    once(socket, 'data').then(([bytes]) => String(bytes)),
    once(socket, 'close').then(() => ''),
  ]).catch(() => '')
  return heard
}

test.runIf(isLong && canSeparateNetworks)(
  'a game in a real sandbox hears voice by UDP and serves a page by TCP through its port, and a flood is held off',
  async () => {
    const port = await freeBoth()
    const bench = await openSandboxBench()
    onTestFinished(() => bench.close())
    const cluster = bench.openCluster({
      network: { internet: false, reachable: [], resolvers: [], extraPorts: { first: port, last: port } },
    })
    const serverId = '018f0000-0000-7000-8000-00000000feed'
    const { endpoint, game: backend } = await cluster.place({ serverId, limits: bench.limits })
    const client = bench.connect(serverId, endpoint)
    await client.install(await bench.packScript(VOICE.replaceAll('EXTRA', String(port)) + game, 'voice-game'))
    await bench.reach(client, ['stopped'])
    await client.start()
    await bench.reach(client, ['running'])
    expect(backend.host).not.toMatch(/^127\./)

    const route: Route = makeRoute({
      host: 'voice.example',
      serverId,
      state: 'running',
      backend,
      ports: [{ port, target: port }],
    })
    const second: Route = { ...route, host: 'another-name.example' }
    const gateway = await startTestGateway([route, second], {
      portLimits: { perAddress: 4, perNetwork: 40, inAll: 100 },
    })
    onTestFinished(() => gateway.close())

    const player = await udp('127.9.9.9')
    onTestFinished(() => void player.close())
    await vi.waitFor(async () => expect(await ask(player, port, 'hello', 300)).toBe('heard hello'), 15_000)
    const page = dial(port, '127.9.9.9')
    onTestFinished(() => void page.destroy())
    expect(await talk(page, 'GET')).toBe('page GET')

    // Addresses of a few networks at first.
    const blocks = 8
    const figure = async (name: string) =>
      [...(await gateway.metrics()).matchAll(new RegExp(`^wakestone_gateway_${name} (\\d+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      )
    const began = performance.now()
    let most = 0
    for (let block = 0; block < blocks; block++) {
      const flood = await Promise.all(Array.from({ length: 250 }, (_, at) => udp(`127.20.${block}.${at + 1}`)))
      for (const socket of flood) for (let burst = 0; burst < 3; burst++) socket.send('junk', port, '127.0.0.1')
      const sockets = flood.map((_, at) => dial(port, `127.20.${block}.${at + 1}`))
      await Promise.race([
        Promise.allSettled(sockets.map((socket) => once(socket, 'connect'))),
        new Promise((done) => setTimeout(done, 2_000)),
      ])
      most = Math.max(most, await figure('extra_connections'))
      // Who was there before is still heard, and so is who was answered.
      expect(await ask(player, port, `still ${block}`)).toBe(`heard still ${block}`)
      expect(await talk(page, `still ${block}`)).toBe(`page still ${block}`)
      for (const socket of flood) socket.close()
      for (const socket of sockets) socket.destroy()
    }
    const seconds = (performance.now() - began) / 1000
    const metrics = await gateway.metrics()
    const refused = Object.fromEntries(
      [...metrics.matchAll(/refused_total\{reason="(\w+)"\} (\d+)/g)].map(([, reason, count]) => [
        reason,
        Number(count),
      ]),
    )
    console.log(`a flood of ${blocks * 250} addresses in ${seconds.toFixed(1)} s:`, JSON.stringify({ most, refused }))
    expect(most).toBeLessThanOrEqual(200) // by TCP, and by UDP
    expect(refused['network_too_many']).toBeGreaterThan(blocks * 125)

    // Each of another network: what the server does not answer makes room for a newcomer whom it does.
    const spread = await Promise.all(Array.from({ length: 300 }, (_, at) => udp(`127.30.${at % 250}.${1 + (at >> 8)}`)))
    for (const socket of spread) socket.send('junk', port, '127.0.0.1')
    await vi.waitFor(async () => expect(await figure('extra_connections')).toBeGreaterThan(90), 15_000)
    const newcomer = await udp('127.44.0.1')
    onTestFinished(() => void newcomer.close())
    expect(await ask(newcomer, port, 'let me in')).toBe('heard let me in')
    expect(await ask(player, port, 'and me')).toBe('heard and me')
    for (const socket of spread) socket.close()

    // One address alone gets four.
    const own = await Promise.all(Array.from({ length: 6 }, () => udp('127.55.0.1')))
    const heard = await Promise.all(own.map((socket, at) => ask(socket, port, `own ${at}`, 1_000)))
    expect(heard.filter((answer) => answer !== undefined)).toHaveLength(4)
    for (const socket of own) socket.close()

    // Given up: both are cut off, and nobody listens there any more.
    const cut = once(page, 'close')
    for (const one of [route, second]) gateway.feed.set({ ...one, ports: [] })
    await cut
    expect(await ask(player, port, 'anybody?', 500)).toBeUndefined()
    const refusedDial = dial(port, '127.0.0.1')
    expect(await talk(refusedDial, 'anybody?')).toBe('')
  },
  120_000,
)
