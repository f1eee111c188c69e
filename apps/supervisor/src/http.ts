/** The supervisor's HTTP side; see `@wakestone/protocol/supervisor` for the routes. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { type KnownFile, knownFileBytes, pathsKept } from '@wakestone/protocol/values'
import type { TokenCheck } from '@wakestone/protocol/token-check'
import { commonVersion, protocolVersions, readVersions, versionHeader } from '@wakestone/protocol/versions'
import { isKnownFile } from './known-files.ts'
import type { Log } from './log.ts'
import { ManagementRefusal, NotManaged } from './management.ts'
import { answerMysql } from './mysql/routes.ts'
import { RequestError } from './request-error.ts'
import type { Rest } from './rest.ts'
import { createSampler } from './sampler.ts'
import { knowsFreezing, withoutFreezing } from './old-readers.ts'
import { ConflictError, type Supervisor } from './supervisor.ts'
import { withinTrace } from './trace.ts'
import { checkWatchedLines, type WatchedLine } from './watched-lines.ts'

const MAX_PLAN_BYTES = 8 * 1024 * 1024
const MAX_BODY_BYTES = 64 * 1024
/** Every character of a text may be escaped in JSON. */
const MAX_FILE_BODY_BYTES = 6 * knownFileBytes + 1024
/** A reader of events that lags so far behind is cut off; it can come back and go on where it was. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024
/** The one route that a token of purpose `thaw` is good for. */
const THAW = 'POST /v1/thaw'
const MYSQL = '/v1/mysql'
/** A body in JSON takes no longer; statements that are imported may. */
const MAX_JSON_MS = 30_000

// An `import` of this module would touch all of its exports, and load a whole fetch client with them: 14 MB.
const { createServer } = process.getBuiltinModule('node:http')

export type HttpOptions = {
  supervisor: Supervisor
  checkToken: TokenCheck<'supervisor'>
  log: Log
  rest: Pick<Rest, 'begin'>
}

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void

