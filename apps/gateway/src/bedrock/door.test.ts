/**
 * Real players of Bedrock Edition at the gateway's port, with a real game behind it: `npm test` has them led to games by
 * `tests/servers/bedrock.test.ts`.
 */
import { createSocket } from 'node:dgram'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { writePing } from '@wakestone/bedrock/raknet'
import type { Route } from '@wakestone/protocol/gateway'
import { afterEach, expect, test, vi } from 'vitest'
import { freeUdpPort, startBedrockGame } from '../../../../tests/support/bedrock-game.ts'
import { joinBedrock } from '../../../../tests/support/bedrock-player.ts'
import { isLong } from '../../../../tests/support/long.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { makeRoute, type OnWake } from '../test-support/route-feed-server.ts'
import { startSupervisor } from '../test-support/supervisor.ts'
import { until } from '../test-support/wire.ts'
import type { GatewayOptions } from '../start-gateway.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

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

async function openServer(
  route: Partial<Route>,
  { onWake, ...limits }: { onWake?: (set: Change) => ReturnType<OnWake> } & Partial<GatewayOptions> = {},
) {
  const port = await freeUdpPort()
  const first = makeRoute({ host: 'grass.example.test', bedrock: { port, signalling: false }, canWake: true, ...route })
  const set: Change = (change) => gateway.feed.set({ ...first, ...change })
  const gateway = keep(
    await startTestGateway([first], { ...limits, onWake: () => onWake?.(set) ?? { expectedSeconds: null } }),
  )
  await until(async () => (await gateway.metrics()).includes('bedrock_ports 1'), 'the port is open', 10_000)
  return { port, set, gateway, orders: gateway.feed.wakes }
}

const leadsTo = (game: { port: number }) =>
  ({ state: 'running', backend: { host: '127.0.0.1', port: game.port } }) as const

test.runIf(isLong)(
  'a player is led to a running game; the list shows its status with the port that players know',
  async () => {
    const game = keep(await startBedrockGame())
    const { port, gateway } = await openServer(leadsTo(game))
    const player = await joinBedrock({ port })
    expect(await gateway.metrics()).toContain('bedrock_sessions 1')
    await until(
      async () => (await pingBedrockServer({ host: '127.0.0.1', port })).online === 1,
      'the status of the game is shown',
    )
    const status = await pingBedrockServer({ host: '127.0.0.1', port })
    expect(status).toMatchObject({ motd: 'Dedicated Server', version: '1.26.20', protocol: 975, max: 10 })
    player.chat('through the gateway')
    await game.line(/Chat: through the gateway/)
    await player.leave()
    await game.line(/Player disconnected: Alex/)
  },
)

test.runIf(isLong)('pings wake nothing and show that it sleeps; a join wakes it and stands in the world', async () => {
  // It runs already: joins are held for five seconds only, and a start may take longer.
  const game = keep(await startBedrockGame())
  const { port, orders, set } = await openServer(
    { state: 'asleep' },
    {
      onWake(change) {
        change({ state: 'starting' })
        setTimeout(() => change(leadsTo(game)), 1_500)
        return { expectedSeconds: 2 }
      },
    },
  )
  for (let count = 0; count < 20; count += 1)
    expect((await pingBedrockServer({ host: '127.0.0.1', port })).motd).toMatch(/Grass is asleep.*Join to wake it/)
  expect(orders).toEqual([])
  const player = await joinBedrock({ port })
  expect(orders).toMatchObject([{ name: null, address: '127.0.0.1' }])
  await until(
    async () => (await pingBedrockServer({ host: '127.0.0.1', port })).version === '1.26.20',
    'its own status is shown',
    10_000,
  )
  await player.leave()
  set({ state: 'asleep' })
  await until(
    async () => (await pingBedrockServer({ host: '127.0.0.1', port })).motd.includes('is asleep'),
    'it sleeps',
    10_000,
  )
  expect(await pingBedrockServer({ host: '127.0.0.1', port })).toMatchObject({ version: '1.26.20', protocol: 975 })
})

