/** Leads a player's connection to the game behind a route. */
import type { Socket } from 'node:net'
import { type Endpoint, writeProxyHeader } from '@wakestone/minecraft/proxy-protocol'
import { isGuarded } from './antibot/guard.ts'
import type { GatewayContext } from './context.ts'
import type { LiveRoute } from './route-table.ts'
import { dialBackend, dialThroughAgent, splice } from './splice.ts'

/**
 * Dials the game, repeats to it what the player has sent so far, byte for byte, and joins the two.
 * The player's socket must be paused and have no listener that reads.
 * @returns false when the game cannot be reached: then the player is still ours to answer.
 */
export async function joinBackend(options: {
  socket: Socket
  route: LiveRoute
  /** Everything received and not yet consumed. */
  received: Buffer
  player: Endpoint
  /** Where the player connected to; null: to this very socket. */
  entrance: Endpoint | null
  /** It is no mere look at the server list. */
  isPlayer: boolean
  /** As they claim it, where it was read. */
  name?: string | undefined
  context: Pick<GatewayContext, 'metrics' | 'logger' | 'dialMs' | 'joined' | 'antibot'>
}): Promise<boolean> {
  const { socket, route, received, player, entrance, isPlayer, name, context } = options
  const { metrics, logger, joined } = context
  let backend: Socket
  try {
    const how = { timeoutMs: context.dialMs, player: socket }
    backend =
      route.way === null
        ? await dialBackend({ ...route.backend, ...how })
        : await dialThroughAgent(route.way, { serverId: route.serverId, ...how })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (socket.destroyed) return true
    metrics.count('backend_failures_total', { code: code ?? 'unknown' })
    logger.warn({ host: route.host, serverId: route.serverId, backend: route.backend, code }, 'a game does not answer')
    return false
  }
  if (route.proxyProtocol) {
    const destination = entrance ?? { address: socket.localAddress ?? '', port: socket.localPort ?? 0 }
    backend.write(writeProxyHeader({ source: player, destination }))
  }
  backend.write(received)
  joined.set(socket, { backend, serverId: route.serverId, address: player.address, isPlayer })
  const left =
    name !== undefined && isGuarded(route)
      ? context.antibot.joined(route, { name, address: player.address })
      : undefined
  splice(socket, backend, () => {
    left?.()
    joined.delete(socket)
    metrics.count('bytes_total', { direction: 'up' }, socket.bytesRead)
    metrics.count('bytes_total', { direction: 'down' }, socket.bytesWritten)
  })
  return true
}
