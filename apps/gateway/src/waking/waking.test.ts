import { setTimeout as wait } from 'node:timers/promises'
import { readHandshake, writeHandshake } from '@wakestone/minecraft/handshake'
import { readLegacyResponse, writeLegacyPing } from '@wakestone/minecraft/legacy-ping'
import { readLoginStart, writeLoginStart } from '@wakestone/minecraft/login'
import { readPacket } from '@wakestone/minecraft/packet'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { STATUS_REQUEST, writePing } from '@wakestone/minecraft/status'
import { plainText } from '@wakestone/minecraft/text'
import type { Route } from '@wakestone/protocol/gateway'
import type { Door, Face } from '@wakestone/protocol/supervisor'
import { afterEach, expect, test, vi } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { startBackend } from '../test-support/backend.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { inGame, joinRaw, packetsOf } from '../test-support/raw-client.ts'
import { makeRoute } from '../test-support/route-feed-server.ts'
import { startSupervisor } from '../test-support/supervisor.ts'
import { openWire, until } from '../test-support/wire.ts'

vi.setConfig({ testTimeout: 30_000 })

const endings: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of endings.splice(0).toReversed()) await part.close()
})
function keep<T extends { close(): Promise<void> }>(part: T): T {
  endings.push(part)
  return part
}

const face: Face = {
  description: '{"text":"A meadow"}',
  version: 'Paper 1.21.4',
  versionProtocol: 769,
  max: 7,
  icon: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`,
}
const openDoor: Door = { whitelist: null, banned: [], bannedAddresses: [] }

const asleep = (more: Partial<Route> = {}) =>
  makeRoute({ host: 'game.test', state: 'asleep', canWake: true, expectedSeconds: 5, face, door: openDoor, ...more })

/** A stand-in for a game that lets everybody in. */
const startGame = async () =>
  keep(
    await startBackend((socket) => {
      let input = Buffer.alloc(0)
      socket.on('end', () => socket.end())
      socket.on('data', (chunk) => {
        input = Buffer.concat([input, chunk])
        if (packetsOf(input).length >= 2) socket.write(inGame)
      })
    }),
  )
type Game = Awaited<ReturnType<typeof startGame>>

const frozen = async (game: Game, supervisor: Awaited<ReturnType<typeof startSupervisor>>, more: Partial<Route> = {}) =>
  asleep({ state: 'light_sleep', backend: { host: game.host, port: game.port }, thaw: supervisor.grant, ...more })

/** A gateway before one server that sleeps, and how that comes up. */
async function startSleeper(route: Route, options: Parameters<typeof startTestGateway>[1] = {}) {
  const gateway = keep(await startTestGateway([route], options))
  const game = await startGame()
  return {
    gateway,
    game,
    orders: () => gateway.feed.wakes.length,
    move: (state: Route['state'], more: Partial<Route> = {}) => gateway.feed.set({ ...route, state, ...more }),
    wakeUp: () => gateway.feed.set({ ...route, state: 'running', backend: { host: game.host, port: game.port } }),
    join: (more: Partial<Parameters<typeof joinRaw>[0]> = {}) =>
      joinRaw({ gatewayPort: gateway.port, host: 'game.test', protocol: 769, ...more }),
    status: () => pingServer({ host: '127.0.0.1', port: gateway.port, virtualHost: 'game.test', protocol: 769 }),
    count: async (name: string) =>
      Number(
        new RegExp(`wakestone_gateway_${name.replace(/[{}"]/g, '\\$&')} (\\d+)`).exec(await gateway.metrics())?.[1] ??
          0,
      ),
  }
}
const words = async (status: Promise<{ description: unknown }>) => plainText((await status).description)

test('a proxy that sleeps answers players of every version in theirs', async () => {
  const proxy = { ...face, version: 'Velocity 1.7.2-26.2', versionProtocol: 770 }
  const sleeper = await startSleeper(asleep({ anyVersion: true, face: proxy }))
  const ask = (protocol: number) =>
    pingServer({ host: '127.0.0.1', port: sleeper.gateway.port, virtualHost: 'game.test', protocol })
  for (const protocol of [340, 769, 776, 769]) expect(await ask(protocol)).toMatchObject({ protocol, max: 7 })
  const single = await startSleeper(asleep())
  expect(await single.status()).toMatchObject({ protocol: 769 })
})

test.each([
  ['en', 'Grass is asleep\nJoin to wake it.', 'Grass is waking up (about 5 s)'],
  ['pl', 'Grass śpi\nDołącz, aby go obudzić.', 'Grass się budzi (około 5 s)'],
  ['de', 'Grass schläft\nTritt bei, um ihn zu wecken.', 'Grass wacht auf (noch etwa 5 s)'],
] as const)(
  'the server list shows a sleeper as itself, and says that it sleeps: %s',
  async (language, text, waking) => {
    const sleeper = await startSleeper(asleep({ language }))
    const wire = openWire(sleeper.gateway.port)
    wire.socket.write(writeHandshake({ protocol: 340, host: 'game.test', port: 25565, intent: 'status' }))
    wire.socket.write(STATUS_REQUEST)
    wire.socket.write(writePing(Buffer.alloc(8)))
    const answer = readPacket(await wire.closed())!.data.toString()
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      version: { name: 'Paper 1.21.4', protocol: 769 },
      players: { max: 7, online: 0 },
      favicon: face.icon,
    })
    expect(await words(sleeper.status())).toBe(text)
    sleeper.move('starting', { expectedSeconds: 4.2 })
    await until(async () => (await words(sleeper.status())).includes(waking), 'it says that it wakes')
    expect(sleeper.orders()).toBe(0)
  },
)

