/**
 * Measures the gateway as its own process, with those who look at the server list in another one, and games in this one:
 * answers for stopped and sleeping servers, players who wake a frozen game, delay added to a byte, and throughput beside
 * HAProxy's in the same run.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { reportFigure } from './fixtures/figure.ts'
import { median } from './fixtures/median.ts'
import { writeHandshake } from '../packages/minecraft/src/handshake.ts'
import { writeLoginStart } from '../packages/minecraft/src/login.ts'
import { loadSecrets } from '../packages/kit/src/secrets.ts'
import { joinGame, startGame } from '../apps/gateway/src/test-support/game.ts'
import { makeRoute, startRouteFeed } from '../apps/gateway/src/test-support/route-feed-server.ts'
import { startSupervisor } from '../apps/gateway/src/test-support/supervisor.ts'
import type { LooksAnswer, LooksOrder } from './fixtures/knocks.ts'

const HAPROXY = '/usr/sbin/haproxy'
const CLIENTS = 64
const STATUS_ROUNDS = 4 // the first ones warm up
const STATUS_ROUND_MS = 1500
const SLEEPERS = 5000
/** A picture of 64×64 as servers have them. */
const ICON_BYTES = 6000
const KNOCKS = 20
const RAW_KNOCKS = 200
const ECHOES = 1000
const ROUNDS = 5
const FLOW_MS = 1000
const STREAMS = 2

const endings: (() => unknown)[] = []

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  endings.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL')) // whatever happens here, nothing stays behind
  endings.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  return child
}

function startGateway(dataDir: string, apiUrl: string): Promise<{ port: number; pid: number }> {
  const child = run(process.execPath, [join(import.meta.dirname, '../apps/gateway/src/main.ts')], {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    API_URL: apiUrl,
    GAME_HOST: '127.0.0.1',
    GAME_PORT: '0',
    SFTP_PORT: '0',
    METRICS_PORT: '0',
    GATEWAY_CONNECTIONS_PER_ADDRESS: '100000',
    GATEWAY_CONNECTION_RATE: '10000000',
    GATEWAY_WAKES_PER_ADDRESS: '1000',
    GATEWAY_WAKES_PER_NETWORK: '1000',
    GATEWAY_WAKES_PER_SERVER: '1000',
  })
  let routed = false
  return new Promise((resolve, reject) => {
    let port = 0
    child.once('exit', () => reject(new Error('the gateway ended')))
    createInterface(child.stdout!).on('line', (line) => {
      const { msg, ...entry } = JSON.parse(line) as { msg: string; port: number }
      if (msg === 'listening') port = entry.port
      if (msg === 'routes received') routed = true
      if (port !== 0 && routed) resolve({ port, pid: child.pid! })
    })
  })
}

/** Processor seconds that a process has used, where the system tells. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) / 100
}

/** Best rates of some rounds, in all and for a second of the gateway's processor. */
async function measureLooks(pid: number, order: Omit<LooksOrder, 'clients' | 'milliseconds'>) {
  const players = fork(join(import.meta.dirname, 'fixtures/knocks.ts'))
  process.once('exit', () => players.kill('SIGKILL'))
  const ended = once(players, 'exit').then(() => undefined)
  let rate = 0
  let ratePerCore = 0
  for (let round = 0; round < STATUS_ROUNDS; round++) {
    const usedBefore = await processorSeconds(pid)
    players.send({ ...order, clients: CLIENTS, milliseconds: STATUS_ROUND_MS } satisfies LooksOrder)
    const answer = await Promise.race([once(players, 'message'), ended])
    if (!answer) throw new Error('a look at the list went wrong')
    const [{ looks, seconds }] = answer as [LooksAnswer]
    // The best round: what else this machine does is not the gateway's.
    rate = Math.max(rate, looks / seconds)
    const used = (await processorSeconds(pid)) - usedBefore
    if (used > 0) ratePerCore = Math.max(ratePerCore, looks / used)
  }
  players.disconnect()
  await ended
  return { rate, ratePerCore }
}

