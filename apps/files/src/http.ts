/** The files service's HTTP side: who may ask for what, and what is answered when something fails. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { TokenCheck } from '@wakestone/protocol/token-check'
import type { FilesTokenClaims } from '@wakestone/protocol/tokens'
import { asFileError, FileError } from './errors.ts'
import type { Log } from './log.ts'
import { type Parts, sendJson } from './handler.ts'
import { createRoutes } from './routes.ts'

// An `import` of this module would touch all of its exports, and load a whole fetch client with them: 14 MB.
const { createServer } = process.getBuiltinModule('node:http')

const MOST_CONNECTIONS = 512

/** Nothing is answered before `ready`. */
export type HttpOptions = Parts & { checkToken: TokenCheck<'files'>; log: Log; ready: Promise<void> }

export function createHttpServer({ checkToken, log, ready, ...parts }: HttpOptions): Server {
  const routes = createRoutes(parts)

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const claims = checkToken(request.headers.authorization)
    if (!claims) throw new FileError('unauthorized')
    if (!URL.canParse(request.url ?? '/', 'http://files')) throw new FileError('invalid_request')
    const url = new URL(request.url ?? '/', 'http://files')
    const [, folder = url.pathname, id = '', more = ''] =
      /^(\/v1\/(?:uploads|jobs)\/)([\w-]{1,64})(\/stream)?$/.exec(url.pathname) ?? []
    const name = `${request.method} ${folder}${more}`
    if (!isAllowed(claims, name, url.searchParams)) throw new FileError('access_denied')
    const route = routes[name]
    if (!route) throw new FileError('resource_not_found')
    await ready
    await route({ request, response, query: url.searchParams, claims, id })
  }

  const server = createServer({ keepAliveTimeout: 20_000, requestTimeout: 0 }, (request, response) => {
    response.on('error', () => {})
    handle(request, response).catch(async (error: Error) => {
      const known = asFileError(error)
      // Who went away hears of nothing.
      if (response.destroyed) return
      if (!known) log('error', 'request failed', { error, path: request.url })
      if (response.headersSent) return response.destroy()
      await readAway(request)
      // A body that was not read would be taken for the next request.
      if (!request.complete) response.setHeader('connection', 'close')
      for (const header of ['content-length', 'content-range', 'etag']) response.removeHeader(header)
      sendJson(response, known?.status ?? 500, { error: known?.code ?? 'internal_error', fields: known?.fields })
    })
  })
  server.maxConnections = MOST_CONNECTIONS
  return server
}

/** What a token that is not for everything is good for. */
function isAllowed(claims: FilesTokenClaims, name: string, query: URLSearchParams): boolean {
  switch (claims.purpose) {
    case 'control':
      return true
    case 'read':
      return name.endsWith(' /v1/read') && query.get('path') === claims.path
    case 'archive':
      return name === 'GET /v1/archive' && query.getAll('path').every((path) => claims.paths?.includes(path))
    case 'upload':
      return /^(POST|HEAD|PATCH|DELETE) \/v1\/uploads(\/|$)/.test(name)
    case 'sftp':
      return name === 'GET /v1/sftp'
  }
}

/** A refusal is only heard by who has sent all: of a body that ends soon the rest is read before it is told. */
const READ_AWAY_BYTES = 32 * 1024 * 1024
const READ_AWAY_MS = 30_000

function readAway(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((done) => {
    let size = 0
    const timer = setTimeout(done, READ_AWAY_MS)
    const stop = () => {
      clearTimeout(timer)
      done()
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > READ_AWAY_BYTES) stop()
    })
    request.on('end', stop).on('close', stop).on('error', stop)
  })
}
