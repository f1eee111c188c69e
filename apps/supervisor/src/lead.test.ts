import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { leadPlayers } from './lead.ts'

const open: Server[] = []
afterEach(() => open.splice(0).forEach((server) => server.close()))
const portOf = (server: Server) => (server.address() as AddressInfo).port

async function lead(to: () => number | null) {
  const server = leadPlayers({ port: 0, to, log: () => undefined })
  open.push(server)
  await once(server, 'listening')
  return portOf(server)
}

test('who arrives is led to the game, both ways and to the end', async () => {
  const game = createServer({ allowHalfOpen: true }, async (socket) => socket.end(`heard ${await text(socket)}`))
  open.push(game.listen(0, '127.0.0.1'))
  await once(game, 'listening')
  const player = connect({ host: '127.0.0.1', port: await lead(() => portOf(game)), allowHalfOpen: true })
  player.end('hello')
  expect(await text(player)).toBe('heard hello')
})

test('nobody is left waiting while no game is up, nor when it refuses', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const port = portOf(closed)
  closed.close()
  for (const to of [() => null, () => port]) {
    const player = connect({ host: '127.0.0.1', port: await lead(to) })
    player.on('error', () => {})
    await once(player, 'close')
  }
})
