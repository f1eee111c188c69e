/** The gateway as a process of its own, as it runs in production, between a real player and a real game. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSecrets } from '@wakestone/kit/secrets'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { plainText } from '@wakestone/minecraft/text'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { isLong } from '../../../tests/support/long.ts'
import { freePort, joinGame, startGame } from './test-support/game.ts'
import { makeFolder } from './test-support/gateway.ts'
import { makeRoute, type RouteFeedServer, startRouteFeed } from './test-support/route-feed-server.ts'
import { until } from './test-support/wire.ts'

// Four processes and a world: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let game: Awaited<ReturnType<typeof startGame>>
let dataDir: string
let feed: RouteFeedServer
const children: ChildProcess[] = []

beforeAll(async () => {
  game = await startGame()
})
afterAll(() => game?.close())
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  await feed?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

function runGateway(port: number, more: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      API_URL: feed.url,
      GAME_HOST: '127.0.0.1',
      GAME_PORT: String(port),
      SFTP_PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

async function startStory() {
  dataDir = await makeFolder()
  const routes = [
    makeRoute({ host: 'game.test', state: 'running', backend: { host: game.host, port: game.port } }),
    makeRoute({ host: 'stopped.test' }),
  ]
  feed = await startRouteFeed(routes, { token: loadSecrets(dataDir).gateway })
  const port = await freePort()
  const child = runGateway(port)
  const listed = async (host: string) =>
    pingServer({ host: '127.0.0.1', port, virtualHost: host }).then(
      ({ description }) => plainText(description),
      () => '',
    )
  await until(async () => (await listed('game.test')) === 'A real game', 'the game is listed')
  return { port, child, listed }
}

test('a player joins by name, chats, and leaves', async () => {
  const { port, listed } = await startStory()
  const player = await joinGame(port, 'Game.Test.', 'Steve')
  player.chat('hello from the gateway')
  await until(() => game.output().includes('hello from the gateway'), 'chat arrives')
  player.quit()
  await player.end
  expect(await listed('stopped.test')).toContain('Grass is stopped')
  await expect(joinGame(port, 'stopped.test', 'Steve')).rejects.toThrow('Grass is stopped')
})

test.runIf(isLong)(
  'with the API away and the gateway killed, players rejoin from what is on disk; a returning API is followed',
  async () => {
    const { port, child, listed } = await startStory()
    const file = join(dataDir, 'gateway', 'routes.json')
    await until(async () => (await readFile(file, 'utf8').catch(() => '')).includes('game.test'), 'routes on disk')
    const player = await joinGame(port, 'game.test', 'Alex')
    const feedPort = feed.port
    await feed.close()
    player.chat('still here without the API')
    await until(() => game.output().includes('still here without the API'), 'the player stays')

    await kill(child)
    await player.end
    runGateway(port)
    await until(async () => (await listed('game.test')) === 'A real game', 'the game is listed again')
    const again = await joinGame(port, 'game.test', 'Alex')
    expect(await listed('stopped.test')).toContain('Grass is stopped')

    const token = loadSecrets(dataDir).gateway
    feed = await startRouteFeed([makeRoute({ host: 'game.test', state: 'crashed' })], { port: feedPort, token })
    await until(async () => (await listed('game.test')).includes('Grass has crashed'), 'the API is followed again')
    again.chat('a change of route breaks no game')
    await until(() => game.output().includes('a change of route breaks no game'), 'the player stays')
    again.quit()
  },
)

test.runIf(isLong)('SIGTERM ends it at once and in order, routes written', async () => {
  const { child } = await startStory()
  feed.set(makeRoute({ host: 'late.test' }))
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test.runIf(isLong)('a port that is taken, and a bad setting, end it with a word', async () => {
  const { port } = await startStory()
  const second = runGateway(port)
  const output = second.stdout!.toArray()
  expect((await once(second, 'exit'))[0]).toBe(1)
  expect(String(await output)).toContain('EADDRINUSE')
  const third = runGateway(port, { GATEWAY_PROXY_IN: 'perhaps' })
  const errors = third.stderr!.toArray()
  expect((await once(third, 'exit'))[0]).toBe(1)
  expect(String(await errors)).toContain('GATEWAY_PROXY_IN takes `0` or `1`, not "perhaps"')
})

test.runIf(isLong)('a broken file of routes is no obstacle', async () => {
  const { port, child, listed } = await startStory()
  await kill(child)
  await mkdir(join(dataDir, 'gateway'), { recursive: true })
  await writeFile(join(dataDir, 'gateway', 'routes.json'), '{"version":1,"routes":[{"ho')
  runGateway(port)
  await until(async () => (await listed('game.test')) === 'A real game', 'the API helps out')
})
