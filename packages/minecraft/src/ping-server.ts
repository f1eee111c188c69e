/** A client of the server list: asks a Minecraft server who plays there. */
import { connect, type Socket } from 'node:net'
import { createByteQueue } from './byte-queue.ts'
import { writeHandshake } from './handshake.ts'
import { readPacket } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import { writeProxyHeader } from './proxy-protocol.ts'
import {
  MAX_STATUS_BYTES,
  readPing,
  readStatusResponse,
  STATUS_REQUEST,
  type StatusSummary,
  writePing,
} from './status.ts'

export type PingOptions = {
  /** Where to connect. */
  host: string
  port: number
  /** Name to ask for; unset: `host`. */
  virtualHost?: string
  /** Whole exchange, milliseconds. */
  timeoutMs?: number
  protocol?: number
  /** Begin with a PROXY header of our own, which servers that expect the PROXY protocol insist on. */
  proxyProtocol?: boolean
  /** A connection that is there already; it is closed in the end. */
  socket?: Socket
  signal?: AbortSignal
}

/**
 * Asks for the status and measures a ping. A server that answers is ready for players; an open port alone is not.
 * @throws ProtocolError, or the socket's error; a timeout has the code ETIMEDOUT.
 */
export function pingServer(options: PingOptions): Promise<StatusSummary & { latencyMs: number }> {
  const { host, port, virtualHost = host, timeoutMs = 5000, protocol = -1, proxyProtocol = false, signal } = options
  return new Promise((resolve, reject) => {
    const socket = options.socket ?? connect({ host, port, noDelay: true, signal })
    const queue = createByteQueue()
    const payload = Buffer.from('wakestne')
    let status: StatusSummary | undefined
    let pingedAt = 0

    function finish(settle: () => void) {
      clearTimeout(timer)
      socket.destroy()
      settle()
    }
    const fail = (error: Error) => finish(() => reject(error))
    const timer = setTimeout(
      () => fail(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )

    function readNext(): boolean {
      const packet = readPacket(queue.peek(), MAX_STATUS_BYTES)
      if (!packet) return false
      if (status) {
        if (!readPing(packet).equals(payload)) throw new ProtocolError('pong of another ping')
        const answer = { ...status, latencyMs: performance.now() - pingedAt }
        finish(() => resolve(answer))
        return false
      }
      status = readStatusResponse(packet)
      queue.skip(packet.size)
      pingedAt = performance.now()
      socket.write(writePing(payload))
      return true
    }

    const begin = () => {
      const handshake = writeHandshake({ protocol, host: virtualHost, port, intent: 'status' })
      socket.write(Buffer.concat([...(proxyProtocol ? [writeProxyHeader(null)] : []), handshake, STATUS_REQUEST]))
    }
    if (options.socket) begin()
    else socket.on('connect', begin)
    socket.on('data', (chunk) => {
      try {
        queue.push(chunk)
        while (readNext());
      } catch (error) {
        fail(error as Error)
      }
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new ProtocolError('connection closed before the answer')))
  })
}
