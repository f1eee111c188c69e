/**
 * Measures the authenticated `GET /servers/{id}` beside a bare Fastify handler that does one indexed query, each in a
 * process of its own, on the same PostgreSQL, in turns.
 */
import { join } from 'node:path'
import autocannon from 'autocannon'
import * as servers from '@wakestone/contract/servers/servers-routes'
import { buildFlyingSquidArtifact } from '../engines/flying-squid/src/build.ts'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportFigure } from './fixtures/figure.ts'
import { median } from './fixtures/median.ts'
import { startScript } from './fixtures/start-script.ts'

const connections = 32
const seconds = 2
const rounds = 12
const ratioToReach = 0.5
const latencyToReach = 3

type Figures = { rate: number; p99: number }
async function measure(url: string, cookie?: string) {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    ...(cookie !== undefined && { headers: { cookie } }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

const product = await startBenchDatabase()
try {
  const { manifest } = await buildFlyingSquidArtifact({ outDir: join(product.dataDir, 'artifacts') })
  const handler = join(import.meta.dirname, '../apps/server/src/http/test-support/bare-handler.ts')
  const { origin: bare, stop } = await startScript(handler, product.env)
  product.defer(stop)
  const { origin: api, call, user, cookie } = await startBenchApi(product)
  const { id } = await call(servers.createServer, {
    body: {
      name: 'Measured',
      subdomain: 'measured',
      cluster_id: 'local',
      engine: 'flying-squid',
      engine_version: manifest.contentVersion,
      requested_billing_services: ['FREE'],
      billing_period: '720h',
      currency: 'PLN',
      wallet_id: user.wallets[0]!.id,
    },
  })
  await measure(`${bare}/servers/${id}`)
  await measure(`${api}/api/v1/servers/${id}`, cookie())
  const ours: Figures[] = []
  const yardstick: Figures[] = []
  for (let round = 0; round < rounds; round++) {
    yardstick.push(await measure(`${bare}/servers/${id}`))
    ours.push(await measure(`${api}/api/v1/servers/${id}`, cookie()))
    const text = ({ rate, p99 }: Figures) => `${Math.round(rate)}/s, p99 ${p99} ms`
    console.log(`round ${round + 1}: ${text(ours[round]!)}; bare ${text(yardstick[round]!)}`)
  }
  // Each round is a pair measured within seconds: what else the machine does meets both. The middle pair counts.
  const ratio = median(ours.map(({ rate }, round) => rate / yardstick[round]!.rate))
  const latency = median(ours.map(({ p99 }, round) => p99 / Math.max(1, yardstick[round]!.p99)))
  reportFigure('GET /servers/{id}: requests/s against a bare handler', ratio, '×', { atLeast: ratioToReach })
  reportFigure('GET /servers/{id}: p99 against a bare handler', latency, '×', { atMost: latencyToReach })
} finally {
  await product.stop()
}
