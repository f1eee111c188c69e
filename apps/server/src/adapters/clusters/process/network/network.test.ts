/** From inside of a real sandbox: what a server can reach and what it cannot, each proven to be there from outside. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pingServer } from '@wakestone/minecraft/ping-server'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Target } from '../test-support/probing-game.ts'
import { isLong } from '../../../../../../../tests/support/long.ts'
import { createPolicy } from './policy.ts'
import { createVethDriver } from './veth.ts'
import { canPassPackets, canSeparateNetworks } from '../test-support/machine.ts'
import { PROBE, reachFromInside } from '../test-support/reach.ts'
import { openSandboxBench, repoRoot, type SandboxBench } from '../test-support/sandbox-bench.ts'
import { plantBeyond, plantOnHost } from '../test-support/surroundings.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const namespaces = () => (existsSync('/run/netns') ? readdirSync('/run/netns') : [])

let bench: SandboxBench
beforeAll(async () => {
  bench = await openSandboxBench()
})
afterAll(() => bench.close())

/** What this machine itself reaches of the targets. */
async function reachFromHost(targets: Target[]): Promise<string[]> {
  const file = join(bench.dataDir, 'probes.json')
  writeFileSync(file, JSON.stringify(targets), { mode: 0o644 })
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', join(repoRoot, PROBE), file])
  return JSON.parse(stdout.replace('reached ', '')) as string[]
}

const namesOf = (targets: Target[]) => targets.map(({ name }) => name).sort()

test.runIf(canSeparateNetworks)('a server reaches the internet, and nothing that is nearer', async () => {
  const host = await plantOnHost()
  onTestFinished(host.close)
  const beyond = await plantBeyond()
  onTestFinished(beyond.close)
  const neighbour = await bench.placeNew()
  await neighbour.client.install(await bench.gamePlan())
  await bench.reach(neighbour.client, ['stopped'])
  await neighbour.client.start()
  await bench.reach(neighbour.client, ['running'])
  await pingServer({ ...neighbour.game, timeoutMs: 5000 })

  const targets = [...host.targets, ...beyond.refused, ...beyond.internet]
  expect(await reachFromHost(targets)).toEqual(namesOf(targets))
  const dials: Target = { name: 'neighbour', kind: 'tcp', ...neighbour.game }
  expect(await reachFromInside(bench, [...targets, dials])).toEqual(namesOf(beyond.internet))
})

test.runIf(isLong && canSeparateNetworks)(
  'the operator says whether there is the internet, and what may be reached beside it',
  async () => {
    const beyond = await plantBeyond()
    onTestFinished(beyond.close)
    const targets = [...beyond.refused, ...beyond.internet]
    const cluster = bench.openCluster({
      network: { internet: false, reachable: ['10.61.2.0/24'], resolvers: ['9.9.9.9'] },
    })
    expect(await reachFromInside(bench, targets, cluster)).toEqual(['private 10/8'])
  },
)

test.runIf(isLong && canSeparateNetworks)(
  'networks go with their servers, and those that nobody has any more are found',
  async () => {
    const { serverId, client, game } = await bench.placeNew()
    await client.install(await bench.gamePlan())
    await bench.reach(client, ['stopped'])
    await client.start()
    await bench.reach(client, ['running'])
    const isOf = (id: string) => namespaces().some((name) => name.endsWith(id))
    // A control plane that was killed before anything was recorded, and one of which everything was.
    const lost = randomUUID()
    const policy = createPolicy({ internet: true, reachable: [], resolvers: [] })
    await createVethDriver({ dataDir: bench.dataDir, policy }).prepare(lost, 24_000)
    expect([isOf(serverId), isOf(lost)]).toEqual([true, true])
    const restarted = bench.openCluster()
    expect(await restarted.check()).toMatchObject({ ok: true })
    expect([isOf(serverId), isOf(lost)]).toEqual([true, false])
    expect(await restarted.place({ serverId, limits: bench.limits })).toMatchObject({ game })
    await pingServer({ ...game, timeoutMs: 5000 })
    await restarted.remove(serverId)
    expect([isOf(serverId), isOf(lost)]).toEqual([false, false])
  },
)

test.runIf(isLong && canSeparateNetworks)(
  'a server of before keeps the network it has, and gets its own when it is placed anew',
  async () => {
    const serverId = randomUUID()
    const before = bench.openCluster({ networkMeans: [], withoutQuota: true })
    const { game } = await before.place({ serverId, limits: bench.limits })
    writeFileSync(join(bench.volumeOf(serverId), 'world'), 'blocks')
    expect(game.host).toBe('127.0.0.1')
    expect(await bench.cluster.place({ serverId, limits: bench.limits })).toMatchObject({ game })
    await bench.cluster.remove(serverId)
    const after = await bench.cluster.place({ serverId, limits: bench.limits })
    expect(readFileSync(join(bench.volumeOf(serverId), 'world'), 'utf8')).toBe('blocks')
    expect(after.game).toEqual({ host: expect.stringMatching(/^198\.1[89]\./), port: game.port })
  },
)

const asOrdinary = ['--reuid=64123', '--regid=64123', '--clear-groups']
test.each((['pasta', 'slirp4netns'] as const).filter(canPassPackets))(
  'the servers of an ordinary user, by %s, reach nothing that is nearer than the internet either',
  async (means) => {
    const host = await plantOnHost()
    onTestFinished(host.close)
    const beyond = await plantBeyond()
    onTestFinished(beyond.close)
    const folder = mkdtempSync(join(tmpdir(), 'wst-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o755)
    const file = join(folder, 'targets.json')
    writeFileSync(file, JSON.stringify([...host.targets, ...beyond.refused, ...beyond.internet]))
    const script = join(import.meta.dirname, '../test-support/reach.ts')
    const program = [process.execPath, '--no-warnings', script, means, file]
    const { stdout } = await promisify(execFile)('setpriv', [...asOrdinary, '--', ...program], { cwd: '/' })
    expect(JSON.parse(stdout)).toEqual(namesOf(beyond.internet))
  },
)
