/**
 * From the order to thaw a frozen game in its real sandbox to its process going on, by the ticket with which a gateway
 * orders it while API, worker and database are away; and what such a sleeper leaves in memory.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findGame } from '../apps/server/src/adapters/clusters/process/ending.ts'
import { serverPaths } from '../apps/server/src/adapters/clusters/process/paths.ts'
import { openSandboxBench, repoRoot } from '../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import type { SupervisorClient } from '../apps/server/src/adapters/supervisor/client.ts'
import { reportFigure } from './fixtures/figure.ts'

const rounds = 200
/** The game of tests, with as much in memory as one that has a world. */
const GAME = `${readFileSync(join(repoRoot, 'apps/supervisor/src/test-support/script-game.ts'), 'utf8')}
globalThis.world = Buffer.alloc(256 * 1024 ** 2, 7)`

const bench = await openSandboxBench()
try {
  const { client, serverId, endpoint } = await bench.placeNew()
  if (endpoint.kind !== 'unix') throw new Error('no socket')
  await client.install(await bench.packScript(GAME))
  await bench.reach(client, ['stopped'])
  await client.start()
  await bench.reach(client, ['running'])
  const [pid] = findGame(serverPaths(bench.dataDir, serverId), serverId)
  if (pid === undefined) throw new Error('no game')
  const ticket = bench.sign({ serverId, purpose: 'thaw' })
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await freeze(client, pid)
    const began = performance.now()
    const ordered = order(endpoint.path, ticket)
    while (stateOf(pid) === 'T') await new Promise(setImmediate)
    times.push(performance.now() - began)
    await ordered
  }
  const sorted = times.toSorted((one, other) => one - other)
  reportFigure(`order to a thawed process, p99 of ${rounds}`, sorted[Math.ceil(rounds * 0.99) - 1]!, 'ms', {
    atMost: 150,
  })
  reportFigure(`order to a thawed process, p50 of ${rounds}`, sorted[Math.ceil(rounds / 2) - 1]!, 'ms')

  const before = residentOf(pid)
  await freeze(client, pid)
  const freed = await bench.cluster.giveBackMemory(serverId)
  const beside = residentOf(pid) / before
  if (freed === null)
    reportFigure('a light sleeper beside itself running: memory (this machine has no swap)', beside, '×')
  else reportFigure('a light sleeper beside itself running: memory', beside, '×', { atMost: 0.35 })
} finally {
  await bench.close()
}

async function freeze(client: Pick<SupervisorClient, 'freeze'>, pid: number) {
  await client.freeze()
  for (const deadline = Date.now() + 20_000; stateOf(pid) !== 'T'; await delay(5))
    if (Date.now() > deadline) throw new Error('it does not freeze')
}

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
}

function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function order(socketPath: string, ticket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath,
        path: '/v1/thaw',
        method: 'POST',
        headers: { authorization: `Bearer ${ticket}`, 'content-type': 'application/json' },
      },
      (answer) => answer.resume().on('end', () => resolve()),
    )
    sent.on('error', reject)
    sent.end('{}')
  })
}
