/** `/v1/stream`: console, statistics and status over WebSocket. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServerStats } from '@wakestone/protocol/supervisor'
import type { TokenCheck } from '@wakestone/protocol/token-check'
import type { WebSocket, WebSocketServer } from 'ws'
import type { ConsoleBatch } from './console.ts'
import { createTrafficReader } from './network-usage.ts'
import { createUsageReader } from './process-usage.ts'
import type { Supervisor } from './supervisor.ts'

/** A listener that leaves so much unread is cut off; it can come back with the last number it saw. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024
/** Longest frame of history. */
const FRAME_LENGTH = 512 * 1024
const STATS_MS = 1000

export function serveStream({
  server,
  supervisor,
  checkToken,
}: {
  server: Server
  supervisor: Supervisor
  checkToken: TokenCheck<'supervisor'>
}): { close(): void; drop(): void } {
  const listeners = new Set<WebSocket>()
  let sockets: WebSocketServer | undefined
  let statsTimer: NodeJS.Timeout | undefined
  const readStats = createStatsReader(supervisor)

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const url = new URL(request.url ?? '/', 'http://supervisor')
    const after = /^\d{1,15}$/.exec(url.searchParams.get('after') ?? '0')
    const claims = checkToken(request.headers.authorization)
    const fault = !claims
      ? '401 Unauthorized'
      : claims.purpose === 'thaw'
        ? '403 Forbidden'
        : url.pathname !== '/v1/stream'
          ? '404 Not Found'
          : !after
            ? '400 Bad Request'
            : undefined
    if (fault !== undefined) return socket.end(`HTTP/1.1 ${fault}\r\nConnection: close\r\n\r\n`)
    // Loaded with the first listener: a supervisor that nobody watches does without.
    void import('ws').then(({ WebSocketServer: Sockets }) => {
      sockets ??= new Sockets({ noServer: true, perMessageDeflate: false, maxPayload: 1024 })
      sockets.handleUpgrade(request, socket, head, (listener) => attach(listener, Number(after?.[0])))
    })
  })

  function send(listener: WebSocket, text: string) {
    if (listener.readyState !== listener.OPEN) return
    listener.send(text)
    if (listener.bufferedAmount > MAX_UNSENT_BYTES) listener.terminate()
  }

  function attach(listener: WebSocket, after: number) {
    for (const frame of toFrames(supervisor.console.linesAfter(after))) send(listener, frame)
    send(listener, statusFrame())
    const ends = [
      // One frame for all listeners would need a broadcast; a batch is joined once and kept by reference instead.
      supervisor.console.listen((batch) => send(listener, frameOf(batch))),
      supervisor.onStatus(() => send(listener, statusFrame())),
      supervisor.watch(),
    ]
    listeners.add(listener)
    statsTimer ??= setInterval(() => void sendStats(), STATS_MS)
    listener.on('error', () => listener.terminate())
    listener.on('close', () => {
      for (const end of ends) end()
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearInterval(statsTimer)
      statsTimer = undefined
    })
  }

  const statusFrame = () => JSON.stringify({ type: 'status', status: supervisor.status() })

  async function sendStats() {
    const stats = await readStats()
    const frame = JSON.stringify({ type: 'stats', stats })
    for (const listener of listeners) send(listener, frame)
  }

  return {
    close() {
      clearInterval(statsTimer)
      for (const listener of listeners) listener.close(1001)
    },
    /** At once, without a word. */
    drop() {
      for (const listener of listeners) listener.terminate()
    },
  }
}

const frames = new WeakMap<ConsoleBatch, string>()

function frameOf(batch: ConsoleBatch): string {
  let frame = frames.get(batch)
  if (frame === undefined) {
    frame = `{"type":"console","lines":[${batch.lines.join(',')}]}`
    frames.set(batch, frame)
  }
  return frame
}

function* toFrames({ lines }: ConsoleBatch): Generator<string> {
  let from = 0
  while (from < lines.length) {
    let to = from
    let length = 0
    while (to < lines.length && length < FRAME_LENGTH) length += (lines[to++] as string).length
    yield `{"type":"console","lines":[${lines.slice(from, to).join(',')}]}`
    from = to
  }
}

/** @param longestSeconds rates over a longer pause would tell nothing, and are 0 */
export function createStatsReader(
  supervisor: Supervisor,
  { longestSeconds = 5, disk = () => supervisor.disk.watch() } = {},
): () => Promise<ServerStats> {
  const { config } = supervisor
  const readUsage = createUsageReader({ cgroup: config.cgroup })
  const readTraffic = createTrafficReader()
  let last: { time: number; cpuSeconds: number } | undefined

  return async () => {
    const { cpuSeconds, memoryBytes } = readUsage()
    const traffic = await readTraffic(supervisor.gamePort())
    const time = performance.now()
    const seconds = last ? (time - last.time) / 1000 : 0
    const isRate = last !== undefined && seconds < longestSeconds
    const cpu = isRate ? Math.max(0, cpuSeconds - (last as { cpuSeconds: number }).cpuSeconds) / seconds : 0
    last = { time, cpuSeconds }
    const { online, max } = supervisor.status().players
    const heap = supervisor.heap()
    return {
      time: Date.now(),
      cpu: Math.round(cpu * 1000) / 1000,
      cpuLimit: config.limits.cpu,
      memory: memoryBytes,
      memoryLimit: config.limits.memoryBytes,
      disk: disk(),
      diskLimit: config.limits.diskBytes,
      networkIn: isRate ? Math.round(traffic.in / seconds) : 0,
      networkOut: isRate ? Math.round(traffic.out / seconds) : 0,
      players: online,
      playersMax: max,
      tickMs: null,
      tps: null,
      heapUsed: heap?.heapUsed ?? null,
      heapMax: heap?.heapMax ?? null,
      gcTime: heap?.gcTime ?? null,
    }
  }
}
