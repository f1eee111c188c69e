/**
 * Prometheus figures, health and readiness on a port of their own, on the loopback address unless METRICS_HOST says otherwise.
 */
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'wakestone_' })
  return registry
}

/** Times every answer by route and status. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'wakestone_http_request_seconds',
    help: 'Time to answer',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  })
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
}

/** What a worker follows, and what the health page would say. */
export function measureWork(
  registry: Registry,
  { watched, troubles }: { watched: () => number; troubles: () => Promise<{ trouble: string; count: number }[]> },
): void {
  new Gauge({
    name: 'wakestone_servers_watched',
    help: 'Servers whose events this worker follows',
    registers: [registry],
    collect() {
      this.set(watched())
    },
  })
  new Gauge({
    name: 'wakestone_trouble',
    help: 'What somebody should look at, as /admin/health counts it',
    labelNames: ['trouble'],
    registers: [registry],
    async collect() {
      const found = await troubles()
      this.reset()
      for (const { trouble, count } of found) this.set({ trouble }, count)
    },
  })
}

export async function serveMetrics(
  registry: Registry,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return void response.end('ok\n')
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => response.setHeader('content-type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
