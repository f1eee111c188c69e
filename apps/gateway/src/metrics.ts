/** Figures of a gateway in Prometheus' text format, on a port of their own beside `/healthz` and `/readyz`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Labels = Record<string, string>
export type Metrics = {
  /** Adds to a counter. */
  count(name: CounterName, labels?: Labels, by?: number): void
  /** Has a value asked for at every scrape. */
  gauge(name: string, help: string, read: () => number): void
  text(): string
}

const counters = {
  connections_total: 'Connections accepted.',
  refused_total: 'Connections refused or broken off, by reason.',
  answers_total: 'Answers given in place of a game, by kind and situation.',
  proxied_total: 'Connections led to a game, by intent.',
  knocks_total: 'Players who joined a sleeping server, by what came of it.',
  wakes_total: 'Wakes ordered, by way and outcome.',
  backend_failures_total: 'Games that did not accept a connection.',
  bytes_total: 'Bytes led through, by direction as the player sees it.',
} as const
type CounterName = keyof typeof counters

const RETRY_MS = 1_000
const PREFIX = 'wakestone_gateway_'

export function createMetrics(): Metrics {
  const counts = new Map<CounterName, Map<string, number>>()
  const gauges: { name: string; help: string; read: () => number }[] = []
  for (const name of Object.keys(counters) as CounterName[]) counts.set(name, new Map())

  function count(name: CounterName, labels: Labels = {}, by = 1) {
    let key = ''
    for (const label in labels) key += `${key && ','}${label}="${labels[label]}"`
    const series = counts.get(name)!
    series.set(key, (series.get(key) ?? 0) + by)
  }

  function text() {
    const lines: string[] = []
    for (const [name, series] of counts) {
      lines.push(`# HELP ${PREFIX}${name} ${counters[name]}`, `# TYPE ${PREFIX}${name} counter`)
      for (const [key, value] of series) lines.push(`${PREFIX}${name}${key && `{${key}}`} ${value}`)
    }
    for (const { name, help, read } of gauges) {
      lines.push(`# HELP ${PREFIX}${name} ${help}`, `# TYPE ${PREFIX}${name} gauge`, `${PREFIX}${name} ${read()}`)
    }
    return `${lines.join('\n')}\n`
  }

  return { count, gauge: (name, help, read) => void gauges.push({ name, help, read }), text }
}

/** Serves `/metrics`, `/healthz`, and `/readyz` (the routes are those of now), on the loopback address unless told otherwise. */
export async function serveMetrics(options: {
  host?: string
  port: number
  /** Where the port is taken, it is waited for: who has it is about to end. */
  waits?: boolean
  metrics: Metrics
  health: () => Record<string, unknown>
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const known = request.method === 'GET' || request.method === 'HEAD'
    if (known && request.url === '/metrics') {
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(options.metrics.text())
    } else if (known && request.url === '/healthz') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(options.health()))
    } else if (known && request.url === '/readyz') {
      // Players are let in from the routes on disk before that; new servers are not known yet.
      const isReady = options.health()['feed'] === 'connected'
      response.writeHead(isReady ? 200 : 503).end()
    } else response.writeHead(404).end()
  })
  let again: NodeJS.Timeout | undefined
  const listen = () => server.listen(options.port, options.host ?? '127.0.0.1')
  const listening = once(server, 'listening')
  if (options.waits === true)
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') again = setTimeout(listen, RETRY_MS)
    })
  listen()
  if (options.waits === true) listening.catch(() => undefined)
  else await listening
  return {
    port: (server.address() as AddressInfo | null)?.port ?? options.port,
    async close() {
      clearTimeout(again)
      server.close()
      server.closeAllConnections()
    },
  }
}
