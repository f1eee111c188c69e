/**
 * Measures supervisors in their sandboxes: the memory of fifty idle ones side by side, and the console's way from a game
 * to a listener of the stream.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SupervisorClient } from '../apps/server/src/adapters/supervisor/client.ts'
import { findFirstChild, waitUntil } from '../apps/server/src/adapters/clusters/process/processes.ts'
import { openSandboxBench } from '../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { reportFigure } from './fixtures/figure.ts'

const SUPERVISORS = 50
const SETTLE_MS = 5000
/** What was printed before comes first, and at once. */
const HISTORY_MS = 1000
const LINES = 50_000
const MIB = 1024

const bench = await openSandboxBench()
try {
  await bench.cluster.check()
  const client = await measureMemory()
  await measureConsole(client)
} finally {
  await bench.close()
}

/** Installs the game everywhere, so that what an installation loads counts too. */
async function measureMemory() {
  const plan = await bench.gamePlan()
  const servers = await Promise.all(Array.from({ length: SUPERVISORS }, () => bench.placeNew()))
  for (const { client } of servers) {
    await client.install(plan)
    await bench.reach(client, ['stopped'])
  }
  await bench.cluster.stopAll({ timeoutSeconds: 10 })
  await Promise.all(servers.map(({ serverId }) => bench.cluster.place({ serverId, limits: bench.limits })))
  await wait(SETTLE_MS)
  const restarted = performance.now()
  const anew = bench.openCluster()
  const found = await Promise.all((await anew.list()).map((serverId) => anew.inspect(serverId)))
  const seen = found.filter(({ state }) => state === 'running').length
  const seconds = (performance.now() - restarted) / 1000
  reportFigure('restart of the control plane: until it sees fifty', seen === SUPERVISORS ? seconds : Infinity, 's', {
    atMost: 5,
  })
  const sizes = servers.map(({ serverId }) => {
    const info = readFileSync(join(bench.dataDir, 'servers', serverId, 'host/info.json'), 'utf8')
    const pid = findFirstChild((JSON.parse(info) as { 'child-pid': number })['child-pid'])
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1]) / MIB
    return { resident: read('Rss'), proportional: read('Pss') }
  })
  const resident = Math.max(...sizes.map((size) => size.resident))
  const proportional = Math.max(...sizes.map((size) => size.proportional))
  reportFigure('supervisor idle, largest of fifty: resident', resident, 'MB', { atMost: 60 })
  reportFigure('supervisor idle, largest of fifty: proportional', proportional, 'MB', { atMost: 20 })
  return servers[0]!.client
}

async function measureConsole(client: SupervisorClient) {
  await client.start()
  await bench.reach(client, ['running'])
  const loaded = await flood(client, 20_000)
  reportFigure('console: lines from game to stream', loaded.lost === 0 ? loaded.rate : 0, '1/s', { atLeast: 5000 })
  const { lost, p99 } = await flood(client, 5000)
  reportFigure('console: lines lost at 5 000/s', lost, 'lines', { atMost: 0 })
  reportFigure('console: delay from game to stream at 5 000/s, p99', p99, 'ms', { atMost: 100 })
}

/** Lets the game print numbered lines with the time of each. */
async function flood(client: SupervisorClient, perSecond: number) {
  const stream = await client.openStream(await lastLine(client))
  const delays: number[] = []
  const seen = new Set<number>()
  let first = 0
  let last = 0
  stream.onMessage((message) => {
    if (message.type !== 'console') return
    last = Date.now()
    for (const { text } of message.lines) {
      const [word, number, , time] = text.split(' ')
      if (word !== 'line') continue
      first ||= last
      seen.add(Number(number))
      delays.push(last - Number(time))
    }
  })
  await client.command(`flood ${LINES} ${perSecond}`)
  await waitUntil(() => seen.has(LINES - 1), (LINES / perSecond) * 1000 + 30_000)
  stream.close()
  delays.sort((one, other) => one - other)
  return {
    lost: LINES - seen.size,
    rate: (seen.size / (last - first)) * 1000,
    p99: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN,
  }
}

/** Number of the last line so far, so that an earlier flood is not taken for this one. */
async function lastLine(client: SupervisorClient): Promise<number> {
  const stream = await client.openStream()
  let seq = 0
  stream.onMessage((message) => {
    if (message.type === 'console') seq = message.lines.at(-1)?.seq ?? seq
  })
  await wait(HISTORY_MS)
  stream.close()
  return seq
}
