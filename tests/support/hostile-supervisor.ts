/**
 * What a customer may put in place of their server's supervisor: it floods, trickles, lies, sends garbage, wrong types,
 * giant numbers and lines without an end. Arguments: configuration, seed, and its character:
 *
 *   flood    right in form, and far too much of it
 *   trickle  a byte each second, and never an end
 *   chaos    now this, now that
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

const config = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { serverId: string; listen: { socket: string } }
let state = Number(process.argv[3])
const character = process.argv[4] as 'flood' | 'trickle' | 'chaos'

/** Mulberry32. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)]!

let planHash = 'none'
let seq = 0
const nasty = 'x\u0000\u001b[31m\ud800<b>é\n'
const strangeTime = () =>
  character === 'flood'
    ? pick(new Date().toISOString(), '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z')
    : pick<unknown>(
        new Date().toISOString(),
        '1970-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z',
        'yesterday',
        0,
        null,
      )
const strangeNumber = () => pick<unknown>(0, 1, -1, -5e9, 1e12, 2 ** 53, 4411, 70_000, 1.5, '7', null)
const phases = [
  'empty',
  'installing',
  'stopped',
  'starting',
  'running',
  'stopping',
  'restarting',
  'crashed',
  'dreaming',
]

/** A status that is right in form, more often than not. */
function status(wild = character === 'chaos' && random() < 0.4): object {
  return {
    protocol: wild ? pick<unknown>(1, 2, 99, -1, 'one') : 1,
    serverId: config.serverId,
    version: wild ? nasty.repeat(100) : '0.1.0',
    phase: wild ? pick(...phases) : 'running',
    since: wild ? strangeTime() : new Date().toISOString(),
    installedPlan: planHash,
    install: wild
      ? { planHash, step: pick('download', 'dance'), packageName: nasty, bytesDone: -1, bytesTotal: 1e300 }
      : null,
    installError: null,
    gamePort: wild ? strangeNumber() : pick(0, -1, 70_000, 80, 25_565),
    launchedAt: wild ? strangeTime() : null,
    lastExit: wild ? { at: strangeTime(), code: 1e12, signal: nasty, expected: true } : null,
    players: {
      online: wild ? strangeNumber() : -7,
      max: wild ? strangeNumber() : 20,
      names: Array.from(
        { length: character === 'flood' ? 3_000 : pick(0, 3, 9_000) },
        (_, index) => `${nasty}${index}`,
      ),
    },
    worldVersion: wild ? pick<unknown>({ version: nasty.repeat(50), dataVersion: 1e12 }, 'flat', 7) : null,
    watchedLines: wild ? pick<unknown>(nasty.repeat(200), 7) : 'none of yours',
    lastEventSeq: wild ? pick<unknown>(seq, seq + 1e9, 2 ** 53, -1) : seq,
  }
}

/** Writes pieces as fast as they are taken, up to some three megabytes a second. */
function pour(target: Duplex | ServerResponse, piece: () => string | Buffer): void {
  const timer = setInterval(() => {
    if (target.destroyed) return clearInterval(timer)
    for (let written = 0; written < 64 * 1024 && !target.writableNeedDrain;) {
      const next = piece()
      written += Math.max(1, next.length)
      target.write(next)
    }
  }, 20)
  target.on('close', () => clearInterval(timer))
  target.on('error', () => clearInterval(timer))
}
function trickle(target: Duplex | ServerResponse, text: string): void {
  let at = 0
  const timer = setInterval(() => (target.destroyed ? clearInterval(timer) : target.write(text[at++] ?? ' ')), 1_000)
}

