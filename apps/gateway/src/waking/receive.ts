/** Receives a player who joins a sleeping server: wakes it if they may come in, and keeps them until it is up. */
import type { Socket } from 'node:net'
import type { ByteQueue } from '@wakestone/minecraft/byte-queue'
import { canWaitInConfiguration } from '@wakestone/minecraft/configuration'
import { cleanHost, type Handshake, isMarkedByForge } from '@wakestone/minecraft/handshake'
import type { Endpoint } from '@wakestone/minecraft/proxy-protocol'
import type { Route } from '@wakestone/protocol/gateway'
import { kickAnswer, type Subject, waitingNotice } from '../answers.ts'
import type { GatewayContext } from '../context.ts'
import { joinBackend } from '../join.ts'
import type { LiveRoute } from '../route-table.ts'
import { waitInRoom } from './waiting-room.ts'

/** Clients wait for the answer to a login for 30 s. */
const HOLD_MS = 25_000
/** Up to this long a wait is not worth a waiting room. */
const SHORT_SECONDS = 20
export const ROOM_MS = 180_000
/** A handshake and a login start; clients say nothing more before they are answered. */
const MAX_HELD_BYTES = 16_384

export type Guest = {
  /** Has no listener that reads. */
  socket: Socket
  route: Route
  handshake: Handshake
  name: string
  /** Only of clients that send one. */
  uuid: Buffer | undefined
  /** The handshake's bytes, as the game is to read them. */
  hello: Buffer
  /** Everything after the handshake that was not sent on; the login start comes first. */
  queue: ByteQueue
  loginBytes: number
  player: Endpoint
  entrance: Endpoint | null
  /** Sent here by our own waiting room. */
  isBack: boolean
}

type Way = 'hold' | 'room' | 'kick'

/** Whether a client can be kept in the waiting room, and finds its way back out of it. */
export function canUseRoom({
  handshake: { protocol, host },
  isBack,
  uuid,
  route,
}: Pick<Guest, 'handshake' | 'isBack' | 'uuid' | 'route'>): boolean {
  // Newer clients of NeoForge bear no mark.
  const isModded = isMarkedByForge(host) || !route.hasRoom
  return canWaitInConfiguration(protocol) && !isModded && !isBack && uuid !== undefined
}

/** How a player is kept waiting for a game that takes so long. */
export function wayToWait(guest: Pick<Guest, 'handshake' | 'isBack' | 'uuid' | 'route'>, seconds: number | null): Way {
  if (seconds !== null && seconds <= SHORT_SECONDS) return 'hold'
  if (canUseRoom(guest)) return 'room'
  return seconds === null ? 'hold' : 'kick'
}

export async function receiveGuest(guest: Guest, context: GatewayContext): Promise<void> {
  const { socket, route } = guest
  const { wakes, places } = context
  const stopHolding = hold(guest)
  const knock = await wakes.knock(route, { name: guest.name, address: guest.player.address })
  if (socket.destroyed) return
  if (knock.outcome === 'refused') return turnAway(guest, { situation: knock.situation, route }, context)
  if (knock.outcome === 'up') {
    stopHolding()
    return lead(guest, knock.route, context)
  }
  const way = wayToWait(guest, knock.seconds)
  if (way === 'kick') return turnAway(guest, { situation: 'waking', route, seconds: knock.seconds }, context)
  if (!places.take(route.serverId)) return turnAway(guest, { situation: 'crowded', route }, context)
  try {
    if (way === 'room') {
      stopHolding()
      return await seat(guest, context)
    }
    const up = await wakes.whenUp(route.host, { milliseconds: HOLD_MS, signal: closing(socket) })
    if (socket.destroyed) return
    stopHolding()
    if (up) await lead(guest, up, context)
    else turnAway(guest, stillWaking(guest, context), context)
  } finally {
    places.giveBack(route.serverId)
  }
}

/** Gathers what a client says while nobody reads it; more than clients do say ends it. */
function hold({ socket, queue }: Guest): () => void {
  const onData = (chunk: Buffer) => {
    queue.push(chunk)
    if (queue.peek().length > MAX_HELD_BYTES) socket.destroy()
  }
  const onEnd = () => socket.destroy()
  socket.on('data', onData)
  socket.on('end', onEnd)
  socket.resume()
  return () => {
    socket.pause()
    socket.off('data', onData)
    socket.off('end', onEnd)
  }
}

export function closing(socket: Socket): AbortSignal {
  const abort = new AbortController()
  socket.once('close', () => abort.abort())
  if (socket.destroyed) abort.abort()
  return abort.signal
}

async function lead(guest: Guest, route: LiveRoute, context: GatewayContext): Promise<void> {
  const { socket, hello, queue, player, entrance, handshake, name } = guest
  context.metrics.count('proxied_total', { intent: handshake.intent })
  const received = Buffer.concat([hello, queue.peek()])
  if (await joinBackend({ socket, route, received, player, entrance, isPlayer: true, name, context })) return
  socket.resume()
  turnAway(guest, { situation: 'unreachable', route }, context)
}

/** Ends a login with what there is to say. */
export function turnAway(
  { socket, name, handshake, route }: Guest,
  subject: Subject,
  { metrics, logger }: GatewayContext,
) {
  const { situation } = subject
  metrics.count('answers_total', { kind: 'kick', situation })
  logger.info({ name, situation, host: route.host }, 'turned a player away')
  socket.resume()
  socket.end(kickAnswer(subject, handshake.protocol))
}

/** What is said to somebody who has waited for too long. */
export function stillWaking({ route }: Guest, { routes, wakes }: GatewayContext): Subject {
  const now = routes.find(route.host) ?? route
  const seconds = wakes.remaining(now)
  if (seconds === undefined) return { situation: now.state === 'crashed' ? 'crashed' : 'not_woken', route: now }
  return { situation: 'waking', route: now, seconds }
}

function seat(guest: Guest, context: GatewayContext): Promise<void> {
  const { socket, queue, route, handshake, player } = guest
  const { wakes, transfers, metrics } = context
  queue.skip(guest.loginBytes)
  metrics.count('answers_total', { kind: 'room', situation: 'waking' })
  return waitInRoom({
    socket,
    queue,
    protocol: handshake.protocol,
    uuid: guest.uuid!,
    name: guest.name,
    host: cleanHost(handshake.host),
    port: handshake.port,
    whenUp: wakes.whenUp(route.host, { milliseconds: ROOM_MS, signal: closing(socket) }).then((up) => up !== undefined),
    progress: () => waitingNotice(route, wakes.remaining(route) ?? null),
    apology: () => waitingNotice(route, null, stillWaking(guest, context).situation).title,
    onTransfer: () => {
      metrics.count('answers_total', { kind: 'transfer', situation: 'waking' })
      transfers.expect(route.serverId, player.address)
    },
  })
}
