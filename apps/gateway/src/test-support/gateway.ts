/** A gateway in this process with a control plane of its own, on free ports and in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import type { Route } from '@wakestone/protocol/gateway'
import { type GatewayOptions, startGateway } from '../start-gateway.ts'
import { FEED_TOKEN, type OnWake, startRouteFeed } from './route-feed-server.ts'
import { until } from './wire.ts'

export const silent = createLogger({ part: 'gateway', level: 'silent' })

export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'wakestone-gateway-'))
}

export async function startTestGateway(
  routes: Route[],
  { onWake, ...overrides }: Partial<GatewayOptions> & { onWake?: OnWake } = {},
) {
  const dataDir = overrides.dataDir ?? (await makeFolder())
  const feed = await startRouteFeed(routes, onWake && { onWake })
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir,
    apiUrl: feed.url,
    token: FEED_TOKEN,
    logger: silent,
    proxyIn: false,
    connectionsPerAddress: 10_000,
    connectionRate: 100_000,
    handshakeSeconds: 10,
    wakesPerAddress: 1_000,
    wakesPerNetwork: 1_000,
    wakesPerServer: 1_000,
    ...overrides,
  })
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${gateway.metricsPort}/healthz`)
    return (await response.json()) as { status: string; routes: number; feed: string }
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${gateway.metricsPort}/metrics`)).text()
  await until(async () => (await health()).feed === 'connected', 'routes arrived')
  return {
    port: gateway.port,
    feed,
    dataDir,
    health,
    metrics,
    async close() {
      await gateway.close()
      await feed.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>