test('one that nobody can wake is stopped, for whoever looks or joins', async () => {
  const sleeper = await startSleeper(asleep({ canWake: false }))
  expect(await words(sleeper.status())).toContain('Grass is stopped')
  expect((await sleeper.join()).kicked).toContain('Grass is stopped')
  expect(sleeper.orders()).toBe(0)
})

test.each([47, 340, 754, 765, 766, 769, 775, 776, 0x40000009])(
  'a short wait is held, and the game reads what the player sent: protocol %i',
  async (protocol) => {
    const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds: 3 }) })
    const joining = sleeper.join({ protocol })
    await until(() => sleeper.orders() === 1, 'wake ordered')
    sleeper.move('starting')
    sleeper.wakeUp()
    expect(await joining).toMatchObject({ joined: true, transfers: [], kicked: undefined })
    const [handshake, login] = packetsOf(sleeper.game.input(0))
    expect(readHandshake(handshake!)).toEqual({ protocol, host: 'game.test', port: 25565, intent: 'login' })
    expect(readLoginStart(login!)).toBe('Steve')
    expect(sleeper.gateway.feed.wakes).toMatchObject([{ name: 'Steve', address: '127.0.0.1' }])
  },
)

test.each([766, 767, 769, 770, 771, 774, 775])(
  'a long wait is spent in the waiting room, and ends with a transfer to what was dialled: protocol %i',
  async (protocol) => {
    const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds: 60 }) })
    const seated = Promise.withResolvers<void>()
    const joining = sleeper.join({ protocol, host: 'Game.Test', port: 4242, onWaiting: seated.resolve })
    await seated.promise
    await until(async () => (await sleeper.count('waiting_open')) === 1, 'seated')
    sleeper.move('starting')
    sleeper.wakeUp()
    const told = await joining
    expect(told).toMatchObject({ joined: true, transfers: [{ host: 'game.test', port: 4242 }], kicked: undefined })
    expect(told.keepAlives).toBeGreaterThan(0)
    expect(told.dialogs.length > 0).toBe(protocol >= 771)
    if (protocol >= 771) expect(told.dialogs[0]!.toString()).toContain('Grass is waking up (about 60 s)')
    const [handshake] = packetsOf(sleeper.game.input(0))
    expect(readHandshake(handshake!)).toMatchObject({ intent: 'login', port: 4242 })
    await until(async () => (await sleeper.count('waiting_open')) === 0, 'place given back')
  },
)

