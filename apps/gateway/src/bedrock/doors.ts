/** Keeps the ports of Bedrock servers open: of each one its own by UDP, and those where players ask by HTTP. */
import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { Guard } from '../antibot/guard.ts'
import { type AddressLimits, createAddressLimits } from '../address-limits.ts'
import type { Metrics } from '../metrics.ts'
import { createRetries } from '../ports/retries.ts'
import type { RouteTable } from '../route-table.ts'
import type { Wakes } from '../waking/wakes.ts'
import { type Door, openDoor } from './door.ts'
import { type BedrockRoute, isBedrock } from './routes.ts'
import { createSignalling, type SignallingContext } from './signalling.ts'
import { createStatusBook } from './status.ts'
import { openTcpPorts } from './tcp-ports.ts'

/** A client that shows its server list asks each once a second; of a household there are several. */
const PONGS = { rate: 200, windowMs: 10_000 }

const DRAIN_LOOK_MS = 500

/** `port`: where every server is found by its name; undefined: each is asked at its own port alone. */
export type BedrockSignalling = { port?: number | undefined } & Pick<SignallingContext, 'publicAddress' | 'tls'>

export type BedrockDoors = {
  ports(): number[]
  sessions(): number
  /** Closes every port as soon as nobody plays through it, and opens no other. */
  drain(): void
  close(): void
}

export function openBedrockDoors(options: {
  /** Unset: all addresses, IPv4 and IPv6. */
  host: string | undefined
  routes: RouteTable
  limits: AddressLimits
  antibot: Guard
  metrics: Metrics
  logger: Logger
  wakes: Wakes
  signalling: BedrockSignalling
}): BedrockDoors {
  const { host, routes, metrics, logger, wakes, limits } = options
  const pongs = createAddressLimits({ connections: Infinity, ...PONGS })
  const status = createStatusBook(wakes)
  const context = { wakes, metrics, logger, limits, antibot: options.antibot, pongs, status }
  /** By port. A door whose socket is not open yet, or could not be, is there without one. */
  const doors = new Map<number, { door: Door | undefined; route: BedrockRoute; cancel(): void }>()

  const signalling = createSignalling({
    ...options.signalling,
    routes,
    wakes,
    metrics,
    logger,
    statusOf: status.joinStatus,
    agree: ({ bedrock }, userFragment, port) => doors.get(bedrock.port)?.door?.agree(userFragment, port),
  })
  const tcp = openTcpPorts({ host, limits, metrics, logger, take: signalling.take })

  const retries = createRetries(() => follow())
  let isDraining = false
  let draining: NodeJS.Timeout | undefined

  function open(port: number, route: BedrockRoute): void {
    const socket = createSocket(host !== undefined && isIPv4(host) ? 'udp4' : 'udp6')
    let isCancelled = false
    const entry = { door: undefined as Door | undefined, route, cancel }
    function cancel() {
      isCancelled = true
      if (entry.door) entry.door.close()
      else socket.close()
    }
    doors.set(port, entry)
    socket.on('error', (error) => {
      const tell = () =>
        logger.error({ err: error, port, serverId: entry.route.serverId }, 'a Bedrock port cannot be opened')
      if (isCancelled || entry.door) return tell()
      socket.close()
      doors.delete(port)
      retries.failed(port, tell)
    })
    socket.bind({ port, address: host ?? '::' }, () => {
      retries.opened(port)
      if (!isCancelled) entry.door = openDoor(socket, entry.route, context)
    })
  }

  function follow(): void {
    const wanted = new Map([...routes.withPorts()].filter(isBedrock).map((route) => [route.bedrock.port, route]))
    const asked = [...wanted.values()].filter(({ bedrock }) => bedrock.signalling).map(({ bedrock }) => bedrock.port)
    const shared = asked.length > 0 ? options.signalling.port : undefined
    if (!isDraining) tcp.follow(new Set(shared === undefined ? asked : [shared, ...asked]))
    for (const [port, entry] of doors) {
      const isSame = wanted.get(port)?.serverId === entry.route.serverId
      const isDone = isDraining && (entry.door?.sessions() ?? 0) === 0
      if (isSame && !isDone) continue
      entry.cancel()
      doors.delete(port)
    }
    for (const [port, route] of wanted) {
      const entry = doors.get(port)
      if (!entry && !isDraining) open(port, route)
      else if (entry && entry.route !== route) {
        entry.route = route
        entry.door?.setRoute(route)
      }
    }
  }
  follow()
  routes.onPortsChange(follow)

  return {
    ports: () => [...doors].filter(([, { door }]) => door !== undefined).map(([port]) => port),
    sessions: () => [...doors.values()].reduce((sum, { door }) => sum + (door?.sessions() ?? 0), 0),
    drain() {
      isDraining = true
      tcp.follow(new Set())
      follow()
      draining = setInterval(follow, DRAIN_LOOK_MS)
    },
    close() {
      clearInterval(draining)
      retries.close()
      for (const { cancel } of doors.values()) cancel()
      doors.clear()
      tcp.close()
      signalling.close()
      pongs.close()
    },
  }
}
