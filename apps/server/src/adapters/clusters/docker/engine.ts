/**
 * Speaks to one container engine by the HTTP API that Docker and Podman share (version 1.40, Docker 19.03 and Podman 4), over
 * a unix socket or TCP with TLS in both directions.
 */
import { type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'

const VERSION = 'v1.40'
const PATIENCE_MS = 20_000
const MOST_ANSWER_BYTES = 16 * 1024 ** 2
/** Of one engine, from this process. */
const MOST_CALLS = 256

export type EngineAddress = {
  /** `unix:///path` or `tcp://host:port`. */
  url: string
  /** PEM. Whoever speaks to an engine is root on its machine: TCP is spoken with both sides' certificates only. */
  tls?: { ca: string; cert: string; key: string } | undefined
}
export type Engine = ReturnType<typeof createEngine>

/** What an engine refuses. `status` is that of HTTP. */
export class EngineRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
/** Nobody answers, or what does is no engine. */
export class EngineUnreached extends Error {}

type Call = {
  query?: Record<string, string | number | boolean>
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it comes. */
  bytes?: Readable
  type?: string
  /** Statuses that are answers beside 2xx and 304. */
  accepts?: readonly number[]
  /** Milliseconds until the whole answer is there. */
  patience?: number
  signal?: AbortSignal
}

export function createEngine({ url, tls }: EngineAddress) {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isUnix = protocol === 'unix:'
  const place: RequestOptions = isUnix
    ? { socketPath: pathname }
    : { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 2376 : Number(port), ...tls }
  let open = 0

  function send(method: string, path: string, asked: Call, more: RequestOptions = {}): ClientRequest {
    const words = Object.entries(asked.query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
    const query = words.length === 0 ? '' : `?${new URLSearchParams(words).toString()}`
    const text = asked.body === undefined ? undefined : JSON.stringify(asked.body)
    const headers = {
      host: 'engine',
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(asked.bytes && { 'content-type': asked.type ?? 'application/octet-stream' }),
      ...(more.headers as Record<string, string> | undefined),
    }
    const options = { ...place, agent: false as const, method, path: `/${VERSION}${path}${query}`, ...more, headers }
    if (!isUnix && tls === undefined) throw new Error('an engine is spoken to by TCP with TLS only')
    const sent = (isUnix ? requestHttp : requestHttps)(options)
    if (asked.bytes === undefined) sent.end(text)
    else asked.bytes.on('error', (error) => sent.destroy(error)).pipe(sent)
    return sent
  }

  /** The head of the answer, whose body is yet to come. */
  function begin(method: string, path: string, asked: Call, signal: AbortSignal): Promise<IncomingMessage> {
    if (open >= MOST_CALLS) return Promise.reject(new EngineUnreached('too much is asked of the engine at once'))
    return new Promise((resolve, reject) => {
      let sent: ClientRequest
      try {
        sent = send(method, path, asked, { signal }) // refuses certificates that are none
      } catch (error) {
        return reject(new EngineUnreached(`engine not reached: ${(error as Error).message}`, { cause: error }))
      }
      open++
      sent.once('close', () => open--)
      sent.on('error', (error) => reject(new EngineUnreached(`engine not reached: ${error.message}`, { cause: error })))
      sent.on('response', resolve)
    })
  }

  async function check(response: IncomingMessage, { accepts = [] }: Call): Promise<number> {
    const status = response.statusCode ?? 0
    if ((status >= 200 && status < 300) || status === 304 || accepts.includes(status)) return status
    const text = await readText(response).catch(() => '')
    throw new EngineRefusal(status, messageOf(text) ?? `the engine answers ${status}`)
  }

  /**
   * What is answered, read as JSON where it is such.
   * @throws EngineRefusal, EngineUnreached
   */
  async function call(method: string, path: string, options: Call = {}): Promise<{ status: number; body: unknown }> {
    const limit = AbortSignal.timeout(options.patience ?? PATIENCE_MS)
    const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit
    const response = await begin(method, path, options, signal)
    const status = await check(response, options)
    try {
      const text = await readText(response)
      return { status, body: readJson(text) ?? text }
    } catch (error) {
      throw new EngineUnreached(`engine not heard to the end: ${(error as Error).message}`, { cause: error })
    }
  }

  return {
    url,
    isUnix,
    call,
    /** What is answered, as it comes. */
    async stream(method: string, path: string, options: Call & { signal: AbortSignal }): Promise<IncomingMessage> {
      const response = await begin(method, path, options, options.signal)
      await check(response, options)
      return response
    },
    /** What a container writes to both of its outputs, framed; what is written to it is its input. */
    attach(container: string): Promise<Duplex> {
      return new Promise((resolve, reject) => {
        const query = { stream: 1, stdin: 1, stdout: 1, stderr: 1 }
        const headers = { connection: 'Upgrade', upgrade: 'tcp', 'content-length': '0' }
        const sent = send('POST', `/containers/${container}/attach`, { query }, { headers, timeout: PATIENCE_MS })
        sent.on('timeout', () => sent.destroy(new Error('no answer')))
        sent.on('error', (error) => reject(new EngineUnreached(`not attached: ${error.message}`, { cause: error })))
        sent.on('response', (response) => {
          check(response, {}).then(() => reject(new EngineUnreached('the engine attaches to nothing')), reject)
        })
        sent.on('upgrade', (_response, socket: Socket, head: Buffer) => {
          socket.setTimeout(0)
          socket.on('error', () => {}) // followed by its close
          if (head.length > 0) socket.unshift(head)
          resolve(socket)
        })
      })
    },
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_ANSWER_BYTES) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(text: string): string | undefined {
  const { message } = (readJson(text) ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message.slice(0, 500) : undefined
}

/** Splits what `attach` gives into what a container writes to each output. */
export function createUnframer(take: (stream: 'out' | 'err', bytes: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 8) {
      const length = rest.readUInt32BE(4)
      if (rest.length < 8 + length) return
      take(rest[0] === 2 ? 'err' : 'out', rest.subarray(8, 8 + length))
      rest = rest.subarray(8 + length)
    }
  }
}