export function createHttpServer({ supervisor, checkToken, log, rest }: HttpOptions): Server {
  /** In the newest version that both sides speak. Without one the asker cannot read it, but what it asked for is done. */
  const sendStatus = (request: IncomingMessage, response: ServerResponse, code: number, more: object = {}) => {
    const theirs = readVersions(request.headers[versionHeader])
    const status = supervisor.status(commonVersion(protocolVersions, theirs) ?? protocolVersions.newest)
    sendJson(response, code, { ...status, ...more })
  }
  const sample = createSampler(supervisor)

  const routes: Record<string, Handler> = {
    'GET /v1/status': async (request, response) => sendStatus(request, response, 200, { stats: await sample() }),
    async 'POST /v1/install'(request, response) {
      const { plan } = await readJson<{ plan?: InstallPlan }>(request, MAX_PLAN_BYTES)
      const { findPlanFault } = await import('./install/check-plan.ts')
      const fault = findPlanFault(plan)
      if (fault !== undefined) throw new RequestError(400, `bad plan: ${fault}`)
      supervisor.install(plan as InstallPlan)
      sendStatus(request, response, 202)
    },
    async 'POST /v1/start'(request, response) {
      await supervisor.start()
      sendStatus(request, response, 202)
    },
    async 'POST /v1/stop'(request, response) {
      supervisor.stop(await readTimeout(request))
      sendStatus(request, response, 202)
    },
    async 'POST /v1/restart'(request, response) {
      await supervisor.restart(await readTimeout(request))
      sendStatus(request, response, 202)
    },
    'POST /v1/kill'(request, response) {
      supervisor.kill()
      sendStatus(request, response, 202)
    },
    'POST /v1/freeze'(request, response) {
      supervisor.freeze()
      sendStatus(request, response, 202)
    },
    async 'POST /v1/rest'(request, response) {
      await rest.begin(request.socket)
      response.setHeader('connection', 'close')
      sendStatus(request, response, 200)
    },
    async 'POST /v1/world/hold'(request, response) {
      const { seconds } = await readJson<{ seconds?: unknown }>(request, MAX_BODY_BYTES)
      if (!Number.isInteger(seconds) || (seconds as number) < 1 || (seconds as number) > 600)
        throw new RequestError(400, 'bad seconds')
      supervisor.holdWorld(seconds as number)
      sendStatus(request, response, 202)
    },
    'POST /v1/world/release'(request, response) {
      supervisor.releaseWorld()
      sendStatus(request, response, 200)
    },
    async 'POST /v1/manage'(request, response) {
      const { method, params } = await readJson<{ method?: unknown; params?: unknown }>(request, MAX_BODY_BYTES)
      if (typeof method !== 'string' || !/^[a-z_]+(?:\/[a-z_]+){0,2}$/.test(method) || !Array.isArray(params))
        throw new RequestError(400, 'bad method')
      try {
        sendJson(response, 200, { result: await supervisor.manage(method, params) })
      } catch (error) {
        if (error instanceof NotManaged) throw new ConflictError(error.message)
        if (error instanceof ManagementRefusal) throw new RequestError(422, error.message)
        throw error
      }
    },
    async 'GET /v1/positions'(_request, response) {
      sendJson(response, 200, { positions: await supervisor.positions() })
    },
    [THAW](request, response) {
      supervisor.thaw()
      sendStatus(request, response, 200)
    },
    async 'POST /v1/command'(request, response) {
      const { command } = await readJson<{ command?: unknown }>(request, MAX_BODY_BYTES)
      // oxlint-disable-next-line no-control-regex
      if (typeof command !== 'string' || !/^[^\r\n\0]{1,1000}$/.test(command))
        throw new RequestError(400, 'bad command')
      if (!supervisor.type(command)) throw new ConflictError('no game reads commands now')
      response.writeHead(204).end()
    },
    async 'POST /v1/snapshot'(request, response) {
      supervisor.snapshot(readId((await readJson<{ id?: unknown }>(request, MAX_BODY_BYTES)).id))
      sendStatus(request, response, 202)
    },
    async 'POST /v1/snapshot/restore'(request, response) {
      supervisor.restoreSnapshot(readId((await readJson<{ id?: unknown }>(request, MAX_BODY_BYTES)).id))
      sendStatus(request, response, 202)
    },
    async 'DELETE /v1/snapshot'(_request, response, url) {
      await supervisor.deleteSnapshot(readId(url.pathname.split('/')[3]))
      response.writeHead(204).end()
    },
    async 'POST /v1/format'(request, response) {
      const { keep } = await readJson<{ keep?: unknown }>(request, MAX_BODY_BYTES)
      supervisor.format(readPaths(keep))
      sendStatus(request, response, 202)
    },
    'GET /v1/file'(_request, response, url) {
      const text = supervisor.readFile(readName(url))
      if (text === undefined) throw new RequestError(404, 'no such file')
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    },
    async 'PUT /v1/file'(request, response, url) {
      const name = readName(url)
      const { text } = await readJson<{ text?: unknown }>(request, MAX_FILE_BODY_BYTES)
      if (typeof text !== 'string' || Buffer.byteLength(text) > knownFileBytes) throw new RequestError(400, 'bad text')
      supervisor.writeFile(name, text)
      response.writeHead(204).end()
    },
    async 'PUT /v1/lines'(request, response) {
      const { mark, lines } = await readJson<{ mark?: unknown; lines?: unknown }>(request, MAX_BODY_BYTES)
      if (mark !== null && (typeof mark !== 'string' || mark.length > 100)) throw new RequestError(400, 'bad mark')
      supervisor.watchLines(readLines(lines), mark)
      response.writeHead(204).end()
    },
    'GET /v1/events'(request, response, url) {
      const after = readSeq(url.searchParams.get('after') ?? '0')
      if (after > supervisor.events.lastSeq())
        throw new ConflictError(`the last event is ${supervisor.events.lastSeq()}`)
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.flushHeaders()
      const isCurrent = knowsFreezing(request)
      const end = supervisor.events.follow(after, (line) => {
        response.write(`${isCurrent ? line : withoutFreezing(line)}\n`)
        if (response.writableLength > MAX_UNSENT_BYTES) response.destroy()
      })
      response.on('close', end)
    },
    async 'POST /v1/events/ack'(request, response) {
      const { seq } = await readJson<{ seq?: unknown }>(request, MAX_BODY_BYTES)
      await supervisor.events.acknowledge(readSeq(String(seq)))
      response.writeHead(204).end()
    },
  }

  async function doMysql(name: string, request: IncomingMessage, response: ServerResponse, url: URL) {
    const { mysql } = supervisor
    if (mysql === undefined) throw new RequestError(404, 'no MySQL here')
    const readBody = () => readJson<Record<string, unknown>>(request, MAX_BODY_BYTES)
    const answer = await answerMysql(name, { mysql, request, response, url, readJson: readBody })
    if (answer === undefined) return
    if (answer.body === undefined) response.writeHead(answer.status).end()
    else sendJson(response, answer.status, answer.body)
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const claims = checkToken(request.headers.authorization)
    if (!claims) throw new RequestError(401, 'no good token')
    const url = new URL(request.url ?? '/', 'http://supervisor')
    // A snapshot that is deleted is named by the path.
    const path = request.method === 'DELETE' ? url.pathname.split('/', 3).join('/') : url.pathname
    const name = `${request.method} ${path}`
    if (claims.purpose !== 'control' && !(claims.purpose === 'thaw' && name === THAW))
      throw new RequestError(403, 'this token is for something else')
    // It cannot wake the game, and would take it for dead.
    if (!knowsFreezing(request)) supervisor.thaw()
    if (url.pathname === MYSQL || url.pathname.startsWith(`${MYSQL}/`)) return doMysql(name, request, response, url)
    const route = routes[name]
    if (!route) throw new RequestError(404, 'no such route')
    await route(request, response, url)
  }

  return createServer({ keepAliveTimeout: 60_000, headersTimeout: 30_000, requestTimeout: 0 }, (request, response) => {
    begun.set(response, performance.now())
    withinTrace(request.headers['traceparent'], () => handle(request, response)).catch((error: Error) => {
      const status = error instanceof ConflictError ? 409 : error instanceof RequestError ? error.status : 500
      if (status === 500) log('error', 'request failed', { error, path: request.url })
      if (response.headersSent) return response.destroy()
      // A body that was not read would be taken for the next request.
      if (!request.complete) response.setHeader('connection', 'close')
      sendJson(response, status, { error: status === 500 ? 'internal error' : error.message })
    })
  })
}