// Clients end a connection on which they hear nothing for 30 s.
test.runIf(isLong).each([
  ['in the waiting room, a minute', { expectedSeconds: 60, seconds: 65, protocols: [766, 767, 769, 770, 771, 775] }],
  ['held, nearly as long as clients wait', { expectedSeconds: 20, seconds: 23, protocols: [47, 340, 754, 765, 776] }],
])('who waits %s, comes in', { timeout: 120_000 }, async (_, { expectedSeconds, seconds, protocols }) => {
  const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds }) })
  const joining = protocols.map((protocol, index) =>
    sleeper.join({ protocol, name: `Steve${index}`, readTimeoutMs: 30_000 }),
  )
  await until(async () => (await sleeper.count('waiting_open')) === protocols.length, 'all wait')
  sleeper.move('starting')
  await wait(seconds * 1000)
  sleeper.wakeUp()
  const isSeated = expectedSeconds === 60
  for (const told of await Promise.all(joining)) {
    expect(told).toMatchObject({ joined: true, kicked: undefined, disconnected: undefined })
    expect(told.transfers).toEqual(isSeated ? [{ host: 'game.test', port: 25565 }] : [])
  }
  expect(sleeper.orders()).toBe(1)
})

test('a room whose game crashes says so, and a transfer of others reaches the game as it is', async () => {
  const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds: 60 }) })
  const seated = Promise.withResolvers<void>()
  const joining = sleeper.join({ onWaiting: seated.resolve })
  await seated.promise
  sleeper.move('crashed', { canWake: false })
  expect((await joining).disconnected!.toString()).toContain('Grass has crashed')
  sleeper.wakeUp()
  await until(async () => (await words(sleeper.status()).catch(() => 'led on')) === 'led on', 'running')
  expect(await sleeper.join({ intent: 'transfer' })).toMatchObject({ joined: true })
  const last = sleeper.game.sockets.length - 1
  expect(readHandshake(packetsOf(sleeper.game.input(last))[0]!).intent).toBe('transfer')
})

test.each([
  ['a version without the room', { protocol: 340 }],
  ['a client with Forge', { protocol: 767, host: 'game.test\0FORGE4' }],
])('%s is told the seconds of a long wait', async (_, more) => {
  const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds: 60 }) })
  expect((await sleeper.join(more)).kicked).toContain('Grass is waking up (about 60 s)')
  expect(sleeper.orders()).toBe(1)
})

test('a light sleeper is thawed by its supervisor, though the API is away, and once for all who join', async () => {
  let thaw = () => {}
  const thawed = new Promise<void>((resolve) => (thaw = resolve))
  const supervisor = keep(await startSupervisor(() => thawed.then(() => 'running')))
  const game = await startGame()
  const gateway = keep(await startTestGateway([await frozen(game, supervisor)]))
  await gateway.feed.close()
  const joining = Array.from({ length: 20 }, (_, index) =>
    joinRaw({ gatewayPort: gateway.port, host: 'game.test', protocol: 769, name: `Steve${index}` }),
  )
  await until(() => supervisor.calls.length > 0, 'asked to thaw')
  await wait(100)
  expect(game.sockets).toHaveLength(0) // a frozen game accepts and never answers
  thaw()
  for (const told of await Promise.all(joining)) expect(told.joined).toBe(true)
  expect(supervisor.calls).toHaveLength(1)
})

test.each([
  ['is gone', undefined],
  ['has no running game', () => 'stopped'],
])('a light sleeper whose supervisor %s is woken by the API', async (_, thaw) => {
  const supervisor = keep(await startSupervisor(thaw))
  if (!thaw) await supervisor.close()
  const game = await startGame()
  const route = await frozen(game, supervisor)
  const gateway = keep(
    await startTestGateway([route], {
      onWake: () => {
        setImmediate(() => gateway.feed.set({ ...route, state: 'running' }))
        return { expectedSeconds: 2 }
      },
    }),
  )
  expect((await joinRaw({ gatewayPort: gateway.port, host: 'game.test', protocol: 47 })).joined).toBe(true)
  expect(gateway.feed.wakes).toHaveLength(1)
})

