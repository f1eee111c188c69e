/**
 * One player's connection, from its first byte until it is answered or joined to a game.
 * Nothing a client sends may throw out of here, and nothing it withholds may keep the connection for long.
 */
import type { Socket } from 'node:net'
import { canWaitInConfiguration } from '@wakestone/minecraft/configuration'
import { createByteQueue } from '@wakestone/minecraft/byte-queue'
import {
  cleanHost,
  type Handshake,
  MAX_HANDSHAKE_BYTES,
  readHandshake,
  writeHandshake,
} from '@wakestone/minecraft/handshake'
import { type LegacyPing, readLegacyPing } from '@wakestone/minecraft/legacy-ping'
import { MAX_LOGIN_START_BYTES, readLoginStart, readLoginUuid } from '@wakestone/minecraft/login'
import { type Packet, peekPacketId, readPacket } from '@wakestone/minecraft/packet'
import { ProtocolError } from '@wakestone/minecraft/protocol-error'
import { type Endpoint, readProxyHeader } from '@wakestone/minecraft/proxy-protocol'
import { readPing, writePing } from '@wakestone/minecraft/status'
import { isGuarded } from './antibot/guard.ts'
import { meetPlayer } from './antibot/meet.ts'
import { kickAnswer, legacyAnswer, statusAnswer, type Subject, subjectOf } from './answers.ts'
import type { Route } from '@wakestone/protocol/gateway'
import type { GatewayContext } from './context.ts'
import { joinBackend } from './join.ts'
import { isLive, type LiveRoute } from './route-table.ts'
import { type Guest, receiveGuest, turnAway } from './waking/receive.ts'
import { isWakeable } from './waking/wakes.ts'

/** `FE` and `FE 01` are whole pings when nothing follows for this long. */
const LEGACY_QUIET_MS = 150
/** A request is one byte, a ping nine. */
const MAX_STATUS_PACKET_BYTES = 16
/** Of a connection that has its answer, this much is still read, so that a reset does not overtake the answer. */
const MAX_BYTES_AFTER_ANSWER = 65_536

type Stage = 'proxy' | 'opening' | 'status' | 'login' | 'answered' | 'left to others'
type Hello = Handshake & { bytes: Buffer; isBack: boolean }

