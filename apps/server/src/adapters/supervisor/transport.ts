/** Requests to one supervisor: how much may come back, and how long that may take altogether. */
import { lstatSync } from 'node:fs'
import { type ClientRequest, request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { SupervisorEndpoint } from '@wakestone/protocol/supervisor'
import { throughAgent } from '@wakestone/protocol/tunnel'
import { formatVersions, protocolVersions, versionHeader } from '@wakestone/protocol/versions'
import { SpanKind, traced, traceparent } from '#src/tracing.ts'
import { SupervisorError } from './errors.ts'

/** A call with its answer takes no longer, however slowly bytes come. */
export const callMilliseconds = 10_000
const mostAnswerBytes = 256 * 1024 // as much as a file may have

export function createTransport({
  endpoint,
  authorization,
  closing,
  deadline = callMilliseconds,
}: {
  endpoint: SupervisorEndpoint
  authorization: () => string
  /** Ends every call. */
  closing: AbortSignal
  /** Milliseconds for a call with its answer. */
  deadline?: number
}) {
  function send(method: string, path: string, body: unknown, signal: AbortSignal): ClientRequest {
    const source = body instanceof Readable ? body : undefined
    const parent = traceparent()
    const text = body === undefined || source ? undefined : JSON.stringify(body)
    const headers = {
      authorization: authorization(),
      [versionHeader]: formatVersions(protocolVersions),
      ...(parent !== undefined && { traceparent: parent }),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const options: RequestOptions = { method, headers, signal: AbortSignal.any([signal, closing]) }
    const sent = connectTo(endpoint, { ...options, path }, headers.authorization)
    if (source) pour(source, sent)
    else sent.end(text)
    return sent
  }

  /** Resolves with the head of the answer, whose body is yet to come. */
  function open(method: string, path: string, { body, signal }: { body?: unknown; signal: AbortSignal }) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const fail = (error: Error & { code?: string }) => {
        const fault = error.code?.startsWith('HPE_') === true ? 'unreadable' : 'unreached'
        reject(new SupervisorError(fault, `supervisor not reached: ${error.message}`, { cause: error }))
      }
      try {
        const sent = send(method, path, body, signal).on('error', fail)
        // What is still to come of a body nobody wants any more.
        sent.on('response', (response) => (body instanceof Readable && body.unpipe(sent), resolve(response)))
      } catch (error) {
        fail(error as Error)
      }
    })
  }

  async function callForText(
    method: string,
    path: string,
    body?: unknown,
    signal = AbortSignal.timeout(deadline),
  ): Promise<string> {
    const name = `supervisor ${method} ${path.split('?')[0] as string}`
    return traced(name, { kind: SpanKind.CLIENT }, async (span) => {
      const response = await open(method, path, { body, signal })
      const text = await readBody(response).finally(() => response.destroy())
      const status = response.statusCode ?? 0
      const took = readTiming(response.headers['server-timing'])
      span.setAttributes({
        'http.response.status_code': status,
        ...(took !== undefined && { 'supervisor.milliseconds': took }),
      })
      if (status < 300) return text
      throw readRefusal(status, text)
    })
  }

  return {
    callForText,
    /** An answer that may be long, to be read as it comes. @throws SupervisorError for a refusal */
    async read(path: string, signal: AbortSignal): Promise<IncomingMessage> {
      const response = await open('GET', path, { signal })
      if (response.statusCode === 200) return response
      const text = await readBody(response).finally(() => response.destroy())
      throw readRefusal(response.statusCode ?? 0, text)
    },
    /** An answer without an end. */
    follow(path: string, signal: AbortSignal): Promise<IncomingMessage> {
      const impatience = new AbortController()
      const timer = setTimeout(() => impatience.abort(), deadline)
      return open('GET', path, { signal: AbortSignal.any([signal, impatience.signal]) }).finally(() =>
        clearTimeout(timer),
      )
    },
    /** Sends what comes, for as long as it takes, and waits for what is said to that. */
    async pour(method: string, path: string, source: Readable, signal: AbortSignal): Promise<void> {
      await callForText(method, path, source, signal)
    },

    async call(method: string, path: string, body?: unknown): Promise<unknown> {
      const text = await callForText(method, path, body)
      return text === '' ? undefined : readJson(text)
    },
  }
}

/** What a supervisor says it took, without the way there. */
function readTiming(header: string | string[] | undefined): number | undefined {
  const said = typeof header === 'string' ? /^app;dur=(\d{1,9}(?:\.\d{1,3})?)$/.exec(header)?.[1] : undefined
  return said === undefined ? undefined : Number(said)
}

function connectTo(endpoint: SupervisorEndpoint, options: RequestOptions, authorization: string): ClientRequest {
  if (endpoint.kind === 'agent') return requestHttp({ ...options, ...throughAgent(endpoint, authorization) })
  if (endpoint.kind === 'unix') return requestHttp({ ...options, agent: false, socketPath: checkSocket(endpoint.path) })
  const request = endpoint.url.startsWith('https:') ? requestHttps : requestHttp
  return request(new URL(options.path as string, endpoint.url), { ...options, agent: false })
}

/** What breaks off on the one side is broken off on the other. */
function pour(source: Readable, sent: ClientRequest) {
  source.on('error', (error) => sent.destroy(error))
  source.on('close', () => source.readableEnded || sent.destroy(new Error('what was sent broke off')))
  source.pipe(sent)
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostAnswerBytes) throw new Error('too large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw new SupervisorError('unreadable', `answer not read: ${(error as Error).message}`, { cause: error })
  }
  return Buffer.concat(chunks).toString()
}

function readRefusal(status: number, text: string): SupervisorError {
  const why = String((readJson(text || '{}') as { error?: unknown } | null)?.error ?? `answered ${status}`)
  return new SupervisorError('refused', why.slice(0, 300), { status })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SupervisorError('unreadable', 'no JSON', { cause: error })
  }
}

/** @throws Error unless there is a socket: the sandbox can write to its folder, and a link would lead elsewhere. */
export function checkSocket(path: string): string {
  if (!lstatSync(path).isSocket()) throw new Error('no socket')
  return path
}
