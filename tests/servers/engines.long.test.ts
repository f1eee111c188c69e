/** Each engine from its catalogue into a sandbox: installed, started, reached, stopped, started again. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '@wakestone/kit/settings'
import { askJoinStatus, sendOffer } from '@wakestone/bedrock/joining'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { readSide } from '@wakestone/bedrock/sdp'
import { pingServer } from '@wakestone/minecraft/ping-server'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { GamePhase } from '@wakestone/protocol/phases'
import { startUpstreams, type Upstreams } from '@wakestone/simulators/upstreams'
import mineflayer from 'mineflayer'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Cluster } from '../../apps/server/src/adapters/clusters/cluster.ts'
import { supervisorFile } from '../../apps/server/src/adapters/clusters/fleet.ts'
import { createProcessCluster } from '../../apps/server/src/adapters/clusters/process/process-cluster.ts'
import { walls } from '../../apps/server/src/adapters/clusters/process/walls.ts'
import { createEngineCatalogue, type EngineCatalogue } from '../../apps/server/src/adapters/engines/catalogue.ts'
import { createLogger } from '@wakestone/kit/logger'
import { createGate, type ToldStatus } from '../../apps/server/src/adapters/supervisor/gate.ts'
import { createSupervisorClient, type SupervisorClient } from '../../apps/server/src/adapters/supervisor/client.ts'
import { createSupervisorSigner } from '../../apps/server/src/adapters/supervisor/tokens.ts'
import { provideArtifacts } from '../support/artifacts.ts'
import { joinBedrock } from '../support/bedrock-player.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const MIB = 1024 * 1024
const limits = { memoryBytes: 1024 * MIB, cpu: 1, diskBytes: 1024 * MIB, players: 10 }
const keys = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const sign = createSupervisorSigner(keys.privateKey)

let dataDir: string
let artifacts: Server
let upstreams: Upstreams
let catalogue: EngineCatalogue
let cluster: Cluster

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ws-engines-'))
  upstreams = await startUpstreams()
  const artifactDir = join(dataDir, 'artifacts')
  await provideArtifacts(dataDir)
  artifacts = createServer((request, response) => response.end(readFileSync(join(artifactDir, request.url!))))
  await new Promise<void>((done) => artifacts.listen(0, '127.0.0.1', done))
  catalogue = createEngineCatalogue({
    settings: readSettings({ ...upstreams.settings, DATA_DIR: dataDir }),
    artifactUrl: `http://127.0.0.1:${(artifacts.address() as AddressInfo).port}`,
  })
  cluster = createProcessCluster({
    dataDir,
    supervisorFile,
    filesFile: '',
    nodePath: process.execPath,
    bwrapPath: 'bwrap',
    allowUnsandboxed: false,
    mayMiss: walls,
    network: { internet: true, reachable: [], resolvers: [] },
    publicKey: keys.publicKey,
    logger: { info() {}, warn() {}, error() {} },
  })
  const { ok, problems } = await cluster.check()
  if (!ok) throw new Error(problems.join('; '))
})

afterAll(async () => {
  for (const serverId of (await cluster?.list()) ?? []) await cluster.remove(serverId, { volume: 'delete' })
  await upstreams?.close()
  artifacts?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function place(): Promise<SupervisorClient> {
  const serverId = randomUUID()
  const { endpoint, game } = await cluster.place({ serverId, limits })
  const gate = createGate({ serverId, logger: createLogger({ part: 'test', level: 'silent' }) })
  return createSupervisorClient({
    endpoint,
    game,
    serverId,
    sign,
    gate,
    provide: (plan) => cluster.provide(plan, serverId),
  })
}

/** Polls until the status is as wanted. @throws with the last status when it does not become so */
async function until(client: SupervisorClient, isThere: (status: ToldStatus) => boolean): Promise<ToldStatus> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const status = await client.status()
    if (isThere(status)) return status
    if (Date.now() > deadline) throw new Error(`waited in vain: ${JSON.stringify(status)}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

const phase = (wanted: GamePhase) => (status: ToldStatus) => status.phase === wanted

async function install(client: SupervisorClient, plan: InstallPlan): Promise<void> {
  await client.install(plan)
  const { installError } = await until(
    client,
    ({ installedPlan, installError: error }) => installedPlan === plan.hash || error !== null,
  )
  expect(installError).toBeNull()
}

async function enter({ gameHost, gamePort }: ToldStatus, username: string): Promise<mineflayer.Bot> {
  const bot = mineflayer.createBot({ host: gameHost!, port: gamePort!, username, version: '1.21.4', auth: 'offline' })
  await new Promise<void>((done, fail) => {
    bot.once('spawn', done)
    bot.once('error', fail)
    bot.once('kicked', (reason) => fail(new Error(JSON.stringify(reason))))
  })
  return bot
}

test('flying-squid: a player joins, and the world outlives a stop', async () => {
  const client = await place()
  await install(
    client,
    await catalogue.resolveEngine({ engine: 'flying-squid', version: '1.21.4', serverName: 'Łąka', players: 10 }),
  )
  await client.start()
  let status = await until(client, phase('running'))
  const summary = await pingServer({ host: status.gameHost!, port: status.gamePort! })
  expect(summary).toMatchObject({ version: '1.21.4', online: 0, max: 10, description: { text: 'Łąka' } })

  let bot = await enter(status, 'Steve')
  await until(client, ({ players }) => players.names.includes('Steve') && players.online === 1)
  const heard = new Promise((done) =>
    bot.on('messagestr', (text) => {
      if (text === '[Server] hello') done(text)
    }),
  )
  await client.command('say hello')
  await heard
  await client.command('setblock 3 -55 3 sponge')
  bot.end()
  await until(client, ({ players }) => players.online === 0)
  await client.stop(60)
  const { lastExit } = await until(client, phase('stopped'))
  expect(lastExit).toMatchObject({ code: 0, expected: true })

  await client.start()
  status = await until(client, phase('running'))
  bot = await enter(status, 'Steve')
  await bot.waitForChunksToLoad()
  expect(bot.blockAt(bot.entity.position.clone().set(3, -55, 3))?.name).toBe('sponge')
  bot.end()
})

const started = [
  ['vanilla', '1.12.2'],
  ['paper', '26.1.2'],
  ['forge', '1.16.5'],
  ['vanilla', '1.21.4'],
  ['fabric', '1.21.4'],
  ['neoforge', '1.21.1'],
  ['spigot', '1.21.4'],
] as const
test.each(started)('%s %s: installed with its Java, started, stopped', async (engine, version) => {
  const client = await place()
  await install(client, await catalogue.resolveEngine({ engine, version, serverName: 'Grüße', players: 7 }))
  await client.start()
  const status = await until(client, phase('running'))
  const summary = await pingServer({ host: status.gameHost!, port: status.gamePort! })
  expect(summary).toMatchObject({ version, max: 7, description: { text: 'Grüße' } })
  await client.stop(60)
  const { lastExit } = await until(client, phase('stopped'))
  expect(lastExit).toMatchObject({ code: 0, expected: true })
})

test('Velocity: a proxy that answers players of each version in theirs, and has neither a world nor terms', async () => {
  const client = await place()
  const version = '3.5.0-SNAPSHOT'
  await install(
    client,
    await catalogue.resolveEngine({ engine: 'velocity', version, serverName: 'Grüße "<red>"', players: 7 }),
  )
  await client.start()
  const status = await until(client, phase('running'))
  const where = { host: status.gameHost!, port: status.gamePort! }
  expect(await pingServer(where)).toMatchObject({ max: 7, description: { text: 'Grüße "\\<red>"' } })
  expect(status.worldVersion ?? null).toBeNull()
  await client.stop(60)
  expect((await until(client, phase('stopped'))).lastExit).toMatchObject({ code: 0, expected: true })
})

test.each([
  ['pocketmine', '5.28.1'],
  ['nukkit', '1.0-SNAPSHOT'],
  ['powernukkitx', '2.0.0'],
] as const)(
  '%s %s: installed, started at the port it is given, asked, stopped, started again',
  async (engine, version) => {
    const client = await place()
    await install(client, await catalogue.resolveEngine({ engine, version, serverName: 'Grüße', players: 7 }))
    for (let start = 0; start < 2; start += 1) {
      await client.start()
      const { gameHost, gamePort } = await until(client, phase('running'))
      const game = { host: gameHost!, port: gamePort! }
      expect(await pingBedrockServer(game)).toMatchObject({ motd: 'Grüße', max: 7, version: '1.21.80' })
      await client.stop(60)
      expect((await until(client, phase('stopped'))).lastExit).toMatchObject({ code: 0, expected: true })
    }
  },
)

test('a jar of the owner’s starts once it is there, and says what to do until then', async () => {
  const client = await place()
  await install(
    client,
    await catalogue.resolveEngine({ engine: 'own-jar', version: '1.21.4', serverName: 'x', players: 7 }),
  )
  await client.start()
  const { lastExit } = await until(client, ({ lastExit: exit }) => exit !== null)
  expect(lastExit).toMatchObject({ code: 1 })
})

test('a jar that is not what the catalogue says is not installed; once it is, it is', async () => {
  const client = await place()
  const plan = await catalogue.resolveEngine({ engine: 'vanilla', version: '1.20.4', serverName: 'x', players: 7 })
  upstreams.misbehave(/server\.jar$/, 'missing')
  await client.install(plan)
  const refused = await until(client, ({ installError }) => installError !== null)
  expect(refused).toMatchObject({ installedPlan: null, phase: 'empty' })

  upstreams.misbehave(/server\.jar$/, 'altered')
  const before = upstreams.requests.length
  await client.install(plan)
  await until(client, ({ phase: present }) => present === 'empty')
  expect(upstreams.requests.slice(before).some((path) => path.endsWith('server.jar'))).toBe(true)
  expect((await client.status()).installedPlan).toBeNull()
  upstreams.behave()
  await install(client, plan)
})

test('Bedrock Dedicated Server: installed from its zip, at the ports it is given, with its packs; started, stopped', async () => {
  const client = await place()
  const plan = await catalogue.resolveEngine({
    engine: 'bedrock-dedicated',
    version: '1.26.51.1',
    serverName: 'Grüße',
    players: 7,
  })
  await install(client, plan)
  for (let start = 0; start < 2; start += 1) {
    await client.start()
    const { gameHost, gamePort } = await until(client, phase('running'))
    const game = { host: gameHost!, port: gamePort! }
    const status = { version: '1.26.51', players: 0, maxPlayers: 7, name: 'Grüße' }
    expect(await askJoinStatus(game)).toMatchObject(status)
    const { text } = await sendOffer(game, { id: '7', offer: 'v=0', timeoutMs: 5_000 })
    // Elsewhere several servers share the machine's ports, or only one is led to them.
    if (gameHost !== '127.0.0.1')
      expect(await echoOf({ host: gameHost!, port: readSide(text).ports[0]! })).toBe('hello')
    await client.stop(60)
    const { lastExit } = await until(client, phase('stopped'))
    expect(lastExit).toMatchObject({ code: 0, expected: true })
  }
})

/** Whether datagrams get to a game, and back. */
async function echoOf({ host, port }: { host: string; port: number }): Promise<string> {
  const socket = createSocket('udp4')
  const heard = once(socket, 'message', { signal: AbortSignal.timeout(10_000) })
  socket.send('hello', port, host)
  const [bytes] = await heard
  socket.close()
  return String(bytes)
}

test('SerenityJS: a player joins, is seen and sees what the console does', async () => {
  const client = await place()
  await install(
    client,
    await catalogue.resolveEngine({ engine: 'serenity', version: '1.26.20', serverName: 'Łąka', players: 7 }),
  )
  await client.start()
  const { gameHost, gamePort } = await until(client, phase('running'))
  expect(await pingBedrockServer({ host: gameHost!, port: gamePort! })).toMatchObject({ motd: 'Łąka', max: 7 })
  const player = await joinBedrock({ host: gameHost!, port: gamePort!, username: 'Big Steve' })
  await until(client, ({ players }) => players.names.includes('Big Steve') && players.online === 1)
  const { x, z } = player.position
  await client.command(`setblock ${x + 2} -55 ${z} sponge`)
  await vi.waitFor(() => expect(player.blocks).toContain(`${x + 2} -55 ${z}`), { timeout: 20_000 })
  await client.command('say hello')
  await vi.waitFor(() => expect(player.texts.join()).toContain('[Server] hello'), { timeout: 20_000 })
  await player.leave()
  await until(client, ({ players }) => players.online === 0)
  await client.stop(60)
  expect((await until(client, phase('stopped'))).lastExit).toMatchObject({ code: 0, expected: true })
})
