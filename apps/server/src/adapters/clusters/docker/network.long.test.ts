/** What a game in a container reaches of what is planted around the machine: the internet, and nothing else. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { supervisorFile } from '../fleet.ts'
import type { Cluster } from '../cluster.ts'
import { waitUntil } from '../process/processes.ts'
import { canSeparateNetworks } from '../process/test-support/machine.ts'
import type { Target } from '../process/test-support/probing-game.ts'
import { PROBE } from '../process/test-support/reach.ts'
import { plantBeyond, plantOnHost } from '../process/test-support/surroundings.ts'
import { walls } from '../process/walls.ts'
import { type GameBench, makeKeys, openGameBench } from '../test-support/game-bench.ts'
import { createDockerCluster } from './docker-cluster.ts'
import { createNames } from './names.ts'
import { clean, findPodmanFault, openPodman, type TestEngine } from './test-support/podman.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const fault = findPodmanFault() ?? (canSeparateNetworks ? undefined : 'this machine makes no networks')
if (fault !== undefined) console.error(`networks of containers are not tried here: ${fault}`)
const limits = { memoryBytes: 384 * 1024 ** 2, cpu: 1, diskBytes: 1024 ** 3, players: 10 }
const ids = { installation: makeKeys(), clusterId: 'networks' }

describe.skipIf(fault !== undefined)('the network of a container', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wsd-'))
  let podman: TestEngine
  let cluster: Cluster
  let games: GameBench

  beforeAll(async () => {
    podman = await openPodman()
    cluster = createDockerCluster({
      id: ids.clusterId,
      hosts: [{ name: 'here', url: podman.url, address: '127.0.0.1', refused: [] }],
      dataDir,
      supervisorFile,
      filesFile: resolve(import.meta.dirname, '../../../../../files/build/files.mjs'),
      mayMiss: walls,
      network: { internet: true, reachable: [], resolvers: [] },
      publicKey: ids.installation.publicKey,
      logger: createLogger({ part: 'test', level: 'silent' }),
    })
    games = await openGameBench({ keys: ids.installation, provide: cluster.provide })
  })
  afterAll(async () => {
    for (const serverId of (await cluster?.list()) ?? []) await cluster.remove(serverId, { volume: 'delete' })
    games?.close()
    if (podman !== undefined)
      await clean(podman.engine, createNames({ ...ids, installation: ids.installation.publicKey }))
    await podman?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function reach(targets: Target[]): Promise<string[]> {
    const serverId = randomUUID()
    const { endpoint, game } = await cluster.place({ serverId, limits })
    const client = games.connect(serverId, endpoint, game)
    const task = await cluster.runTask(serverId, {
      name: 'write',
      command: ['/bin/sh', '-c', 'cat > /data/probes.json'],
      volume: 'write',
      network: 'none',
      memoryBytes: 64 * 1024 ** 2,
      stdin: JSON.stringify(targets),
    })
    expect(await task.exit).toMatchObject({ code: 0 })
    await client.install(await games.scriptPlan(PROBE))
    await games.reach(client, ['stopped'], 60_000)
    let reached: string[] | undefined
    const stream = await client.openStream()
    stream.onMessage((message) => {
      if (message.type !== 'console') return
      const line = message.lines.find(({ text }) => text.startsWith('reached '))
      if (line) reached = JSON.parse(line.text.slice('reached '.length)) as string[]
    })
    await client.start()
    await waitUntil(() => reached !== undefined, 60_000)
    stream.close()
    if (reached === undefined) throw new Error('the game has told nothing')
    return reached
  }

  test('leads to the internet, and to no neighbour, no machine, and nothing private', async () => {
    const [host, beyond] = [await plantOnHost(), await plantBeyond()]
    onTestFinished(() => {
      host.close()
      beyond.close()
    })
    const neighbour = randomUUID()
    const { game } = await cluster.place({ serverId: neighbour, limits })
    const { body } = await podman.engine.call('GET', `/containers/wakestone-${neighbour}-net/json`)
    const { Networks } = (
      body as { NetworkSettings: { Networks: Record<string, { IPAddress: string; Gateway: string }> } }
    ).NetworkSettings
    const { IPAddress, Gateway } = Object.values(Networks)[0]!
    // Its supervisor answers there, to whoever gets so far.
    const control = Number(
      new URL(((await cluster.inspect(neighbour)) as { endpoint: { url: string } }).endpoint.url).port,
    )
    const refused: Target[] = [
      ...host.targets,
      ...beyond.refused,
      { name: 'neighbour', kind: 'tcp', host: IPAddress, port: control },
      { name: 'neighbour’s game', kind: 'tcp', host: IPAddress, port: game.port },
      { name: 'gateway of the bridge', kind: 'tcp', host: Gateway, port: control },
    ]
    const internet = beyond.internet.filter(({ name }) => !name.includes('IPv6'))
    expect(await reach([...refused, ...internet])).toEqual(internet.map(({ name }) => name).toSorted())
  })
})
