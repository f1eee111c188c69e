/** Keeps the ports of Bedrock servers open: of each one its own by UDP, and those where players ask by HTTP. */
import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import { type AddressLimits, createAddressLimits } from '../address-limits.ts'
import type { Metrics } from '../metrics.ts'
import type { RouteTable } from '../route-table.ts'
import type { Wakes } from '../waking/wakes.ts'
import { type Door, openDoor } from './door.ts'
import { type BedrockRoute, isBedrock } from './routes.ts'
import { createSignalling, type SignallingContext } from './signalling.ts'
import { createStatusBook } from './status.ts'
import { openTcpPorts } from './tcp-ports.ts'

/** A client that shows its server list asks each once a second; of a household there are several. */
const PONGS = { rate: 200, windowMs: 10_000 }

/** `port`: where every server is found by its name; undefined: each is asked at its own port alone. */
export type BedrockSignalling = { port?: number | undefined } & Pick<SignallingContext, 'publicAddress' | 'tls'>

export type BedrockDoors = { ports(): number[]; sessions(): number; close(): void }

export function openBedrockDoors(options: {
  /** Unset: all addresses, IPv4 and IPv6. */
  host: string | undefined
  routes: RouteTable
  limits: AddressLimits
  metrics: Metrics
  logger: Logger
  wakes: Wakes
  signalling: BedrockSignalling
}): BedrockDoors {
  const { host, routes, metrics, logger, wakes, limits } = options
  const pongs = createAddressLimits({ connections: Infinity, ...PONGS })
  const status = createStatusBook(wakes)
  const context = { wakes, metrics, logger, limits, pongs, status }
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
      logger.error({ err: error, port, serverId: entry.route.serverId }, 'a Bedrock port cannot be opened')
      if (isCancelled || entry.door) return
      socket.close()
      doors.delete(port) // tried again when the routes change
    })
    socket.bind({ port, address: host ?? '::' }, () => {
      if (!isCancelled) entry.door = openDoor(socket, entry.route, context)
    })
  }

  function follow(): void {
    const wanted = new Map(
      routes
        .all()
        .filter(isBedrock)
        .map((route) => [route.bedrock.port, route]),
    )
    const asked = [...wanted.values()].filter(({ bedrock }) => bedrock.signalling).map(({ bedrock }) => bedrock.port)
    const shared = asked.length > 0 ? options.signalling.port : undefined
    tcp.follow(new Set(shared === undefined ? asked : [shared, ...asked]))
    for (const [port, entry] of doors) {
      const isSame = wanted.get(port)?.serverId === entry.route.serverId
      if (isSame) continue
      entry.cancel()
      doors.delete(port)
    }
    for (const [port, route] of wanted) {
      const entry = doors.get(port)
      if (!entry) open(port, route)
      else if (entry.route !== route) {
        entry.route = route
        entry.door?.setRoute(route)
      }
    }
  }
  follow()
  routes.onChange(follow)

  return {
    ports: () => [...doors].filter(([, { door }]) => door !== undefined).map(([port]) => port),
    sessions: () => [...doors.values()].reduce((sum, { door }) => sum + (door?.sessions() ?? 0), 0),
    close() {
      for (const { cancel } of doors.values()) cancel()
      doors.clear()
      tcp.close()
      signalling.close()
      pongs.close()
    },
  }
}
