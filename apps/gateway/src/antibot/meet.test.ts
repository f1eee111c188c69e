/** Bots and people at the door of a guarded server: a real gateway, a stand-in for the game. */
import { setTimeout as delay } from 'node:timers/promises'
import { writeHandshake } from '@wakestone/minecraft/handshake'
import { writeLoginStart } from '@wakestone/minecraft/login'
import { markPlayers } from '@wakestone/protocol/antibot'
import type { Route } from '@wakestone/protocol/gateway'
import { afterEach, expect, test, vi } from 'vitest'
import { isLong } from '../../../../tests/support/long.ts'
import { startBackend } from '../test-support/backend.ts'
import { startTestGateway } from '../test-support/gateway.ts'
import { inGame, joinRaw, packetsOf } from '../test-support/raw-client.ts'
import { makeRoute } from '../test-support/route-feed-server.ts'
import { openWire, until } from '../test-support/wire.ts'
import { usualRules } from './guard.ts'

vi.setConfig({ testTimeout: 60_000 })

const endings: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of endings.splice(0).toReversed()) await part.close()
})
function keep<T extends { close(): Promise<void> }>(part: T): T {
  endings.push(part)
  return part
}

const rules = { ...usualRules, rejoinMs: { soonest: 300, latest: 60_000 } }

async function startGuarded(mode: 'on' | 'automatic', more: Partial<Route> = {}) {
  const game = keep(
    await startBackend((socket) => {
      let input = Buffer.alloc(0)
      socket.on('end', () => socket.end())
      socket.on('data', (chunk) => {
        input = Buffer.concat([input, chunk])
        if (packetsOf(input).length >= 2) socket.write(inGame)
      })
    }),
  )
  const bare = makeRoute({ host: 'game.test' })
  const route: Route = {
    ...bare,
    state: 'running',
    backend: { host: game.host, port: game.port },
    antibot: { mode, known: markPlayers(bare.serverId, ['Steve']) },
    ...more,
  }
  const gateway = keep(await startTestGateway([route], { antibot: rules, reportMs: 50 }))
  const join = (name: string, options: Partial<Parameters<typeof joinRaw>[0]> = {}) =>
    joinRaw({ gatewayPort: gateway.port, host: 'game.test', protocol: 340, name, ...options })
  return { gateway, game, route, join }
}

test('a first join is turned away with words, the second one reaches the game byte for byte', async () => {
  const { join, game } = await startGuarded('on')
  const first = await join('Nadia')
  expect(first).toMatchObject({ joined: false, kicked: expect.stringContaining('Join again within 60 s') })
  expect((await join('Nadia')).kicked).toContain('That was quick')
  expect(game.sockets.length).toBe(0)
  await delay(400)
  expect((await join('Nadia')).joined).toBe(true)
})

test.runIf(isLong)('the waiting room: a client that answers is sent on, one that says nothing is not', async () => {
  const { join, gateway } = await startGuarded('on')
  const nadia = await join('Nadia', { protocol: 769 })
  expect(nadia).toMatchObject({ joined: true, transfers: [{ host: 'game.test', port: 25565 }] })
  expect(nadia.keepAlives).toBeGreaterThanOrEqual(3)
  const silent = openWire(gateway.port, { localAddress: '127.0.9.9' })
  silent.socket.write(writeHandshake({ protocol: 769, host: 'game.test', port: 25565, intent: 'login' }))
  silent.socket.write(writeLoginStart('Mute', Buffer.alloc(16, 1)))
  await silent.closed()
  await until(
    () => gateway.feed.reports.some(({ minutes }) => minutes.some((one) => one.turnedAway.room_failed === 1)),
    'told',
  )
})

test('a flood wakes no server that is asleep, and whoever is known still does', async () => {
  const { join, gateway } = await startGuarded('automatic', { state: 'asleep', backend: null, canWake: true })
  const bots = Array.from({ length: 60 }, (_, index) =>
    join(`Bot_${index}`, { localAddress: `127.1.${index}.1`, protocol: 340 }),
  )
  const told = await Promise.all(bots)
  expect(told.every(({ kicked }) => kicked?.includes('Join again'))).toBe(true)
  expect(gateway.feed.wakes).toEqual([])
  void join('Steve')
  await until(() => gateway.feed.wakes.length === 1, 'woken by somebody known')
})

test('an attack is told when it begins, with figures, and so are logins that never come', async () => {
  const { gateway, route } = await startGuarded('automatic')
  for (let index = 0; index < 45; index += 1) {
    const wire = openWire(gateway.port)
    wire.socket.write(writeHandshake({ protocol: 769, host: 'game.test', port: 25565, intent: 'login' }))
    wire.socket.end()
    await wire.closed()
  }
  await until(() => gateway.feed.reports.some(({ attacked }) => attacked.length > 0), 'attack told')
  expect(gateway.feed.reports.at(-1)?.attacked[0]?.serverId).toBe(route.serverId)
  await until(
    () => gateway.feed.reports.some(({ minutes }) => minutes.some(({ turnedAway }) => (turnedAway.no_login ?? 0) > 30)),
    'figures told',
  )
})

test('what nobody guards is led on as ever', async () => {
  const { join, gateway } = await startGuarded('on', { antibot: null })
  for (let index = 0; index < 30; index += 1) expect((await join(`Bot_${index}`)).joined).toBe(true)
  expect(gateway.feed.reports).toEqual([])
})
