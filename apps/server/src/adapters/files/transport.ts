/** Requests to one files service: how they reach it, how much may come back, and how long that may take. */
import { type ClientRequest, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { throughAgent } from '@wakestone/protocol/tunnel'
import { checkSocket } from '#src/adapters/supervisor/transport.ts'
import type { FilesEndpoint } from '#src/adapters/clusters/cluster.ts'
import { describeRefusal, FilesError } from './errors.ts'
import { connectStraight } from './straight.ts'

/** Until an answer begins: the box may have to come up, and may be busy. */
const answerMilliseconds = 30_000
/** A body of JSON comes altogether within this. */
const bodyMilliseconds = 15_000
/** Trash entries and revisions are the largest: 5 000 paths. */
const mostAnswerBytes = 32 * 1024 * 1024
const mostErrorBytes = 16 * 1024
/** Of one server, from this process. */
const mostAtOnce = 64

export type Ask = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it comes; `headers` say its length. */
  bytes?: Readable
  /** Its body may be poured into an answer; see `straight.ts`. */
  straight?: boolean
  signal?: AbortSignal | undefined
  /** Statuses that are answers; without it any of 2xx. */
  statuses?: readonly number[]
  /** Milliseconds until the answer begins, once all was sent. */
  patience?: number
}

export function createTransport({
  locate,
  authorization,
  closing,
}: {
  /** Brings the service up where it is not. `again`: where it was told to be, nobody was. */
  locate: (again: boolean) => Promise<FilesEndpoint>
  authorization: () => string
  /** Ends every request. */
  closing: AbortSignal
}) {
  let open = 0

  function send(endpoint: FilesEndpoint, ask: Ask, signal: AbortSignal): ClientRequest {
    const text = ask.json === undefined ? undefined : JSON.stringify(ask.json)
    const token = authorization()
    const options: RequestOptions = {
      method: ask.method ?? 'GET',
      headers: {
        authorization: token,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...ask.headers,
      },
      signal,
    }
    const connection = (path: string): RequestOptions =>
      ask.straight === true ? { createConnection: () => connectStraight(path) } : { agent: false, socketPath: path }
    const sent =
      endpoint.kind !== 'http'
        ? requestHttp({
            ...options,
            ...(endpoint.kind === 'unix' ? connection(checkSocket(endpoint.path)) : throughAgent(endpoint, token)),
            path: ask.path,
          })
        : (endpoint.url.startsWith('https:') ? requestHttps : requestHttp)(new URL(ask.path, endpoint.url), {
            ...options,
            agent: false,
          })
    if (ask.bytes === undefined) sent.end(text)
    return sent
  }

  /** One try: resolves with the head of the answer. What is to be sent is touched only once somebody is there. */
  function attempt(endpoint: FilesEndpoint, ask: Ask): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const impatience = new AbortController()
      const signals = [impatience.signal, closing, ...(ask.signal === undefined ? [] : [ask.signal])]
      let timer: NodeJS.Timeout | undefined
      let isAnswered = false
      const wait = () => {
        clearTimeout(timer)
        if (isAnswered) return
        timer = setTimeout(() => impatience.abort(), ask.patience ?? answerMilliseconds)
      }
      const fail = (error: Error & { code?: string }) => {
        clearTimeout(timer)
        const fault = error.code?.startsWith('HPE_') === true ? 'unreadable' : 'unreached'
        reject(new FilesError(fault, `files service not reached: ${error.message}`, { cause: error }))
      }
      let sent: ClientRequest
      try {
        sent = send(endpoint, ask, AbortSignal.any(signals))
      } catch (error) {
        return fail(error as Error)
      }
      sent.on('error', fail)
      sent.on('response', (response) => {
        isAnswered = true
        clearTimeout(timer)
        // What it does not want to have any more is not sent on.
        if (ask.bytes !== undefined) ask.bytes.unpipe(sent)
        resolve(response)
      })
      wait()
      const { bytes } = ask
      if (bytes === undefined) return
      sent.on('socket', (socket) => {
        socket.once(socket.connecting ? 'connect' : 'ready', begin)
        if (!socket.connecting) begin()
      })
      const begin = () => {
        if (bytes.destroyed) return void sent.destroy(new Error('what was sent broke off'))
        clearTimeout(timer) // whoever sends may be slow: they are looked after on their side
        bytes.on('error', (error) => sent.destroy(error))
        bytes.on('close', () => {
          if (!bytes.readableEnded) sent.destroy(new Error('what was sent broke off'))
        })
        bytes.on('end', wait)
        bytes.pipe(sent)
      }
    })
  }

  async function reach(ask: Ask): Promise<IncomingMessage> {
    try {
      return await attempt(await locate(false), ask)
    } catch (error) {
      if (!mayAskAgain(error, ask) || ask.signal?.aborted === true || closing.aborted) throw error
      return attempt(await locate(true), ask) // it has ended for want of work: another one comes up
    }
  }

  /**
   * Resolves with the head of an answer that is no refusal, whose body is yet to come.
   * @throws DomainError as it refuses, FilesError otherwise
   */
  async function request(ask: Ask): Promise<IncomingMessage> {
    if (open >= mostAtOnce) throw describeRefusal(429, { error: 'too_many_requests', fields: { retry_after: 1 } })
    open++
    let response: IncomingMessage
    try {
      response = await reach(ask)
    } catch (error) {
      open--
      throw error
    }
    response.once('close', () => open--)
    response.on('error', () => undefined) // told to whoever reads it
    const status = response.statusCode ?? 0
    if (ask.statuses?.includes(status) ?? (status >= 200 && status < 300)) return response
    throw describeRefusal(status, readJson((await readBody(response, mostErrorBytes)) || '{}'))
  }

  return {
    request,
    /** An answer of JSON; undefined for an empty one. */
    async call(ask: Ask): Promise<unknown> {
      const text = await readBody(await request(ask), mostAnswerBytes)
      return text === '' ? undefined : readJson(text)
    },
  }
}

/** Nobody was there, so that nothing was begun; or it went away over what only reads. */
function mayAskAgain(error: unknown, { method = 'GET' }: Ask): boolean {
  const code = error instanceof FilesError ? (error.cause as { code?: string } | undefined)?.code : undefined
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return true
  return (method === 'GET' || method === 'HEAD') && (code === 'ECONNRESET' || code === 'EPIPE')
}

/** The whole body as text. @throws FilesError when it is too large or too slow */
export async function readBody(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => response.destroy(new Error('too slow')), bodyMilliseconds)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > most) throw new Error('too large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw new FilesError('unreadable', `answer not read: ${(error as Error).message}`, { cause: error })
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FilesError('unreadable', 'no JSON', { cause: error })
  }
}
