/**
 * Measures the authenticated `GET /servers/{id}` beside a bare Fastify handler that does one indexed query, each in a
 * process of its own, on the same PostgreSQL, in turns.
 * Prints one JSON line per figure: `{name, value, unit, reach, ok}`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createApiClient } from '@wakestone/contract/client'
import * as servers from '@wakestone/contract/routes/servers'
import * as users from '@wakestone/contract/routes/users'
import { loadSecrets } from '@wakestone/kit/secrets'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { startPostgres } from '../apps/standalone/src/postgres.ts'
import { buildFlyingSquidArtifact } from '../engines/flying-squid/src/build.ts'
import { median } from './fixtures/median.ts'
import { startScript } from './fixtures/start-script.ts'

const connections = 32
const seconds = 2
const rounds = 12
const ratioToReach = 0.5
const latencyToReach = 3

const dataDir = mkdtempSync(join(tmpdir(), 'ws-bench-'))
const endings: (() => unknown)[] = []
type Figures = { rate: number; p99: number }
function report(name: string, value: number, unit: string, reach: string, ok: boolean) {
  console.log(JSON.stringify({ name, value: Number(value.toPrecision(3)), unit, reach, ok }))
}

async function start(script: string, env: Record<string, string>): Promise<string> {
  const { origin, stop } = await startScript(join(import.meta.dirname, script), env)
  endings.push(stop)
  return origin
}

async function signIn(origin: string, password: string) {
  let cookie = ''
  const call = createApiClient(async (path, init) => {
    const response = await fetch(`${origin}${path}`, { ...init, headers: { ...init.headers, cookie } })
    const fresh = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (fresh.length > 0) cookie = fresh.join('; ')
    return response
  })
  const user = await call(users.loginLocal, { body: { login: 'demo@wakestone.local', password } })
  return { call, user, cookie: () => cookie }
}

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

try {
  const postgres = await startPostgres({
    home: join(dataDir, 'postgres'),
    password: 'bench',
    logFile: join(dataDir, 'postgres.log'),
  })
  endings.push(postgres.stop)
  const databaseUrl = postgres.url('postgres')
  await migrate(databaseUrl)
  const { manifest } = await buildFlyingSquidArtifact({ outDir: join(dataDir, 'artifacts') })
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    PUBLIC_URL: 'http://localhost',
  }
  const bare = await start('../apps/server/src/http/test-support/bare-handler.ts', env)
  const api = await start('../apps/server/src/api.ts', { ...env, NODE_ENV: 'development' })

  const { call, user, cookie } = await signIn(api, loadSecrets(dataDir).demoPassword)
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
  report('GET /servers/{id}: requests/s against a bare handler', ratio, '×', `≥${ratioToReach}`, ratio >= ratioToReach)
  report('GET /servers/{id}: p99 against a bare handler', latency, '×', `≤${latencyToReach}`, latency <= latencyToReach)
} finally {
  for (const end of endings.reverse()) await end()
  rmSync(dataDir, { recursive: true, force: true })
}
