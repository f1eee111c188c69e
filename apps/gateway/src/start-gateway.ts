/** The door for players: listens, knows the routes, answers or leads on. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@wakestone/kit/logger'
import type { Route } from '@wakestone/protocol/gateway'
import { createGuard, type GuardRules } from './antibot/guard.ts'
import { startReports } from './antibot/report.ts'
import { createAddressLimits } from './address-limits.ts'
import { type BedrockSignalling, openBedrockDoors } from './bedrock/doors.ts'
import { handleConnection } from './connection.ts'
import type { GatewayContext } from './context.ts'
import { createMetrics, serveMetrics } from './metrics.ts'
import { keepRoutes, loadRoutes } from './route-file.ts'
import { followRoutes } from './route-feed.ts'
import { openExtraPorts, type PortLimits } from './ports/extra-ports.ts'
import { createRouteTable } from './route-table.ts'
import { createPlaces } from './waking/places.ts'
import { createTransfers } from './waking/transfers.ts'
import { createWakeCall } from './waking/wake-call.ts'
import { createWakeLimits } from './waking/wake-limits.ts'
import { createWakes } from './waking/wakes.ts'

export type GatewayOptions = {
  /** Unset: all addresses, IPv4 and IPv6. */
  host?: string | undefined
  port: number
  /** On the loopback address. */
  metricsHost?: string
  metricsPort: number
  /** Listen beside another gateway, which is about to end. */
  reusePort?: boolean
  dataDir: string
  apiUrl: string
  token: string
  logger: Logger
  proxyIn: boolean
  connectionsPerAddress: number
  /** New connections per address in ten seconds. */
  connectionRate: number
  handshakeSeconds: number
  /** Wakes in ten minutes. */
  wakesPerAddress: number
  wakesPerNetwork: number
  wakesPerServer: number
  /** How bots are kept out of servers that are guarded. */
  antibot?: GuardRules
  /** How often figures of that are told. */
  reportMs?: number
  dialSeconds?: number
  /** Where Bedrock clients ask by HTTP (`BedrockDoors`). */
  signalling?: BedrockSignalling
  /** Of ports that servers have beside the game's own. */
  portLimits?: PortLimits
  /** What the SFTP door has open. */
  sftp?: () => { connections: number; sessions: number }
}

export type Gateway = {
  port: number
  metricsPort: number
  /** Takes nobody new from now on; resolves when everybody has left, or after so long. */
  drain(seconds: number): Promise<void>
  close(): Promise<void>
}

const DIAL_SECONDS = 2
const PORT_LIMITS: PortLimits = { perAddress: 16, perNetwork: 64, inAll: 500 }
/** Players who may wait for one game to come up, and for all. */
const WAITING_PER_SERVER = 50
const MAX_WAITING = 1_000
/** Newcomers who show at a time that they are people; more are asked to join twice. */
const CHECKED_PER_SERVER = 50
const MAX_CHECKED = 500
/** All addresses together; each joined player takes two descriptors. */
const MAX_CONNECTIONS = 20_000
/** At the end, how long a slow reader may take for what is left. */
const DRAIN_MS = 1000
const DRAIN_LOOK_MS = 250

