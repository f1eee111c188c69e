/** Real players of Bedrock Edition at the gateway's port, with a real game behind it. */
import { createSocket } from 'node:dgram'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { writePing } from '@wakestone/bedrock/raknet'
import type { Route } from '@wakestone/protocol/gateway'
import { afterEach, expect, test, vi } from 'vitest'
import { freeUdpPort, startBedrockGame } from '../../../../tests/support/bedrock-game.ts'
import { joinBedrock } from '../../../../tests/support/bedrock-player.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { makeRoute } from '../test-support/route-feed-server.ts'
import { until } from '../test-support/wire.ts'
import type { Wake } from './door.ts'

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

async function openServer(route: Partial<Route>, wake?: (set: (change: Partial<Route>) => void) => ReturnType<Wake>) {
  const port = await freeUdpPort()
  const first = makeRoute({ host: 'grass.example.test', bedrock: { port }, ...route })
  let asked: string[] = []
  const gateway = keep(
    await startTestGateway([first], {
      wake: (_route, address) => {
        asked.push(address)
        return wake ? wake(set) : Promise.resolve({ expectedSeconds: null })
      },
    }),
  )
  const set = (change: Partial<Route>) => gateway.feed.set({ ...first, ...change })
  await until(async () => (await gateway.metrics()).includes('bedrock_ports 1'), 'the port is open')
  return { port, set, gateway, asked: () => asked }
}

const leadsTo = (game: { port: number }) =>
  ({ state: 'running', backend: { host: '127.0.0.1', port: game.port } }) as const

test('a player is led to a running game; the list shows its status with the port that players know', async () => {
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
})

test('pings wake nothing and show that it sleeps; a join wakes it and stands in the world', async () => {
  const gamePort = await freeUdpPort()
  const { port, asked, set } = await openServer({ state: 'asleep' as Route['state'] }, async (change) => {
    change({ state: 'starting' })
    void startBedrockGame({ port: gamePort }).then((game) => change(leadsTo(keep(game))))
    return { expectedSeconds: 2 }
  })
  for (let count = 0; count < 20; count += 1)
    expect((await pingBedrockServer({ host: '127.0.0.1', port })).motd).toBe('§9Grass is asleep, join to wake it')
  expect(asked()).toEqual([])
  const player = await joinBedrock({ port })
  expect(player.tookMs).toBeLessThan(10_000)
  expect(asked()).toHaveLength(1)
  await player.leave()
  set({ state: 'asleep' as Route['state'] })
  await until(
    async () => (await pingBedrockServer({ host: '127.0.0.1', port })).version === '1.26.20',
    'it is shown as it was last seen',
  )
})

test('who would wait too long reads when to come again', async () => {
  const { port } = await openServer({ state: 'asleep' as Route['state'], language: 'pl' }, async () => ({
    expectedSeconds: 12.3,
  }))
  await expect(joinBedrock({ port })).rejects.toThrow(/Grass się budzi[^]*13 s/)
})

test('who has waited in vain for five seconds is told', async () => {
  const { port } = await openServer({ state: 'asleep' as Route['state'] }, async (set) => {
    set({ state: 'starting' })
    return { expectedSeconds: null }
  })
  const began = performance.now()
  await expect(joinBedrock({ port })).rejects.toThrow(/Grass is waking up/)
  expect(performance.now() - began).toBeGreaterThan(4_500)
})

test.each([
  ['stopped', /Grass is stopped/],
  ['expired', /Grass has expired/],
  ['preparing', /Grass is being prepared/],
] as const)('a server that is %s wakes for nobody, and says so', async (state, text) => {
  const { port, asked } = await openServer({ state })
  await expect(joinBedrock({ port })).rejects.toThrow(text)
  expect(asked()).toEqual([])
})

test('one address wakes a few times a minute, and gets so many pongs', async () => {
  const { port, asked, gateway } = await openServer({ state: 'asleep' as Route['state'] })
  const sockets = Array.from({ length: 40 }, () => createSocket('udp4'))
  const knock = Buffer.concat([writePing(Buffer.alloc(8), 0n).subarray(0, 0), openRequest1()])
  for (const socket of sockets) socket.send(knock, port, '127.0.0.1')
  await until(async () => /refused_total\{reason="wakes"\} 34/.test(await gateway.metrics()), 'the others are refused')
  expect(asked()).toHaveLength(6)
  const ping = writePing(Buffer.alloc(8), 1n)
  let pongs = 0
  sockets[0]!.on('message', (bytes) => void (pongs += Number(bytes[0] === 0x1c)))
  for (let count = 0; count < 600; count += 1) {
    sockets[0]!.send(ping, port, '127.0.0.1')
    if (count % 50 === 0) await new Promise((done) => setImmediate(done))
  }
  await until(async () => /refused_total\{reason="pongs"\}/.test(await gateway.metrics()), 'pongs end')
  expect(pongs).toBeLessThan(400)
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
