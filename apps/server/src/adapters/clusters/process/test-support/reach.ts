/**
 * What the game of a new server reaches of some targets. Run as a program, it does so as the user it runs as: with a
 * means of making networks and a file of targets.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from '../../cluster.ts'
import type { NetworkMeans } from '../network/network.ts'
import { waitUntil } from '../processes.ts'
import type { Target } from './probing-game.ts'
import { openSandboxBench, type SandboxBench } from './sandbox-bench.ts'

export const PROBE = 'apps/server/src/adapters/clusters/process/test-support/probing-game.ts'

export async function reachFromInside(
  bench: SandboxBench,
  targets: Target[],
  cluster: Cluster = bench.cluster,
): Promise<string[]> {
  const serverId = randomUUID()
  const { endpoint } = await cluster.place({ serverId, limits: bench.limits })
  const client = bench.connect(serverId, endpoint)
  writeFileSync(join(bench.volumeOf(serverId), 'probes.json'), JSON.stringify(targets))
  await client.install(await bench.scriptPlan(PROBE))
  await bench.reach(client, ['stopped'])
  let reached: string[] | undefined
  const stream = await client.openStream()
  stream.onMessage((message) => {
    if (message.type !== 'console') return
    const line = message.lines.find(({ text }) => text.startsWith('reached '))
    if (line) reached = JSON.parse(line.text.slice('reached '.length)) as string[]
  })
  await client.start()
  await waitUntil(() => reached !== undefined, 20_000)
  stream.close()
  if (reached === undefined) throw new Error('the game has told nothing')
  return reached
}

if (process.argv[1] === import.meta.filename) {
  const [means, file] = process.argv.slice(2) as [NetworkMeans, string]
  const bench = await openSandboxBench()
  try {
    const cluster = bench.openCluster({ networkMeans: [means], mayMiss: ['disk', 'memory'] })
    const targets = JSON.parse(readFileSync(file, 'utf8')) as Target[]
    process.stdout.write(`${JSON.stringify(await reachFromInside(bench, targets, cluster))}\n`)
  } finally {
    await bench.close()
  }
}