/** @throws when a port cannot be taken. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger, dataDir } = options
  const routes = createRouteTable()
  const metrics = createMetrics()
  const wakeLimits = createWakeLimits({
    perAddress: options.wakesPerAddress,
    perNetwork: options.wakesPerNetwork,
    perServer: options.wakesPerServer,
  })
  const wakes = createWakes({ routes, limits: wakeLimits, callApi: createWakeCall(options), metrics, logger })
  const context: GatewayContext = {
    routes,
    metrics,
    logger,
    limits: createAddressLimits({ connections: options.connectionsPerAddress, rate: options.connectionRate }),
    joined: new Map(),
    wakes,
    places: createPlaces({ perServer: WAITING_PER_SERVER, inAll: MAX_WAITING }),
    transfers: createTransfers(),
    antibot: createGuard(options.antibot),
    checkPlaces: createPlaces({ perServer: CHECKED_PER_SERVER, inAll: MAX_CHECKED }),
    proxyIn: options.proxyIn,
    handshakeMs: options.handshakeSeconds * 1000,
    dialMs: (options.dialSeconds ?? DIAL_SECONDS) * 1000,
  }
  routes.onChange((changed) => {
    for (const route of changed) if (route.state === 'light_sleep') thawForPlayers(route, context)
  })
  const file = join(dataDir, 'gateway', 'routes.json')
  await loadRoutes(file, routes, logger)

  let isDraining = false
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    handleConnection(socket, context)
  })
  server.maxConnections = MAX_CONNECTIONS
  const reusePort = options.reusePort === true
  server.listen({ port: options.port, host: options.host, backlog: 1024, reusePort })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const bedrock = openBedrockDoors({
    host: options.host,
    routes,
    metrics,
    logger,
    limits: context.limits,
    antibot: context.antibot,
    wakes,
    signalling: options.signalling ?? { publicAddress: undefined, tls: undefined },
  })
  const extra = openExtraPorts({
    host: options.host,
    routes,
    metrics,
    logger,
    dialMs: context.dialMs,
    limits: options.portLimits ?? PORT_LIMITS,
  })
  const feed = followRoutes({ apiUrl: options.apiUrl, token: options.token, table: routes, logger })
  const reports = startReports({
    guard: context.antibot,
    apiUrl: options.apiUrl,
    token: options.token,
    logger,
    everyMs: options.reportMs,
  })
  const kept = keepRoutes(file, routes, logger)
  metrics.gauge('connections_open', 'Open connections of players.', () => sockets.size)
  metrics.gauge('joined_open', 'Connections joined to a game.', () => context.joined.size)
  metrics.gauge('bedrock_ports', 'Ports open for Bedrock players.', () => bedrock.ports().length)
  metrics.gauge('bedrock_sessions', 'Bedrock players led to a game.', () => bedrock.sessions())
  metrics.gauge('extra_ports', 'Ports open for what servers have beside their games.', () => extra.ports().length)
  metrics.gauge('extra_connections', 'Connections led through those, by TCP and UDP.', () => extra.connections())
  metrics.gauge('waiting_bytes', 'Bytes in memory that a slow side has yet to take.', () =>
    [...context.joined].reduce((sum, [player, { backend }]) => sum + player.writableLength + backend.writableLength, 0),
  )
  metrics.gauge('waiting_open', 'Players who wait for a game to come up.', () => context.places.taken())
  metrics.gauge('attacked', 'Servers that bots attack.', () => context.antibot.attacks().length)
  metrics.gauge('antibot_remembered', 'Players, addresses and servers remembered to tell bots from players.', () =>
    context.antibot.size(),
  )
  metrics.gauge('routes', 'Routes known.', () => routes.size())
  metrics.gauge('feed_connected', '1 while the control plane sends routes.', () => Number(feed.isConnected()))
  const { sftp } = options
  if (sftp) {
    metrics.gauge('sftp_connections', 'Connections open for SFTP.', () => sftp().connections)
    metrics.gauge('sftp_sessions', 'SFTP sessions open on files of servers.', () => sftp().sessions)
  }
  metrics.gauge('resident_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  const figures = await serveMetrics({
    ...(options.metricsHost !== undefined && { host: options.metricsHost }),
    port: options.metricsPort,
    waits: reusePort,
    metrics,
    health: () => ({
      status: 'ok',
      routes: routes.size(),
      feed: isDraining ? 'draining' : feed.isConnected() ? 'connected' : 'away',
    }),
  })
  logger.info({ port, metricsPort: figures.port }, 'listening')

  async function drain(seconds: number) {
    if (seconds <= 0) return
    isDraining = true
    server.close()
    bedrock.drain()
    extra.drain()
    if (reusePort) await figures.close() // its successor waits for that port
    const inside = () => sockets.size + bedrock.sessions() + extra.connections()
    logger.info({ inside: inside(), seconds }, 'takes nobody new; ends when everybody has left')
    const deadline = performance.now() + seconds * 1000
    while (inside() > 0 && performance.now() < deadline) await delay(DRAIN_LOOK_MS)
    logger.info({ inside: inside() }, 'ends')
  }

  async function close() {
    feed.close()
    reports.close()
    context.antibot.close()
    bedrock.close()
    extra.close()
    context.limits.close()
    wakeLimits.close()
    const allClosed = isDraining
      ? Promise.all([...sockets].map((socket) => once(socket, 'close')))
      : new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroySoon() // once what it was told is written
    const givenUp = setTimeout(() => sockets.forEach((socket) => socket.destroy()), DRAIN_MS)
    await allClosed
    clearTimeout(givenUp)
    await kept.close()
    await figures.close()
  }

  return { port, metricsPort: figures.port, drain, close }
}

/** A game may be frozen just as a player was led to it, who would wait for an answer in vain. */
function thawForPlayers(route: Route, { joined, wakes }: GatewayContext) {
  for (const { serverId, isPlayer, address } of joined.values())
    if (isPlayer && serverId === route.serverId) return wakes.thawAgain(route, address)
}
