/** Turns a transport of the contract and a handler into a way in, behind the same checks as a route. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import type { TransportSpec } from '@wakestone/contract/transport'
import { publicUrl } from '@wakestone/kit/settings'
import { bearerOf } from './api-key-callers.ts'
import { actingAs } from '#src/features/ground/events/service.ts'
import { actingOf, admit, type Api, check } from './implement.ts'
import type { Principal } from './principal.ts'
import { isSameSite } from './same-site.ts'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
export type Admitted<Spec extends TransportSpec> = {
  params: Output<Spec['params']>
  query: Output<Spec['query']>
  user: Spec['access']['kind'] extends 'public' | 'gateway' | 'mail' | 'ticket' ? Principal | undefined : Principal
}
/** A request and its answer, where bytes of both are handled by themselves. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Handler<Spec extends TransportSpec> = (call: Admitted<Spec> & Exchange) => Promise<FastifyReply | void>

/** Registers a call between parts of the product: only what its schema declares goes out. */
export function implementCall<const Spec extends TransportSpec & { body: z.ZodObject; answer: z.ZodObject }>(
  api: Api,
  route: Spec,
  handler: (call: Admitted<Spec> & { body: z.output<Spec['body']> }) => Promise<z.input<Spec['answer']>>,
): void {
  api.transports.add(route)
  api.app.route({
    method: route.method,
    url: route.path,
    async handler(request) {
      const admitted = await admitTo(api, route, request)
      const body = check(route.body, request.body, 'body') as z.output<Spec['body']>
      return route.answer.parse(await handler({ ...admitted, body }))
    },
  })
}

/** Registers a stream, or a file in either direction. The handler may take the answer over with `reply.hijack()`. */
export function implementTransport<const Spec extends TransportSpec>(
  api: Api,
  route: Spec,
  handler: Handler<Spec>,
): void {
  api.transports.add(route)
  api.app.route({
    method: route.method,
    url: route.path,
    // A ticket's HEAD is a transport of its own.
    ...(route.method === 'GET' && { exposeHeadRoute: route.access.kind !== 'ticket' }),
    async handler(request, reply) {
      const admitted = await admitTo(api, route, request)
      const work = () => handler({ ...admitted, request, reply })
      return admitted.user === undefined
        ? work()
        : actingAs(actingOf(route, admitted.user, admitted.params as Record<string, string> | undefined), work)
    },
  })
}

/**
 * Registers a socket. It is open before its caller is looked up, so that a refusal is told by a close code:
 * `admitted` rejects with a DomainError then.
 */
export function implementSocket<const Spec extends TransportSpec>(
  api: Api,
  route: Spec,
  handler: (socket: WebSocket, admitted: Promise<Admitted<Spec>>, request: FastifyRequest) => void,
): void {
  api.transports.add(route)
  api.app.get(
    route.path,
    { websocket: true, preValidation: async (request) => requireSameSite(api, request) },
    (socket, request) => handler(socket, admitTo(api, route, request), request),
  )
}

async function admitTo<Spec extends TransportSpec>(
  api: Api,
  route: Spec,
  request: FastifyRequest,
): Promise<Admitted<Spec>> {
  const { access } = route
  if (access.kind === 'gateway') requireBearer(request, api.context.secrets.gateway)
  else if (access.kind === 'mail') requireBearer(request, api.context.settings.SUPPORT_INBOUND_SECRET)
  else if (access.kind !== 'public') requireSameSite(api, request)
  const { user, params } =
    access.kind === 'gateway' || access.kind === 'mail' || access.kind === 'ticket'
      ? { user: undefined, params: check(route.params, request.params, 'params') }
      : await admit(api, { ...route, access, method: route.method === 'HEAD' ? 'GET' : route.method }, request)
  return { user, params, query: check(route.query, request.query, 'query') } as Admitted<Spec>
}

/** A browser sends cookies with what pages of others open too: only ours may. */
function requireSameSite({ context }: Api, request: FastifyRequest): void {
  if (bearerOf(request) === undefined && !isSameSite(request, publicUrl(context.settings)))
    throw new DomainError('access_denied')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Nobody is let in where there is no secret. */
function requireBearer(request: FastifyRequest, secret: string | undefined): void {
  if (secret === undefined) throw new DomainError('unauthorized')
  const wanted = digest(`Bearer ${secret}`)
  if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) throw new DomainError('unauthorized')
}