test('a game that is frozen while somebody is led to it is thawed again; a look at the list does not do that', async () => {
  const supervisor = keep(await startSupervisor())
  const game = keep(await startBackend())
  const route = await frozen(game as Game, supervisor)
  const running = { ...route, state: 'running' as const, thaw: null }
  const gateway = keep(await startTestGateway([running]))
  const look = openWire(gateway.port)
  look.socket.write(writeHandshake({ protocol: 769, host: 'game.test', port: 1, intent: 'status' }))
  await until(() => game.input(0).length > 0, 'looking')
  gateway.feed.set(route)
  await until(async () => (await gateway.health()).routes === 1, 'still routed')
  gateway.feed.set(running)
  await until(async () => {
    const player = openWire(gateway.port)
    player.socket.write(writeHandshake({ protocol: 769, host: 'game.test', port: 1, intent: 'login' }))
    await wait(50)
    return game.sockets.length > 1
  }, 'joining')
  expect(supervisor.calls).toHaveLength(0)
  gateway.feed.set(route)
  await until(() => supervisor.calls.length === 1, 'thawed')
})

test.each<[Route['language'], Partial<Door>, string]>([
  ['en', { banned: ['steve'] }, 'You are banned from this server'],
  ['pl', { bannedAddresses: ['127.0.0.1'] }, 'Twój adres IP został zbanowany na tym serwerze'],
  ['de', { whitelist: ['alex'] }, 'Du stehst nicht auf der Whitelist dieses Servers!'],
])('whom the game would not let in wakes nothing and hears why: %s', async (language, more, text) => {
  const supervisor = keep(await startSupervisor())
  const game = await startGame()
  const door: Door = { ...openDoor, ...more }
  const sleeping = asleep({ language, door })
  const gateway = keep(
    await startTestGateway([sleeping, await frozen(game, supervisor, { host: 'light.test', language, door })]),
  )
  for (const host of ['game.test', 'light.test'])
    for (const protocol of [47, 340, 769, 776])
      expect((await joinRaw({ gatewayPort: gateway.port, host, protocol, name: 'STEVE' })).kicked).toBe(text)
  expect([gateway.feed.wakes.length, supervisor.calls.length, game.sockets.length]).toEqual([0, 0, 0])
})

test('who is on the whitelist comes in', async () => {
  const sleeper = await startSleeper(asleep({ door: { ...openDoor, whitelist: ['steve'] } }), {
    onWake: () => ({ expectedSeconds: 1 }),
  })
  const joining = sleeper.join({ name: 'Steve' })
  await until(() => sleeper.orders() === 1, 'ordered')
  sleeper.wakeUp()
  expect((await joining).joined).toBe(true)
})

test('thousands of looks and a port scan wake nothing', async () => {
  const supervisor = keep(await startSupervisor())
  const game = await startGame()
  const gateway = keep(await startTestGateway([asleep(), await frozen(game, supervisor, { host: 'light.test' })]))
  const look = async (host: string) => {
    const wire = openWire(gateway.port)
    wire.socket.write(writeHandshake({ protocol: 769, host, port: 25565, intent: 'status' }))
    wire.socket.write(Buffer.concat([STATUS_REQUEST, writePing(Buffer.alloc(8))]))
    return (await wire.closed()).length
  }
  let looks = 0
  const loop = async () => {
    while (looks < (isLong ? 10_000 : 1_000))
      expect(await look(looks++ % 2 ? 'game.test' : 'light.test')).toBeGreaterThan(100)
  }
  await Promise.all(Array.from({ length: 32 }, loop))
  const scans = [
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.0\r\n\r\n'),
    writeLegacyPing({ form: 'beta' }),
    writeLegacyPing({ form: '1.4' }),
    writeHandshake({ protocol: 769, host: 'game.test', port: 25565, intent: 'login' }), // and no name
    writeHandshake({ protocol: 769, host: '127.0.0.1', port: 25565, intent: 'login' }),
    Buffer.concat([
      writeHandshake({ protocol: 769, host: '203.0.113.9', port: 25565, intent: 'login' }),
      writeLoginStart('Scanner', Buffer.alloc(16)),
    ]),
  ]
  for (const bytes of scans) {
    const wire = openWire(gateway.port)
    wire.socket.end(bytes)
    await wire.closed()
  }
  const old = openWire(gateway.port)
  old.socket.write(writeLegacyPing({ form: '1.6', protocol: 74, host: 'light.test', port: 25565 }))
  expect(readLegacyResponse(await old.closed())).toEqual({
    protocol: 74,
    version: 'Paper 1.21.4',
    motd: '§9§lGrass is asleep',
    online: 0,
    max: 7,
  })
  expect([gateway.feed.wakes.length, supervisor.calls.length, game.sockets.length]).toEqual([0, 0, 0])
})