async function measureStatus(port: number, pid: number) {
  const { rate, ratePerCore } = await measureLooks(pid, { port, host: 'stopped.test', hosts: 1 })
  reportFigure('gateway: status answers for a stopped server', rate, '/s', { atLeast: 5000 })
  reportFigure('gateway: status answers per second of its processor time', ratePerCore, '/s')
}

function makeSleepers() {
  return Array.from({ length: SLEEPERS }, (_, index) =>
    makeRoute({
      host: `${index}.asleep.test`,
      serverName: `Łąka ${index}`,
      state: 'asleep',
      canWake: true,
      hasRoom: true,
      expectedSeconds: 8,
      face: {
        description: '{"text":"A meadow"}',
        version: 'Paper 1.21.4',
        versionProtocol: 769,
        max: 20,
        icon: `data:image/png;base64,${randomBytes((ICON_BYTES / 4) * 3).toString('base64')}`,
      },
      door: { whitelist: ['steve', 'alex'], banned: [], bannedAddresses: [] },
    }),
  )
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024
}

async function measureSleepers(port: number, pid: number) {
  const { rate, ratePerCore } = await measureLooks(pid, { port, host: 'asleep.test', hosts: SLEEPERS })
  reportFigure(`gateway: status answers for ${SLEEPERS} sleepers`, rate, '/s', { atLeast: 5000 })
  reportFigure(`gateway: the same per second of its processor time`, ratePerCore, '/s')
  reportFigure(`gateway: memory with ${SLEEPERS} sleepers`, (await residentBytes(pid)) / 1e6, 'MB', { atMost: 200 })
}

type Feed = Awaited<ReturnType<typeof startRouteFeed>>

/** A real game that is frozen as a whole, and a supervisor's socket that lets it go on; the API is not asked. */
async function measureKnocks(port: number, feed: Feed) {
  const game = await startGame()
  endings.push(() => game.close())
  let orderedAt = 0
  const thaws: number[] = []
  const worlds: number[] = []
  const supervisor = await startSupervisor(() => {
    game.thaw()
    thaws.push(performance.now() - orderedAt)
    return 'running'
  })
  endings.push(() => supervisor.close())
  const route = makeRoute({ host: 'light.test', canWake: true, backend: { host: game.host, port: game.port } })
  for (let turn = 0; turn <= KNOCKS; turn++) {
    game.freeze()
    feed.set({ ...route, state: 'light_sleep', thaw: supervisor.grant })
    await wait(200)
    orderedAt = performance.now()
    const player = await joinGame(port, 'light.test', 'Steve')
    worlds.push(performance.now() - orderedAt)
    player.quit()
    await player.end
  }
  // The first one loads what a client needs.
  const p95 = inOrder(worlds.slice(1))[Math.ceil(KNOCKS * 0.95) - 1]!
  reportFigure('gateway: knock at a frozen game to a bot in its world, p95', p95 / 1000, 's', { atMost: 1 })

  const hello = Buffer.concat([
    writeHandshake({ protocol: 769, host: 'light.test', port: 25565, intent: 'login' }),
    writeLoginStart('Steve', Buffer.alloc(16)),
  ])
  thaws.length = 0
  for (let turn = 0; turn < RAW_KNOCKS; turn++) {
    game.freeze()
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('error', () => {})
    await once(socket, 'connect')
    orderedAt = performance.now()
    socket.write(hello)
    while (thaws.length <= turn) await wait(1)
    socket.destroy()
  }
  const p99 = inOrder(thaws)[Math.ceil(RAW_KNOCKS * 0.99) - 1]!
  reportFigure('gateway: a name told to the game thawed, p99', p99, 'ms', { atMost: 150 })
}

const inOrder = (times: number[]) => times.toSorted((one, other) => one - other)

async function openJoined(port: number, host: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(writeHandshake({ protocol: 769, host, port: 25565, intent: 'login' }))
  return socket
}

