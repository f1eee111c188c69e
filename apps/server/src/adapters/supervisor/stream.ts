/** Console and statistics of one supervisor, as they come. */
import type { StreamMessage, SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import { throughAgent } from '@wakestone/protocol/tunnel'
import { WebSocket } from 'ws'
import { SupervisorError } from './errors.ts'
import type { Gate } from './gate.ts'
import { callMilliseconds, checkSocket } from './transport.ts'

const mostFrameBytes = 2 * 1024 * 1024
const mostEarlyFrames = 100

export type SupervisorStream = {
  /** Sent by the supervisor, history first. */
  onMessage(listener: (message: StreamMessage) => void): void
  onClose(listener: () => void): void
  close(): void
}

/**
 * Opens console and statistics; console lines after the number `after`. A supervisor that says more than is let through
 * is hung up on: whoever comes back with the number of their last line goes on, or finds a gap.
 */
export function openStream({
  endpoint,
  authorization,
  gate,
  after,
}: {
  endpoint: SupervisorEndpoint
  authorization: string
  gate: Gate
  after: number
}): Promise<SupervisorStream> {
  return new Promise((resolve, reject) => {
    const path = `/v1/stream?after=${after}`
    const url =
      endpoint.kind === 'unix'
        ? `ws+unix://${checkSocket(endpoint.path)}:${path}`
        : new URL(path, endpoint.kind === 'agent' ? 'ws://localhost' : endpoint.url.replace(/^http/, 'ws')).href
    const socket = new WebSocket(url, {
      ...(endpoint.kind === 'agent' && throughAgent(endpoint, authorization)),
      headers: { authorization },
      perMessageDeflate: false,
      maxPayload: mostFrameBytes,
      handshakeTimeout: callMilliseconds,
    })
    const early: Buffer[] = []
    let listener: ((message: StreamMessage) => void) | undefined

    function deliver(data: Buffer) {
      if (!gate.consoleBytes.take(data.length)) return socket.terminate()
      try {
        const message = gate.readMessage(data.toString())
        if (message !== undefined) listener?.(message)
      } catch {
        socket.terminate()
      }
    }
    socket.on('message', (data) => {
      if (socket.readyState !== socket.OPEN) return // what had been read before it was hung up on
      if (listener) deliver(data as Buffer)
      else if (early.push(data as Buffer) > mostEarlyFrames) socket.terminate()
    })
    // An answer to an upgrade may be a page without an end.
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      reject(
        new SupervisorError('refused', `stream answered ${response.statusCode}`, { status: response.statusCode ?? 0 }),
      )
    })
    socket.on('error', (error) => reject(new SupervisorError('unreached', error.message, { cause: error })))
    socket.on('open', () =>
      resolve({
        onMessage(next) {
          listener = next
          for (const data of early.splice(0)) deliver(data)
        },
        onClose: (onEnd) => void (socket.readyState === socket.CLOSED ? onEnd() : socket.on('close', onEnd)),
        close: () => socket.terminate(),
      }),
    )
  })
}