/** Serves a connection; it ends by itself. */
export function handleConnection(socket: Socket, context: GatewayContext): void {
  const { routes, limits, metrics, logger } = context
  const queue = createByteQueue()
  let stage: Stage = context.proxyIn ? 'proxy' : 'opening'
  let player: Endpoint = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
  let entrance: Endpoint | null = null
  let subject: Subject = subjectOf(undefined, context.wakes)
  let protocol = 0
  let hello: Hello | undefined
  let admitted = false
  /** Whether it was looked at who comes; of a server that is guarded. */
  let isMet = false
  /** Games too answer only once; who asked again and again without reading would fill our memory. */
  let hasStatus = false
  let bytesAfterAnswer = 0
  let quiet: NodeJS.Timeout | undefined
  let deadline = setTimeout(refuse, context.handshakeMs, 'timeout')

  socket.on('error', () => {}) // always followed by `close`
  socket.on('close', () => {
    clearTimeout(deadline)
    clearTimeout(quiet)
    if (admitted) limits.release(player.address)
    const { route } = subject
    if (stage === 'login' && !isMet && isGuarded(route)) context.antibot.unfinished(route)
  })
  metrics.count('connections_total')
  if (context.proxyIn || admit()) read()

  function read() {
    socket.on('data', onData)
    socket.on('end', onEnd)
  }

  function admit(): boolean {
    // Without an address the client is gone already.
    const refusal = player.address === '' ? 'gone' : limits.admit(player.address)
    admitted = refusal === undefined
    if (refusal) refuse(refusal)
    return admitted
  }

  function refuse(reason: string) {
    if (stage !== 'answered') metrics.count('refused_total', { reason })
    socket.destroy()
  }

  function onData(chunk: Buffer) {
    if (stage === 'answered') {
      bytesAfterAnswer += chunk.length
      if (bytesAfterAnswer > MAX_BYTES_AFTER_ANSWER) socket.destroy()
      return
    }
    queue.push(chunk)
    advance()
  }

  function onEnd() {
    try {
      const legacy = stage === 'opening' ? readLegacyPing(queue.peek()) : undefined
      if (legacy && 'open' in legacy && legacy.open) void answerLegacy(legacy.open)
      else if (!socket.writableEnded) socket.end()
    } catch {
      socket.destroy()
    }
  }

  function advance() {
    try {
      while (!socket.destroyed && takeNext());
    } catch (error) {
      if (!(error instanceof ProtocolError)) logger.error({ err: error }, 'fault while reading from a client')
      refuse('malformed')
    }
  }

  /** Takes one message off the queue. @returns whether there may be another to take. */
  function takeNext(): boolean {
    if (stage === 'proxy') return takeProxyHeader()
    if (stage === 'opening') return takeOpening()
    if (stage === 'status') return takeStatusPacket()
    if (stage === 'login') return takeLoginStart()
    return false
  }

  function takeProxyHeader() {
    const header = readProxyHeader(queue.peek())
    if (!header) return false
    queue.skip(header.size)
    if (header.source && header.destination) {
      player = header.source
      entrance = header.destination
    }
    stage = 'opening'
    return admit()
  }

  function takeOpening() {
    clearTimeout(quiet)
    const bytes = queue.peek()
    const legacy = readLegacyPing(bytes)
    if (legacy) {
      if (!('open' in legacy)) void answerLegacy(legacy)
      else if (legacy.open) quiet = setTimeout(answerLegacy, LEGACY_QUIET_MS, legacy.open)
      return false
    }
    if ((peekPacketId(bytes) ?? 0) !== 0) throw new ProtocolError('not a handshake')
    const packet = readPacket(bytes, MAX_HANDSHAKE_BYTES)
    if (!packet) return false
    const handshake = readHandshake(packet)
    const found = routes.find(cleanHost(handshake.host))
    // Nobody joins a game of Bedrock Edition this way, so nobody is to wake it either.
    const route = found?.bedrock ? undefined : found
    subject = subjectOf(route, context.wakes)
    protocol = handshake.protocol
    hello = tell(handshake, packet, route)
    queue.skip(packet.size)
    if (isLive(route) && !(isGuarded(route) && handshake.intent !== 'status')) {
      metrics.count('proxied_total', { intent: handshake.intent })
      void join(route, hello)
      return false
    }
    stage = handshake.intent === 'status' ? 'status' : 'login'
    return true
  }

  /** The handshake as the game is to read it: untouched, but of players whom we have sent back ourselves. */
  function tell(handshake: Handshake, { size }: Packet, route: Route | undefined): Hello {
    const isBack =
      handshake.intent === 'transfer' && route !== undefined && context.transfers.take(route.serverId, player.address)
    const bytes = isBack
      ? writeHandshake({ ...handshake, intent: 'login' })
      : Buffer.from(queue.peek().subarray(0, size))
    return { ...handshake, bytes, isBack }
  }

  function letGo() {
    stage = 'left to others'
    clearTimeout(deadline)
    socket.pause()
    socket.off('data', onData)
    socket.off('end', onEnd)
  }

  async function join(route: LiveRoute, { bytes, intent }: Hello, name?: string) {
    letGo()
    const received = Buffer.concat([bytes, queue.peek()])
    const isPlayer = intent !== 'status'
    if (await joinBackend({ socket, route, received, player, entrance, isPlayer, name, context })) return
    // Not reachable: the same conversation goes on with us instead.
    deadline = setTimeout(refuse, context.handshakeMs, 'timeout')
    stage = intent === 'status' ? 'status' : 'login'
    read()
    advance()
    socket.resume()
  }

  function takeStatusPacket() {
    const packet = readPacket(queue.peek(), MAX_STATUS_PACKET_BYTES)
    if (!packet) return false
    queue.skip(packet.size)
    if (packet.id === 0) {
      if (hasStatus) throw new ProtocolError('asked for the status again')
      hasStatus = true
      metrics.count('answers_total', { kind: 'status', situation: subject.situation })
      if (!socket.write(statusAnswer(subject, protocol), 'latin1')) {
        socket.pause()
        socket.once('drain', () => socket.resume())
      }
      return true
    }
    const pong = writePing(readPing(packet))
    stage = 'answered'
    socket.end(pong)
    return false
  }

  function takeLoginStart() {
    const packet = readPacket(queue.peek(), MAX_LOGIN_START_BYTES)
    if (!packet) return false
    const name = readLoginStart(packet)
    const { route } = subject
    if (hello && (isWakeable(route) || (!isMet && isGuarded(route) && isLive(route)))) {
      const { bytes, isBack, ...handshake } = hello
      const uuid = canWaitInConfiguration(protocol) ? Buffer.from(readLoginUuid(packet)) : undefined
      const guest = { socket, route, handshake, name, uuid, hello: bytes, queue, player, entrance, isBack }
      letGo()
      receive({ ...guest, loginBytes: packet.size }, hello).catch((error: unknown) => {
        logger.error({ err: error }, 'fault while receiving a player')
        socket.destroy()
      })
      return false
    }
    metrics.count('answers_total', { kind: 'kick', situation: subject.situation })
    logger.info({ name, situation: subject.situation, host: subject.route?.host }, 'turned a player away')
    stage = 'answered'
    socket.end(kickAnswer(subject, protocol))
    return false
  }

  async function receive(guest: Guest, said: Hello) {
    const { route, name } = guest
    isMet = true
    if (isGuarded(route) && !(await meetPlayer(guest, route, context))) return
    // It may have come up, or gone, while they were looked at.
    const now = routes.find(route.host) ?? route
    if (isWakeable(now)) return receiveGuest({ ...guest, route: now }, context)
    if (!isLive(now)) return turnAway(guest, subjectOf(now, context.wakes), context)
    metrics.count('proxied_total', { intent: said.intent })
    await join(now, said, name)
  }

  async function answerLegacy(ping: LegacyPing) {
    stage = 'answered'
    metrics.count('answers_total', { kind: 'legacy', situation: 'any' })
    socket.end(await legacyAnswer(ping, context))
  }
}