/** When its request came. */
const begun = new WeakMap<ServerResponse, number>()

function sendJson(response: ServerResponse, status: number, body: unknown) {
  const took = performance.now() - (begun.get(response) ?? performance.now())
  const headers = { 'content-type': 'application/json', 'server-timing': `app;dur=${took.toFixed(1)}` }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

async function readJson<T>(request: IncomingMessage, limit: number): Promise<T> {
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => request.destroy(), MAX_JSON_MS)
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw new RequestError(413, 'body too large')
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(timer)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // Answered below, like any other text that is no object.
  }
  throw new RequestError(400, 'body is not a JSON object')
}

async function readTimeout(request: IncomingMessage): Promise<number> {
  const { timeoutSeconds } = await readJson<{ timeoutSeconds?: unknown }>(request, MAX_BODY_BYTES)
  if (!Number.isInteger(timeoutSeconds) || (timeoutSeconds as number) < 0 || (timeoutSeconds as number) > 600) {
    throw new RequestError(400, 'bad timeoutSeconds')
  }
  return timeoutSeconds as number
}

function readId(id: unknown): string {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw new RequestError(400, 'bad id')
  return id
}

/** Paths inside the volume, none of them ours. */
function readPaths(paths: unknown): string[] {
  if (!Array.isArray(paths) || paths.length > pathsKept) throw new RequestError(400, 'bad keep')
  return paths.map((path: unknown) => {
    // oxlint-disable-next-line no-control-regex
    const isGood = typeof path === 'string' && path.length <= 500 && /^[^/\0][^\0]*$/.test(path)
    const parts = isGood ? path.replace(/\/$/, '').split('/') : ['']
    if (parts.some((part) => part === '' || part === '.' || part === '..')) throw new RequestError(400, 'bad keep')
    return parts.join('/')
  })
}

function readLines(lines: unknown): WatchedLine[] {
  try {
    return checkWatchedLines(lines)
  } catch (error) {
    throw new RequestError(400, (error as Error).message)
  }
}

function readName(url: URL): KnownFile {
  const name = url.searchParams.get('path')
  if (!isKnownFile(name)) throw new RequestError(404, 'no such file')
  return name
}

function readSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new RequestError(400, 'bad seq')
  return Number(text)
}