test.runIf(isLong)('a frozen game is thawed by who joins, again and again', async () => {
  const game = keep(await startBedrockGame())
  const supervisor = keep(
    await startSupervisor(() => {
      game.child.kill('SIGCONT')
      return 'running'
    }),
  )
  const { port, set, orders } = await openServer(leadsTo(game))
  for (let round = 0; round < 3; round += 1) {
    game.child.kill('SIGSTOP')
    set({ ...leadsTo(game), state: 'light_sleep', thaw: supervisor.grant })
    await until(
      async () => (await pingBedrockServer({ host: '127.0.0.1', port })).motd.includes('is asleep'),
      'it sleeps',
      10_000,
    )
    const player = await joinBedrock({ port })
    expect(supervisor.calls.length).toBeGreaterThan(round)
    set(leadsTo(game))
    await player.leave()
  }
  expect(orders).toEqual([])
})

test.runIf(isLong)(
  'a game that is frozen just as somebody is let in goes on for them, and not for who has left',
  async () => {
    const game = keep(await startBedrockGame())
    const supervisor = keep(
      await startSupervisor(() => {
        game.child.kill('SIGCONT')
        return 'running'
      }),
    )
    const { port, set, gateway } = await openServer(leadsTo(game))
    const freeze = () => {
      game.child.kill('SIGSTOP')
      set({ ...leadsTo(game), state: 'light_sleep', thaw: supervisor.grant })
    }
    const joining = joinBedrock({ port })
    await until(async () => (await gateway.metrics()).includes('bedrock_sessions 1'), 'let in')
    freeze()
    const player = await joining
    expect(supervisor.calls.length).toBeGreaterThan(0)
    set(leadsTo(game))
    await player.leave()
    await game.line(/Player disconnected: Alex/)
    const before = supervisor.calls.length
    freeze()
    for (let count = 0; count < 20; count += 1)
      expect((await pingBedrockServer({ host: '127.0.0.1', port })).motd).toMatch(/Grass/)
    expect(supervisor.calls).toHaveLength(before)
  },
)

test.runIf(isLong)('who was banned meanwhile has nothing thawed by speaking on', async () => {
  const supervisor = keep(await startSupervisor())
  const game = { port: await freeUdpPort() }
  const banned = { whitelist: null, banned: [], bannedAddresses: ['127.0.0.1'] }
  const { port, set, gateway } = await openServer(leadsTo(game))
  const socket = createSocket('udp4')
  const speak = () => socket.send(openRequest1(), port, '127.0.0.1')
  const asleep = async () => (await pingBedrockServer({ host: '127.0.0.1', port })).motd.includes('is asleep')
  speak()
  await until(async () => (await gateway.metrics()).includes('bedrock_sessions 1'), 'let in')
  const frozen = { ...leadsTo(game), state: 'light_sleep', thaw: supervisor.grant } as const
  set({ ...frozen, door: banned })
  await until(asleep, 'it sleeps', 10_000)
  for (let count = 0; count < 20; count += 1) speak()
  await pingBedrockServer({ host: '127.0.0.1', port }) // all of them have been read by now
  set(frozen)
  await until(
    () => {
      speak()
      return supervisor.calls.length > 0
    },
    'thawed for who is not banned',
    10_000,
  )
  expect(supervisor.calls).toHaveLength(1)
  socket.close()
})

test('who comes again from the port that they had before wakes it like anybody', async () => {
  const { port, set, gateway, orders } = await openServer(leadsTo({ port: await freeUdpPort() }))
  const socket = createSocket('udp4')
  const speak = () => socket.send(openRequest1(), port, '127.0.0.1')
  speak()
  await until(async () => (await gateway.metrics()).includes('bedrock_sessions 1'), 'let in')
  set({ state: 'asleep', backend: null })
  await until(
    () => {
      speak()
      return orders.length > 0
    },
    'woken',
    10_000,
  )
  socket.close()
})