async function measureDelay(port: number, echoPort: number) {
  const open = async (target: number) => {
    const socket = await openJoined(target, 'echo.test')
    await once(socket, 'data') // the echoed handshake: the way is open
    return socket
  }
  const direct = await open(echoPort)
  const proxied = await open(port)
  const byte = Buffer.from('x')
  const echo = async (socket: Socket) => {
    const start = performance.now()
    const back = once(socket, 'data')
    socket.write(byte)
    await back
    return performance.now() - start
  }
  const p99 = (times: number[]) => times.toSorted((x, y) => x - y)[Math.floor(times.length * 0.99)]!
  const added: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const times: { direct: number[]; proxied: number[] } = { direct: [], proxied: [] }
    for (let turn = 0; turn < ECHOES; turn++) {
      times.direct.push(await echo(direct))
      times.proxied.push(await echo(proxied))
    }
    added.push(p99(times.proxied) - p99(times.direct))
  }
  const typical = median(added)
  reportFigure('gateway: delay added to the round trip of a byte, p99', typical, 'ms', { atMost: 1 })
  direct.destroy()
  proxied.destroy()
}

/** Bytes per second of some streams at once through one door. */
async function flow(port: number): Promise<number> {
  let bytes = 0
  const sockets = Array.from({ length: STREAMS }, () => {
    const callback = (count: number) => {
      bytes += count
      return true
    }
    const buffer = Buffer.allocUnsafe(256 * 1024)
    const socket = connect({ host: '127.0.0.1', port, onread: { buffer, callback } })
    socket.on('error', () => {})
    socket.write(writeHandshake({ protocol: 769, host: 'source.test', port: 25565, intent: 'login' }))
    return socket
  })
  await wait(100)
  bytes = 0
  const start = performance.now()
  await wait(FLOW_MS)
  const rate = bytes / ((performance.now() - start) / 1000)
  const closed = sockets.map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  return rate
}

async function startHaproxy(folder: string, backend: number): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1m
  timeout server 1m
listen games
  bind 127.0.0.1:${port}
  server game 127.0.0.1:${backend}
`,
  )
  run(HAPROXY, ['-db', '-f', file], {})
  for (let tries = 0; tries < 500; tries++) {
    const socket = connect({ host: '127.0.0.1', port })
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (open) return port
    await wait(10)
  }
  throw new Error('HAProxy does not listen')
}

async function measureThroughput(port: number, sourcePort: number, folder: string) {
  if (!existsSync(HAPROXY)) {
    const rate = await flow(port)
    process.stderr.write(`no HAProxy at ${HAPROXY}: nothing to compare ${(rate / 1e9).toFixed(2)} GB/s with\n`)
    return
  }
  const haproxy = await startHaproxy(folder, sourcePort)
  const ratios: number[] = []
  let ours = 0
  await flow(port)
  await flow(haproxy)
  for (let round = 0; round < ROUNDS; round++) {
    const yardstick = await flow(haproxy)
    ours = await flow(port)
    ratios.push(ours / yardstick)
  }
  const ratio = median(ratios)
  reportFigure('gateway: throughput', ours / 1e9, 'GB/s')
  reportFigure('gateway: throughput beside HAProxy, median', ratio, '×', { atLeast: 0.7 })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const folder = await mkdtemp(join(tmpdir(), 'wakestone-bench-'))
try {
  const echoPort = await listen((socket) => socket.pipe(socket))
  const block = Buffer.alloc(1024 * 1024, 0x77)
  const sourcePort = await listen((socket) => {
    const pour = () => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.once('data', pour)
    socket.on('drain', pour)
  })
  const feed = await startRouteFeed(
    [
      makeRoute({ host: 'stopped.test' }),
      ...makeSleepers(),
      makeRoute({ host: 'echo.test', state: 'running', backend: { host: '127.0.0.1', port: echoPort } }),
      makeRoute({ host: 'source.test', state: 'running', backend: { host: '127.0.0.1', port: sourcePort } }),
    ],
    { token: loadSecrets(folder).gateway },
  )
  endings.push(() => feed.close())
  const { port, pid } = await startGateway(folder, feed.url)
  await measureStatus(port, pid)
  await measureSleepers(port, pid)
  await measureKnocks(port, feed)
  await measureDelay(port, echoPort)
  await measureThroughput(port, sourcePort, folder)
} finally {
  for (const end of endings.toReversed()) await end()
  await rm(folder, { recursive: true, force: true })
}