const block = Buffer.alloc(16 * 1024, 'a')
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const ways: ((response: ServerResponse) => void)[] = [
  (response) => response.end(JSON.stringify(status())),
  (response) => response.end(JSON.stringify(status())),
  (response) => response.end(JSON.stringify(status(false))),
  (response) => response.end(JSON.stringify(status(false))),
  (response) => trickle(response, JSON.stringify(status(false))),
  (response) => trickle(response.socket!, 'HTTP/1.1 200 OK\r\nA: '),
  (response) => pour(response, () => block),
  (response) => response.end('{"protocol":1e999,"players":{"online":-1e999}}'),
  (response) => response.end(deep),
  (response) => response.end('[null,{}]'),
  (response) => response.end('null'),
  (response) => response.end(''),
  (response) => response.writeHead(500).end(`{"error":${JSON.stringify(nasty.repeat(5_000))}}`),
  (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  (response) => response.socket!.end('no HTTP at all\r\n\r\n'),
  (response) => response.socket!.destroy(),
  (response) => pour(response.socket!, () => 'HTTP/1.1 100 Continue\r\n\r\n'),
  () => undefined,
]

const big = 'b'.repeat(100_000)
const event = (fields: object) => `${JSON.stringify({ seq: ++seq, at: strangeTime(), ...fields })}\n`
const exit = () => ({ at: strangeTime(), code: -1e9, signal: null, expected: pick(true, false) })
const events: (() => string)[] = [
  () => event({ type: 'player_joined', name: `${nasty}${seq}` }),
  () => event({ type: 'player_left', name: `${nasty}${seq - 3}` }),
  () => event({ type: 'phase', status: status() }),
  () => event({ type: 'installed', planHash: big }),
  () => event({ type: 'install_failed', planHash: String(seq), packageName: nasty, error: big }),
  () =>
    event({
      type: 'crashed',
      exit: exit(),
      crashCount: 1e9,
      tooManyTimes: pick(true, false),
      reasons: Array.from({ length: 300 }, () => nasty),
      lastLines: Array.from({ length: 50 }, () => 'l'.repeat(2_000)),
    }),
  () => event({ type: 'line', id: '00000000-0000-4000-8000-000000000000' }),
  () => event({ type: 'weather', sky: big }),
]
const rarely: (() => string)[] = [
  () => `{"seq":1,"at":"1970-01-01T00:00:00.000Z","type":"player_joined","name":"again"}\n`,
  () => `{"seq":9007199254740991,"at":"1970-01-01T00:00:00.000Z","type":"player_joined","name":"last"}\n`,
  () => 'garbage\n',
  () => big,
]
const nextEvent = () => (character === 'chaos' && random() < 0.01 ? pick(...rarely)() : pick(...events)())

const line = (text: string) => ({ seq: ++lineSeq, time: Date.now(), stream: 'out', text })
let lineSeq = 0
const frames: (() => string)[] = [
  () => JSON.stringify({ type: 'console', lines: Array.from({ length: 4_000 }, () => line('short')) }),
  () => JSON.stringify({ type: 'console', lines: Array.from({ length: 40 }, () => line('x'.repeat(60_000))) }),
  () => JSON.stringify({ type: 'console', lines: [line('y'.repeat(3_000_000))] }),
  () => JSON.stringify({ type: 'console', lines: [{ ...line(nasty), seq: pick<unknown>(-1, 2 ** 52, 'one') }] }),
  () => JSON.stringify({ type: 'stats', stats: { time: 1e300, cpu: -1, memory: '1' } }),
  () => JSON.stringify({ type: 'status', status: status() }),
  () => pick('garbage', deep, 'null', '{"type":"smell"}'),
]

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined)
  request.socket.on('error', () => undefined)
  let body = ''
  for await (const chunk of request) body += String(chunk)
  if (request.url === '/v1/install') planHash = (JSON.parse(body) as { plan: { hash: string } }).plan.hash
  const isFollowing = request.url!.startsWith('/v1/events?')
  if (character === 'trickle') return trickle(response, JSON.stringify(status()))
  if (character === 'flood' && !isFollowing) return void response.end(JSON.stringify(status()))
  if (!isFollowing || random() < 0.2) return pick(...ways)(response)
  response.writeHead(200)
  // It goes on where it is asked to, so that what it tells is believed to be news.
  seq = Math.max(seq, Number(new URL(request.url!, 'http://x').searchParams.get('after')))
  if (seq > 2 ** 52) seq = 0
  pour(response, nextEvent)
}

const server = createServer((request, response) => void answer(request, response).catch(() => undefined))
const sockets = new WebSocketServer({ noServer: true })
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => undefined)
  const way = character === 'flood' ? 1 : random()
  if (way < 0.05) return // never answered
  if (way < 0.1) return pour(socket, () => block)
  if (way < 0.15) {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    return pour(socket, () => block)
  }
  sockets.handleUpgrade(request, socket, head, flood)
})
function flood(listener: WebSocket): void {
  listener.on('error', () => undefined)
  const timer = setInterval(() => {
    if (listener.readyState !== listener.OPEN) return clearInterval(timer)
    if (listener.bufferedAmount < 1024 * 1024)
      listener.send(pick(...(character === 'flood' ? frames.slice(0, 2) : frames))())
  }, 100)
}
server.listen(config.listen.socket)