/** What a player who asks to come in is told. A client may lose the connection before it reads that, so it tries again. */
async function askToJoin(port: number): Promise<string> {
  for (let tries = 1; ; tries++) {
    const joining = joinBedrock({ port, timeoutMs: 15_000 })
    const answer = await joining.then(
      () => 'let in',
      ({ message }: Error) => message,
    )
    if (tries === 3 || !answer.startsWith('did not come to stand')) return answer
  }
}

test.runIf(isLong)('who would wait too long reads when to come again', async () => {
  const { port } = await openServer({ state: 'asleep', language: 'pl' }, { onWake: () => ({ expectedSeconds: 12.3 }) })
  expect(await askToJoin(port)).toMatch(/Grass się budzi \(około 1[23] s\)/)
})

test.runIf(isLong)('who has waited in vain for five seconds is told', async () => {
  const { port } = await openServer(
    { state: 'asleep' },
    {
      onWake(set) {
        set({ state: 'starting' })
        return { expectedSeconds: null }
      },
    },
  )
  const began = performance.now()
  expect(await askToJoin(port)).toMatch(/Grass is waking up/)
  expect(performance.now() - began).toBeGreaterThan(4_500)
})

test('who is not to wake it reads why', async () => {
  const { port } = await openServer({ state: 'asleep' }, { onWake: () => ({ error: 'server_is_expired' }) })
  expect(await askToJoin(port)).toMatch(/Grass has expired/)
})

test.each([
  ['stopped', /Grass is stopped/],
  ['expired', /Grass has expired/],
  ['preparing', /Grass is being prepared/],
] as const)('a server that is %s wakes for nobody, and says so', async (state, text) => {
  const { port, orders } = await openServer({ state, canWake: false })
  expect(await askToJoin(port)).toMatch(text)
  expect(orders).toEqual([])
})

test('one address wakes a server so often, and gets so many pongs', async () => {
  const { port, orders, gateway } = await openServer(
    { state: 'asleep' },
    { wakesPerAddress: 1, onWake: () => ({ error: 'too_many_requests' }) },
  )
  const sockets = Array.from({ length: 40 }, () => createSocket('udp4'))
  for (const socket of sockets) socket.send(openRequest1(), port, '127.0.0.1')
  await until(
    async () => /knocks_total\{outcome="knocked_too_often"\} 40/.test(await gateway.metrics()),
    'all others are refused',
    10_000,
  )
  expect(orders).toHaveLength(1)
  let pongs = 0
  sockets[0]!.on('message', (bytes) => void (pongs += Number(bytes[0] === 0x1c)))
  const isLimited = async () => (await gateway.metrics()).includes('refused_total{reason="pongs"}')
  for (let round = 0; !(await isLimited()); round += 1) {
    if (round > 100) throw new Error('pongs have no end')
    for (let count = 0; count < 20; count += 1) sockets[0]!.send(writePing(Buffer.alloc(8), 1n), port, '127.0.0.1')
  }
  expect(pongs).toBeGreaterThan(0)
  for (const socket of sockets) socket.close()
})

function openRequest1(): Buffer {
  const magic = writePing(Buffer.alloc(8), 0n).subarray(9, 25)
  return Buffer.concat([Buffer.of(5), magic, Buffer.of(11), Buffer.alloc(500)])
}

test('rubbish does nothing', async () => {
  const { port } = await openServer({ state: 'stopped' })
  const socket = createSocket('udp4')
  for (let length = 0; length < 300; length += 1) {
    const rubbish = Buffer.alloc(length, length)
    for (const first of [1, 5, 7, 0x84, 0xc0]) {
      if (length > 0) rubbish[0] = first
      socket.send(rubbish, port, '127.0.0.1')
    }
  }
  expect((await pingBedrockServer({ host: '127.0.0.1', port })).motd).toContain('Grass')
  socket.close()
})
