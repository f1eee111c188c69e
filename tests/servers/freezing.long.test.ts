/** A real game in its real sandbox, frozen and thawed again and again, with players who come while it is frozen. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { GameAddress } from '../../apps/server/src/adapters/clusters/cluster.ts'
import {
  openSandboxBench,
  type SandboxBench,
} from '../../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { createFlyingSquidAdapter } from '../../apps/server/src/adapters/engines/own-engines.ts'
import type { SupervisorClient } from '../../apps/server/src/adapters/supervisor/client.ts'
import { startTestGateway } from '../../apps/gateway/src/test-support/gateway.ts'
import { makeRoute } from '../../apps/gateway/src/test-support/route-feed-server.ts'
import { buildFlyingSquidArtifact } from '../../engines/flying-squid/src/build.ts'
import { joinServer } from '../support/player.ts'

const rounds = 200
/** Every so many rounds somebody comes while the game is frozen. */
const visitsEach = 5

let bench: SandboxBench
let folder: string
beforeAll(async () => {
  bench = await openSandboxBench()
  folder = mkdtempSync(join(tmpdir(), 'wsf-'))
}, 60_000)
afterAll(async () => {
  await bench.close()
  rmSync(folder, { recursive: true, force: true })
})

async function startSquid() {
  const built = await buildFlyingSquidArtifact({ outDir: join(folder, 'artifacts') })
  const adapter = createFlyingSquidAdapter({ artifactDir: join(folder, 'artifacts'), artifactUrl: 'http://artifacts' })
  const { manifest, launch } = await adapter.resolveBuild(built.manifest.contentVersion)
  const [file] = manifest.downloadFiles
  const name = file!.url.slice('http://artifacts/'.length)
  const { url } = bench.serve(name, readFileSync(join(folder, 'artifacts', name)))
  const { client, serverId, game, endpoint } = await bench.placeNew()
  const packages = [{ ...manifest, downloadFiles: [{ ...file!, url }] }]
  await client.install({ hash: 'squid', packages, files: [], launch })
  await bench.reach(client, ['stopped'])
  // So little is seen that one visit brings all of it into the world.
  await client.writeFile('server.properties', 'view-distance=2\n')
  await client.start()
  await bench.reach(client, ['running'])
  return { client, game, endpoint, serverId, world: join(bench.volumeOf(serverId), 'world') }
}

const list = (path: string) => (existsSync(path) ? readdirSync(path).toSorted() : [])

/**
 * Of the land, of what the world knows of itself, and of a player who stays away; whoever comes again and again is saved
 * anew with each visit.
 */
function checksum(world: string, absent: readonly string[]): string {
  const hash = createHash('sha256')
  const files = [
    'level.dat',
    ...list(join(world, 'region')).map((name) => join('region', name)),
    ...absent.map((name) => join('playerdata', name)),
  ]
  for (const name of files) hash.update(name).update(readFileSync(join(world, name)))
  return hash.digest('hex')
}

/** The door of a server that sleeps: whoever joins there has its game thawed. */
async function openDoor({ endpoint, serverId, game }: Awaited<ReturnType<typeof startSquid>>) {
  const thaw = { endpoint, ticket: bench.sign({ serverId, purpose: 'thaw' }) }
  const route = makeRoute({ host: 'game.test', serverId, backend: game, thaw, state: 'light_sleep', canWake: true })
  const gateway = await startTestGateway([route])
  onTestFinished(() => gateway.close())
  return {
    join: (username: string) => joinServer({ host: 'game.test', gamePort: gateway.port, username }),
    /** It sleeps again, as the gateway is told. */
    sleeps: () => gateway.feed.set(route),
  }
}

/** Frozen without a player: whoever has left is not forgotten at once. */
async function freeze(client: SupervisorClient) {
  await vi.waitFor(
    async () => {
      if ((await client.status()).phase !== 'frozen') await client.freeze()
      expect((await client.status()).phase).toBe('frozen')
    },
    { timeout: 30_000, interval: 50 },
  )
}

async function visit({ host, port }: GameAddress, username: string) {
  const bot = await joinServer({ host, gameHost: host, gamePort: port, username })
  onTestFinished(() => bot.end())
  return bot
}
async function leave(client: SupervisorClient, bot: Awaited<ReturnType<typeof visit>>) {
  bot.end()
  await vi.waitFor(async () => expect((await client.status()).players.online).toBe(0), 20_000)
}

async function openConnection({ host, port }: GameAddress): Promise<Socket> {
  const socket = connect(port, host)
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

test(`a game is the same after ${rounds} freezes, and takes in who came meanwhile`, { timeout: 600_000 }, async () => {
  const squid = await startSquid()
  const { client, game, world } = squid
  await leave(client, await visit(game, 'Alex'))
  // Who leaves at once may be gone before they are counted: what they leave behind is waited for.
  await vi.waitFor(() => expect(list(join(world, 'playerdata'))).toHaveLength(1), 20_000)
  const absent = list(join(world, 'playerdata'))
  const first = await visit(game, 'Steve')
  let seen = 0
  await vi.waitFor(
    () => {
      const before = seen
      seen = first.world.getColumns().length
      expect(seen).toBeGreaterThan(0)
      expect(seen).toBe(before)
    },
    { timeout: 20_000, interval: 700 },
  )
  await leave(client, first)
  await freeze(client)
  await client.thaw()
  const before = checksum(world, absent)
  const door = await openDoor(squid)
  const { launchedAt } = await client.status()
  for (let round = 1; round <= rounds; round++) {
    await freeze(client)
    if (round % visitsEach === 0) {
      await openConnection(game) // accepted, and left alone
      door.sleeps()
      expect((await client.status()).phase).toBe('frozen')
      const bot = await door.join('Steve')
      onTestFinished(() => bot.end())
      expect((await client.status()).phase).toBe('running')
      await leave(client, bot)
    } else await client.thaw()
  }
  await freeze(client)
  expect(checksum(world, absent)).toBe(before)
  expect(list(join(world, 'playerdata'))).toHaveLength(2)
  await client.thaw()
  expect(await client.status()).toMatchObject({ phase: 'running', launchedAt, lastExit: null })
  await client.stop(20)
  expect(await bench.reach(client, ['stopped'])).toMatchObject({ lastExit: { code: 0, expected: true } })
})
