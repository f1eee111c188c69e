/**
 * Shares what this process can do among visitors: one address has so many requests worked on at once without a session,
 * the others of it wait their turn. However many one sends, everybody else meets a few of them at most.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import { plainAddress } from '@wakestone/kit/plain-address'
import type { Settings } from '@wakestone/kit/settings'
import { networkOf } from '#src/features/ground/limits/service.ts'
import { bearerOf } from './api-key-callers.ts'
import { findCaller } from './implement.ts'
import type { Principals } from './principal.ts'

/** Requests of one address that wait; more are turned away. */
const mostWaiting = 256

export function shareOut(
  app: FastifyInstance,
  { principals, settings }: { principals: Principals; settings: Settings },
): void {
  const most = settings.LIMIT_ANONYMOUS_AT_ONCE
  if (most === 0) return
  const lines = createLines(most)
  app.addHook('onRequest', async (request, reply) => {
    if (!isShared(request)) return
    if ((await findCaller({ principals }, request)) !== undefined) return
    const leave = await lines.enter(networkOf(request.ip), (gone) => reply.raw.once('close', gone))
    if (reply.raw.destroyed) leave()
    else reply.raw.once('close', leave)
  })
}

/**
 * Left out: what a page asks of the API while it is made (it has its share already), this machine, API keys (which
 * have limits of their own), and files.
 */
function isShared(request: FastifyRequest): boolean {
  if (!(request.raw.socket instanceof Socket)) return false
  if (/^(127\.|::1$)/.test(plainAddress(request.ip))) return false
  if (bearerOf(request) !== undefined) return false
  const route = request.routeOptions.url ?? ''
  return route === '/*' || route.startsWith('/api/v1/')
}

type Line = { working: number; waiting: Set<() => void> }

/** A line for each name: so many are inside, the others come in one by one in their order. */
function createLines(most: number) {
  const lines = new Map<string, Line>()

  function leave(name: string, line: Line): void {
    const [next] = line.waiting
    if (next === undefined) {
      line.working--
      if (line.working === 0) lines.delete(name)
      return
    }
    line.waiting.delete(next)
    next() // takes the place of the one that leaves
  }

  return {
    /**
     * @param onGone calls back when nobody waits for the answer any more.
     * @returns what to call in the end.
     * @throws DomainError `too_many_requests`.
     */
    async enter(name: string, onGone: (callback: () => void) => void): Promise<() => void> {
      const line = lines.get(name) ?? { working: 0, waiting: new Set() }
      lines.set(name, line)
      if (line.working < most) line.working++
      else if (line.waiting.size >= mostWaiting) throw new DomainError('too_many_requests', { retry_after: 1 })
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        line.waiting.add(resolve)
        onGone(() => line.waiting.delete(resolve) && reject(new DomainError('too_many_requests', { retry_after: 1 })))
        await promise
      }
      return () => leave(name, line)
    },
  }
}
