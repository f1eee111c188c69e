/** Speaks to the agent of one machine. What it answers passes schemas, in bounded time and size. */
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import type { Readable } from 'node:stream'
import { agentConnection } from '@wakestone/protocol/tunnel'
import type { AgentSigner } from '#src/adapters/supervisor/tokens.ts'
import { type CallAnswer, type CallBody, type CallName, calls } from './messages.ts'

/** A machine with an agent, as it is known to the control plane. */
export type AgentMachine = {
  id: string
  /** Of the machine, for people. */
  name: string
  host: string
  port: number
  /** PEM; the one that the agent has shown when it joined. */
  certificate: string
  /** It takes no server that is not there already. */
  draining: boolean
}

/** A look that others wait for. */
const LOOK_MS = 6_000
const CALL_MS = 60_000
/** So long it is not looked at after it has not answered a look. */
const SILENT_MS = 5_000
/** Placing may move a volume into an image first, an upload may be large, a game may take long to stop. */
const patience: Partial<Record<CallName, number>> = {
  inspect: LOOK_MS,
  list: LOOK_MS,
  capacity: LOOK_MS,
  check: CALL_MS * 2,
  place: CALL_MS * 5,
  provide: CALL_MS * 10,
  'open-files': CALL_MS * 2,
  remove: CALL_MS * 5,
  'stop-all': CALL_MS * 11,
}
const UPLOAD_MS = 30 * CALL_MS
const MOST_ANSWER_BYTES = 4 * 1024 ** 2
/** To one machine, from this process. */
const MOST_CALLS = 256

/** Nobody answers, or what does is not the agent that has joined. */
export class AgentUnreached extends Error {}
/** The agent has tried in vain. */
export class AgentRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Machine = ReturnType<typeof openMachine>

export function openMachine(options: AgentMachine, sign: Pick<AgentSigner, 'manage'>) {
  const { id, name } = options
  const connections = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 4, timeout: 20_000 })
  let open = 0
  let silentUntil = 0

  /** `lasts`: it has a connection of its own. */
  type Sending = { method: string; path: string; signal: AbortSignal; json?: string; bytes?: Readable; lasts?: boolean }

  /** The head of the answer, whose body is yet to come. */
  function send({ method, path, signal, json, bytes, lasts = bytes !== undefined }: Sending): Promise<IncomingMessage> {
    if (open >= MOST_CALLS) return Promise.reject(new AgentUnreached(`too much is asked of ${name} at once`))
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(new AgentUnreached(`the machine ${name} is not reached: ${error.message}`, { cause: error }))
      const sent = request({
        ...agentConnection(options),
        agent: lasts ? false : connections,
        method,
        path,
        headers: {
          authorization: `Bearer ${sign.manage(id)}`,
          ...(json !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
        },
      })
      // Not as an option: it would stay with the connection, and end whatever else comes to use that.
      const end = () => void sent.destroy(new Error('it is not waited for any longer'))
      if (signal.aborted) end()
      signal.addEventListener('abort', end, { once: true })
      open++
      sent.once('close', () => {
        open--
        signal.removeEventListener('abort', end)
      })
      sent.on('error', fail)
      sent.on('response', (response) => {
        bytes?.unpipe(sent)
        response.on('error', () => undefined) // told to whoever reads it
        resolve(response)
      })
      if (bytes === undefined) sent.end(json)
      else bytes.on('error', (error) => sent.destroy(error)).pipe(sent)
    })
  }

  async function readAnswer(response: IncomingMessage): Promise<unknown> {
    const text = await readText(response).catch((error: Error) => {
      throw new AgentUnreached(`the machine ${name} is not heard to the end: ${error.message}`, { cause: error })
    })
    const status = response.statusCode ?? 0
    const body = readJson(text)
    if (status >= 200 && status < 300) return body ?? {}
    if (status === 401)
      throw new AgentUnreached(
        `the agent of ${name} does not take our key: its clock is wrong, or it has joined elsewhere`,
      )
    const said = (body as { error?: unknown } | undefined)?.error
    throw new AgentRefusal(status, typeof said === 'string' ? said.slice(0, 1_000) : `the agent answers ${status}`)
  }

  async function call<Name extends CallName>(
    what: Name,
    body: CallBody<Name>,
    signal?: AbortSignal,
  ): Promise<CallAnswer<Name>> {
    const ms = patience[what] ?? CALL_MS
    // Looks at all servers of a machine that does not answer do not wait one after another.
    if (ms === LOOK_MS && performance.now() < silentUntil)
      throw new AgentUnreached(`the machine ${name} did not answer a moment ago`)
    const limit = AbortSignal.timeout(ms)
    const answer = await send({
      method: 'POST',
      path: `/v1/${what}`,
      json: JSON.stringify(body),
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
      .then(readAnswer)
      .catch((error: unknown) => {
        if (limit.aborted) silentUntil = performance.now() + SILENT_MS
        throw error
      })
    silentUntil = 0
    const read = calls[what].answer.safeParse(answer)
    if (!read.success) throw new AgentUnreached(`what ${name} answers to ${what} is none`)
    return read.data as CallAnswer<Name>
  }

  return {
    ...options,
    call,
    /** What is answered, as it comes. */
    async stream(method: 'GET' | 'POST', path: string, { body, signal }: { body?: unknown; signal: AbortSignal }) {
      const json = body === undefined ? undefined : JSON.stringify(body)
      const response = await send({ method, path, signal, lasts: true, ...(json !== undefined && { json }) })
      if (response.statusCode !== 200) await readAnswer(response)
      return response
    },
    async tell(path: string): Promise<void> {
      await readAnswer(await send({ method: 'POST', path, signal: AbortSignal.timeout(CALL_MS) }))
    },
    /** Sends bytes, for as long as that may take. */
    async put(path: string, bytes: Readable): Promise<void> {
      try {
        await readAnswer(await send({ method: 'PUT', path, bytes, signal: AbortSignal.timeout(UPLOAD_MS) }))
      } finally {
        bytes.destroy()
      }
    },
    async drop(path: string): Promise<void> {
      await readAnswer(await send({ method: 'DELETE', path, signal: AbortSignal.timeout(CALL_MS) }))
    },
    /** Brings bytes to a name unless they are there. @param make called where they are not */
    async bring(path: string, make: () => Readable): Promise<void> {
      const asked = await send({ method: 'GET', path, signal: AbortSignal.timeout(CALL_MS) })
      if (asked.statusCode !== 404) return void (await readAnswer(asked))
      asked.resume()
      await this.put(path, make())
    },
    close: () => connections.destroy(),
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
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
