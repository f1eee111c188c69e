/**
 * Measures what every page asks (`GET /users/verify`) and the authenticated `GET /servers/{id}` beside a bare Fastify
 * handler that does one indexed query, each in a process of its own, on the same PostgreSQL, in turns.
 */
import { join } from 'node:path'
import * as servers from '@wakestone/contract/servers/servers-routes'
import { buildFlyingSquidArtifact } from '../engines/flying-squid/src/build.ts'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportFigure } from './fixtures/figure.ts'
import { type Load, putLoadOn, requireWrk, type Target } from './fixtures/load.ts'
import { median } from './fixtures/median.ts'
import { startScript } from './fixtures/start-script.ts'

const seconds = 2
const rounds = 8

await requireWrk()
const product = await startBenchDatabase()
try {
  const { manifest } = await buildFlyingSquidArtifact({ outDir: join(product.dataDir, 'artifacts') })
  const handler = join(import.meta.dirname, '../apps/server/src/http/test-support/bare-handler.ts')
  const bare = await startScript(handler, product.env)
  product.defer(bare.stop)
  const { origin, pid, call, user, cookie } = await startBenchApi(product)
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
  const headers = { cookie: cookie() }
  const yardstick = { url: `${bare.origin}/servers/${id}`, pid: bare.pid }
  const measured: { path: string; ratioToReach: number; target: Target }[] = [
    { path: 'users/verify', ratioToReach: 0.25 },
    { path: `servers/${id}`, ratioToReach: 0.4 },
  ].map((one) => ({ ...one, target: { url: `${origin}/api/v1/${one.path}`, pid, headers } }))

  for (const target of [yardstick, ...measured.map((one) => one.target)]) await putLoadOn(target, seconds) // warm
  const loads = new Map<Target, Load[]>([yardstick, ...measured.map(({ target }) => target)].map((one) => [one, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const [target, found] of loads) found.push(await putLoadOn(target, seconds))
    const told = [...loads.values()]
      .map((found) => found.at(-1)!)
      .map(({ rate, p99 }) => `${Math.round(rate)}/s (p99 ${p99.toFixed(1)} ms)`)
    console.log(
      `round ${round}: bare, ${measured.map(({ path }) => path.replace(id, '{id}')).join(', ')}: ${told.join(', ')}`,
    )
  }

  const ofBare = loads.get(yardstick)!
  reportFigure('a bare handler: requests', median(ofBare.map(({ rate }) => rate)), '/s')
  reportFigure('a bare handler: processor for one', median(ofBare.map(({ processor }) => processor)), 'ms')
  for (const { path, ratioToReach, target } of measured) {
    const name = `GET /${path.replace(id, '{id}')}`
    const ours = loads.get(target)!
    // Each round is a set measured within seconds: what else the machine does meets all of it. The middle round counts.
    const against = (figure: 'rate' | 'p99' | 'processor') =>
      median(ours.map((load, round) => load[figure] / ofBare[round]![figure]))
    reportFigure(`${name}: requests against a bare handler`, against('rate'), '×', { atLeast: ratioToReach })
    reportFigure(`${name}: p99 against a bare handler`, against('p99'), '×')
    reportFigure(`${name}: processor for one`, median(ours.map(({ processor }) => processor)), 'ms')
    reportFigure(`${name}: processor against a bare handler`, against('processor'), '×')
  }
} finally {
  await product.stop()
}
