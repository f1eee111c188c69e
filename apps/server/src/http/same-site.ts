/**
 * Refuses requests that change something and come from another site. Browsers send `Origin` or `Sec-Fetch-Site`
 * with those; other clients send neither and carry no ambient cookies.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import { bearerOf } from './api-key-callers.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request comes from our own pages or from no page at all. */
export function isSameSite(request: FastifyRequest, ownOrigin: string): boolean {
  const { origin, host } = request.headers
  if (origin !== undefined) return origin === ownOrigin || (host !== undefined && sameHost(origin, host))
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}

function sameHost(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

export function refuseCrossSite(app: FastifyInstance, ownOrigin: string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (safe.has(request.method)) return done()
    // No page of another site can send this header, and with it cookies count for nothing.
    if (bearerOf(request) !== undefined) return done()
    done(isSameSite(request, ownOrigin) ? undefined : new DomainError('access_denied'))
  })
}