test('five hundred joins of one address wake no more than it may, and others still wake theirs', async () => {
  const routes = Array.from({ length: 50 }, (_, index) => asleep({ host: `${index}.test` }))
  const gateway = keep(
    await startTestGateway([...routes, asleep({ host: 'theirs.test' })], {
      wakesPerAddress: 10,
      wakesPerNetwork: 30,
      onWake: () => ({ expectedSeconds: 60 }),
    }),
  )
  const join = (host: string, localAddress: string) =>
    joinRaw({ gatewayPort: gateway.port, host, protocol: 340, localAddress })
  for (let round = 0; round < 10; round++) {
    const told = await Promise.all(routes.map(({ host }) => join(host, '127.0.0.2')))
    for (const { kicked } of told) expect(kicked).toMatch(/is waking up|has knocked too often/)
  }
  expect(gateway.feed.wakes).toHaveLength(10)
  expect((await join('theirs.test', '127.0.1.1')).kicked).toContain('waking up')
  expect(gateway.feed.wakes).toHaveLength(11)
  for (const last of [3, 4, 5]) for (const { host } of routes.slice(20)) await join(host, `127.0.0.${last}`)
  expect(gateway.feed.wakes).toHaveLength(31) // of the network, whatever its addresses
})

test('one server is woken only so often, whoever knocks', async () => {
  const sleeper = await startSleeper(asleep(), { wakesPerServer: 2, onWake: () => ({ expectedSeconds: 60 }) })
  for (let turn = 1; turn <= 2; turn++) {
    expect((await sleeper.join({ protocol: 340, localAddress: `127.0.${turn}.1` })).kicked).toContain('waking up')
    sleeper.move('stopped', { canWake: false })
    await until(async () => (await words(sleeper.status())).includes('is stopped'), 'slept again')
    sleeper.move('asleep')
    await until(async () => (await words(sleeper.status())).includes('is asleep'), 'asleep again')
  }
  expect((await sleeper.join({ protocol: 340, localAddress: '127.0.9.1' })).kicked).toContain('has knocked too often')
  expect(sleeper.orders()).toBe(2)
})

test.each([
  ['server_is_expired', 'Grass has expired'],
  ['server_is_disabled', 'Grass is locked'],
  ['free_servers_not_available', 'All free places are taken'],
  ['too_many_requests', 'has knocked too often'],
  ['internal_error', 'Grass could not be woken'],
])('a refusal of the API is told: %s', async (error, text) => {
  const sleeper = await startSleeper(asleep(), { onWake: () => ({ error }) })
  expect((await sleeper.join()).kicked).toContain(text)
})

test('an API that is away is told too, and places and bytes of those who wait are bounded', async () => {
  const sleeper = await startSleeper(asleep(), { onWake: () => ({ expectedSeconds: 5 }) })
  const guests = Array.from({ length: 50 }, () => openWire(sleeper.gateway.port))
  const hello = Buffer.concat([
    writeHandshake({ protocol: 769, host: 'game.test', port: 25565, intent: 'login' }),
    writeLoginStart('Steve', Buffer.alloc(16)),
  ])
  for (const { socket } of guests) socket.write(hello)
  await until(async () => (await sleeper.count('waiting_open')) === 50, 'fifty wait')
  expect((await sleeper.join()).kicked).toContain('Too many players are waiting already')
  guests[0]!.socket.write(Buffer.alloc(20_000))
  await guests[0]!.closed()
  guests[1]!.socket.destroy()
  await until(async () => (await sleeper.count('waiting_open')) === 48, 'places are free again')
  expect(sleeper.orders()).toBe(1)
  for (const { socket } of guests) socket.destroy()

  const alone = await startSleeper(asleep())
  await alone.gateway.feed.close()
  expect((await alone.join()).kicked).toContain('Grass could not be woken')
})
