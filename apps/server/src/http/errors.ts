/**
 * One handler turns whatever was thrown into the catalogue's body. What is not in the catalogue becomes an
 * opaque 500, logged once under the same `event_id`.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FilesError } from '#src/adapters/files/errors.ts'
import { DomainError, type ErrorBody, type ErrorCode, errorStatuses } from '@wakestone/contract/errors'

/** Faults of Fastify itself and the codes they mean. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'invalid_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_LENGTH: 'invalid_request',
}
/** PostgreSQL is away, or going away: the caller may try again. */
const databaseAway = /ECONNREFUSED|ECONNRESET|ENOENT|terminat|timeout exceeded when trying to connect|Connection ended/i

/** Seconds after which to try again, where the database is away or has more to do than it can in time. */
const awaySeconds = 1

export function installErrorHandling(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(new DomainError('resource_not_found'), request, reply))
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = noteError(error, request)
  const wait = body.fields?.['retry_after'] ?? (body.error === 'service_unavailable' ? awaySeconds : undefined)
  if (typeof wait === 'number') void reply.header('retry-after', wait)
  return reply.status(status).type('application/json').send(body)
}

/** Logs what was thrown under a new event id; says with which status and body it is answered. */
export function noteError(error: unknown, request: FastifyRequest): { status: number; body: ErrorBody } {
  const event_id = createEventId()
  const { code, fields } = describe(error)
  const status = errorStatuses[code]
  // The client has gone, which aborts whatever was under way for it. Nothing has failed.
  const hasLeft = code === 'service_unavailable' && request.raw.socket.destroyed
  if (hasLeft) request.log.info({ event_id }, 'request aborted by its client')
  else if (status >= 500) request.log.error({ error, event_id, code }, 'request failed')
  else request.log.info({ event_id, code, fields }, 'request refused')
  return { status, body: { error: code, event_id, ...(fields === undefined ? {} : { fields }) } }
}

/** Finds an answer's line in the log. */
export function createEventId(): string {
  return randomBytes(6).toString('hex')
}

function describe(error: unknown): { code: ErrorCode; fields?: DomainError['fields'] } {
  if (error instanceof DomainError) return { code: error.code, fields: error.fields }
  if (error instanceof FilesError) return { code: 'service_unavailable' } // of one server: it comes up when asked again
  const { code, statusCode, message } = error as FastifyError
  const framework = frameworkCodes[code]
  if (framework !== undefined) return { code: framework }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return { code: 'invalid_request' }
  if (code?.startsWith('22')) return { code: 'invalid_request' } // a value PostgreSQL cannot hold, such as a NUL in a text
  if (/^(57P0|08|53)/.test(code ?? '') || databaseAway.test(`${code} ${message}`))
    return { code: 'service_unavailable' }
  return { code: 'internal_error' }
}
