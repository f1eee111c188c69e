/** Talks to one supervisor; see `@wakestone/protocol/supervisor`. What it answers is checked: the game can forge it. */
import { lstatSync } from 'node:fs'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { InstallPlan } from '@wakestone/packager/manifest'
import {
  type StreamMessage,
  streamMessageSchema,
  type SupervisorEndpoint,
  type SupervisorEvent,
  supervisorEventSchema,
  type SupervisorStatus,
  supervisorStatusSchema,
} from '@wakestone/protocol/supervisor'
import { WebSocket } from 'ws'
import type { SupervisorSigner } from './tokens.ts'

const ANSWER_MS = 10_000
const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_EVENT_LENGTH = 1024 * 1024
const MAX_FRAME_BYTES = 4 * 1024 * 1024

/** The supervisor refused. `status` 409 = does not fit its state, 0 = it cannot be reached. */
export class SupervisorError extends Error {
  readonly status: number
  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

export type SupervisorStream = {
  /** Sent by the supervisor, history first. `raw` is the text of the same message. */
  onMessage(listener: (message: StreamMessage, raw: string) => void): void
  onClose(listener: () => void): void
  close(): void
}

export type SupervisorClient = ReturnType<typeof createSupervisorClient>

export function createSupervisorClient({
  endpoint,
  serverId,
  sign,
}: {
  endpoint: SupervisorEndpoint
  serverId: string
  sign: SupervisorSigner
}) {
  const authorize = (purpose: 'control' | 'console') => ({ authorization: `Bearer ${sign({ serverId, purpose })}` })

  function open(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...authorize('control'),
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const options: RequestOptions = { method, headers, agent: false, ...(signal && { signal }) }
      const fail = (error: Error) =>
        reject(new SupervisorError(0, `supervisor not reached: ${error.message}`, { cause: error }))
      try {
        const sent =
          endpoint.kind === 'unix'
            ? requestHttp({ ...options, socketPath: checkSocket(endpoint.path), path })
            : (endpoint.url.startsWith('https:') ? requestHttps : requestHttp)(new URL(path, endpoint.url), options)
        const timer = setTimeout(() => sent.destroy(new Error('no answer')), ANSWER_MS)
        sent.on('response', (response) => {
          clearTimeout(timer)
          resolve(response)
        })
        sent.on('error', (error) => {
          clearTimeout(timer)
          fail(error)
        })
        sent.end(text)
      } catch (error) {
        fail(error as Error)
      }
    })
  }

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await open(method, path, body)
    response.setTimeout(ANSWER_MS, () => response.destroy(new Error('answer stalled')))
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) throw new SupervisorError(0, 'answer too large')
      chunks.push(chunk)
    }
    const status = response.statusCode ?? 0
    const text = Buffer.concat(chunks).toString()
    const answer: unknown = text === '' ? undefined : JSON.parse(text)
    if (status >= 300)
      throw new SupervisorError(status, (answer as { error?: string } | undefined)?.error ?? `answered ${status}`)
    return answer
  }
  const callForStatus = async (method: string, path: string, body?: unknown): Promise<SupervisorStatus> => {
    const status = supervisorStatusSchema.parse(await call(method, path, body))
    if (status.serverId !== serverId) throw new SupervisorError(0, 'another server answered')
    return status
  }

  return {
    status: () => callForStatus('GET', '/v1/status'),
    install: (plan: InstallPlan) => callForStatus('POST', '/v1/install', { plan }),
    start: () => callForStatus('POST', '/v1/start', {}),
    stop: (timeoutSeconds: number) => callForStatus('POST', '/v1/stop', { timeoutSeconds }),
    restart: (timeoutSeconds: number) => callForStatus('POST', '/v1/restart', { timeoutSeconds }),
    kill: () => callForStatus('POST', '/v1/kill', {}),
    async command(command: string): Promise<void> {
      await call('POST', '/v1/command', { command })
    },
    async acknowledge(seq: number): Promise<void> {
      await call('POST', '/v1/events/ack', { seq })
    },

    /**
     * Events after `after`: first those that wait, then each as it happens. Ends by an error when the connection
     * breaks, quietly when `signal` aborts.
     */
    async *events(after: number, signal?: AbortSignal): AsyncGenerator<SupervisorEvent> {
      const response = await open('GET', `/v1/events?after=${after}`, undefined, signal)
      if (response.statusCode !== 200) {
        response.destroy()
        throw new SupervisorError(response.statusCode ?? 0, `events answered ${response.statusCode}`)
      }
      response.setEncoding('utf8')
      let rest = ''
      try {
        for await (const chunk of response as AsyncIterable<string>) {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop() as string
          if (rest.length > MAX_EVENT_LENGTH) throw new SupervisorError(0, 'event too large')
          for (const line of lines) yield supervisorEventSchema.parse(JSON.parse(line))
        }
      } catch (error) {
        if (!signal?.aborted) throw error
      } finally {
        response.destroy()
      }
      if (!signal?.aborted) throw new SupervisorError(0, 'events ended')
    },

    /** Opens console, statistics and status; console lines after the number `after`. */
    openStream(after = 0): Promise<SupervisorStream> {
      return new Promise((resolve, reject) => {
        const path = `/v1/stream?after=${after}`
        const url =
          endpoint.kind === 'unix'
            ? `ws+unix://${checkSocket(endpoint.path)}:${path}`
            : new URL(path, endpoint.url.replace(/^http/, 'ws')).href
        const socket = new WebSocket(url, {
          headers: authorize('console'),
          perMessageDeflate: false,
          maxPayload: MAX_FRAME_BYTES,
          handshakeTimeout: ANSWER_MS,
        })
        const waiting: string[] = []
        let listener: ((message: StreamMessage, raw: string) => void) | undefined
        function deliver(raw: string) {
          try {
            listener?.(streamMessageSchema.parse(JSON.parse(raw)), raw)
          } catch {
            socket.terminate()
          }
        }
        socket.on('message', (data) => {
          const raw = (data as Buffer).toString()
          if (listener) deliver(raw)
          else waiting.push(raw)
        })
        socket.on('error', (error) => reject(new SupervisorError(0, error.message, { cause: error })))
        socket.on('open', () =>
          resolve({
            onMessage(next) {
              listener = next
              for (const raw of waiting.splice(0)) deliver(raw)
            },
            onClose: (onEnd) => void socket.on('close', onEnd),
            close: () => socket.close(),
          }),
        )
      })
    },
  }
}

/** @throws Error unless there is a socket: the sandbox can write to its folder, and a link would lead elsewhere. */
function checkSocket(path: string): string {
  if (!lstatSync(path).isSocket()) throw new Error('no socket')
  return path
}
