/**
 * Turns a route of the contract and a handler into an HTTP route: checks input, caller and right before the handler,
 * and lets only declared fields out after it.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Capabilities, hasCapability } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import { idempotencyKeySchema } from '@wakestone/contract/primitives'
import {
  keyScopesOf,
  needsTerms,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
  type RouteReturn,
  type RouteSpec,
} from '@wakestone/contract/route'
import type { TransportSpec } from '@wakestone/contract/transport'
import type { Context } from '#src/context.ts'
import { requireTermsAccepted } from '#src/features/accounts/consents/service.ts'
import { actingAs } from '#src/features/ground/events/service.ts'
import type { FeatureFlags } from '#src/features/site/flags/service.ts'
import type { ServerResource } from '#src/features/servers/servers/service.ts'
import type { ShownUsers } from '#src/features/accounts/users/service.ts'
import { findFactors } from '#src/features/accounts/second-factors/service.ts'
import { requireRecentProof } from '#src/features/accounts/sign-in/service.ts'
import type { OwnerChecks } from '#src/owner-check.ts'
import { checkAccess } from './access.ts'
import { accessCookie, refreshCookie, viewAsCookie } from './cookies.ts'
import { bearerOf } from './api-key-callers.ts'
import type { Catalogue } from './catalogue.ts'
import { type FormFile, isForm, readForm } from './form.ts'
import { keepAnswer, type KeptAnswer, sendKept } from './kept-answer.ts'
import type { Principal, Principals, SessionPrincipal } from './principal.ts'

type AccessKind<Spec extends RouteSpec> = Spec['access']['kind']
/** API keys reach a handler only where the route says so. */
type Caller<Spec extends RouteSpec> = Spec extends { keyScope: string } ? Principal : SessionPrincipal

/** What a handler gets. `user` is certain unless the route is public; `server` is there on routes about one server. */
export type Call<Spec extends RouteSpec> = {
  params: RouteParams<Spec>
  query: RouteQuery<Spec>
  body: RouteBody<Spec>
  user: AccessKind<Spec> extends 'public' ? Caller<Spec> | undefined : Caller<Spec>
  /** Of a form, on routes that take files. They are gone once the handler has answered. */
  files: Spec extends { takesFiles: true } ? FormFile[] : undefined
  server: AccessKind<Spec> extends 'server' ? ServerResource : undefined
  idempotencyKey: string | undefined
  ip: string
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer with a status that is not the route's first one. */
export class Answer<Body> {
  readonly status: number
  readonly body: Body
  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

/** An answer that is kept for everybody to whom it is the same. */
export class Kept<Body> {
  /** All that it depends on, but for the route. */
  readonly of: string
  readonly load: () => Promise<Body>
  constructor(of: string, load: () => Promise<Body>) {
    this.of = of
    this.load = load
  }
}

export type Api = {
  app: FastifyInstance
  context: Context
  principals: Principals
  users: ShownUsers
  catalogue: Catalogue
  flags: FeatureFlags
  owners: OwnerChecks
  implemented: Set<RouteSpec>
  transports: Set<TransportSpec>
}
/** What of a route says who may call it. */
export type AdmittingSpec = Pick<
  RouteSpec,
  'method' | 'access' | 'keyScope' | 'stepUp' | 'params' | 'viewAs' | 'beforeTerms'
>
/** A route whose answers are all empty may simply return. */
type Returned<Body> = [Body] extends [undefined] ? undefined | void : Body
export type Handler<Spec extends RouteSpec> = (
  call: Call<Spec>,
) => Promise<Returned<RouteReturn<Spec>> | Answer<RouteReturn<Spec>> | Kept<RouteReturn<Spec>>>

/** Registers one route. Every answer is the schema's: fields it does not declare never leave. */
export function implement<const Spec extends RouteSpec>(api: Api, route: Spec, handler: Handler<Spec>): void {
  api.implemented.add(route)
  const firstStatus = Number(Object.keys(route.responses)[0])
  api.app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    async handler(request, reply) {
      const { user, params, resource } = await admit(api, route, request)
      const takesForm = route.takesFiles === true && isForm(request)
      // Nobody leaves files here whom we do not know.
      if (takesForm && user === undefined) throw new DomainError('unauthorized')
      const form = takesForm ? await readForm(request, api.context.settings, route.fileLimits) : undefined
      reply.raw.once('close', () => void form?.remove())
      const call = {
        params,
        query: check(route.query, request.query, 'query'),
        body: check(route.body, form === undefined ? request.body : form.payload, 'body'),
        files: route.takesFiles === true ? (form?.files ?? []) : undefined,
        user,
        server: resource,
        idempotencyKey: route.idempotent ? readIdempotencyKey(request) : undefined,
        ip: request.ip,
        request,
        reply,
      }
      const work = () => actingAs(actingOf(route, user, call.params as never), () => handler(call as never))
      const result = await (route.method === 'GET' ? work() : work().finally(() => catchUp(api)))
      if (result instanceof Kept) return sendKept(request, reply, await findKept(api, route, result))
      const [status, body] = result instanceof Answer ? [result.status, result.body] : [firstStatus, result]
      const schema = route.responses[status]
      if (schema === undefined)
        throw new Error(`${route.method} ${route.path} answered with ${status}, which it does not declare`)
      void reply.status(status)
      if (route.streams !== undefined)
        return reply.type(route.streams).send(Readable.from(body as AsyncIterable<string>))
      return schema === null ? reply.send() : reply.send(schema.parse(body))
    },
  })
}

/** Who calls, and that they may: the same for every way in. */
export async function admit(
  api: Api,
  route: AdmittingSpec,
  request: FastifyRequest,
): Promise<{ user: Principal | undefined; params: unknown; resource: ServerResource | undefined }> {
  const user = await findApiCaller(api, request)
  if (route.access.kind !== 'public' && user === undefined) throw new DomainError('unauthorized')
  if (user?.actor !== undefined && !isOpenToViewers(route)) throw new DomainError('access_denied')
  if (user?.apiKey !== undefined) requireScope(route, user.apiKey.scopes)
  if (user !== undefined && user.actor === undefined && needsTerms(route)) await requireTermsAccepted(api.context, user)
  const params = check(route.params, request.params, 'params')
  const resource =
    user === undefined
      ? undefined
      : await checkAccess(api, route.access, user, params as Record<string, string> | undefined)
  if (route.stepUp !== undefined && user?.sessionId !== undefined) {
    if (route.stepUp === 'second-factor-or-key') await requireSecondFactor(api, user)
    await requireRecentProof(api.context.db, user, { unlessPassword: route.stepUp === 'without-password' })
  }
  return { user, params, resource }
}

/** @throws DomainError `second_factor_missing` for an account that a password alone guards. */
async function requireSecondFactor({ context }: Api, { userId }: Principal): Promise<void> {
  const { totp, passkey } = await findFactors(context.db, userId)
  if (!totp && !passkey) throw new DomainError('second_factor_missing')
}

async function findKept({ catalogue }: Api, route: RouteSpec, { of, load }: Kept<unknown>): Promise<KeptAnswer> {
  const write = async () => keepAnswer(JSON.stringify(route.responses[200]?.parse(await load())))
  return (await catalogue.answers.find(`${route.path} ${of}`, write)) ?? write()
}

/** Whoever changes something sees it in the next answer, whatever it touched: nothing from before is kept by then. */
async function catchUp({ principals, users, catalogue }: Api): Promise<void> {
  await Promise.all([principals.caughtUp(), users.caughtUp(), catalogue.caughtUp()])
}

/** Whoever sees the panel as another user may look, and do what a route says that they may. */
const isOpenToViewers = (route: AdmittingSpec) => route.viewAs ?? route.method === 'GET'

/**
 * Through whom something comes about, for events to carry: an administrator, where it concerns another user, and the API
 * key, where it was called with one.
 */
export function actingOf(
  { access }: Pick<TransportSpec, 'access'>,
  user: Principal | undefined,
  params: Record<string, string> | undefined,
): Parameters<typeof actingAs>[0] {
  if (user === undefined) return {}
  const actor = user.actor ?? (access.kind === 'self' && params?.[access.param] !== user.userId ? user : undefined)
  return {
    ...(actor !== undefined && { actor: { user_id: actor.userId, username: actor.username } }),
    ...(user.apiKey !== undefined && { api_key: { id: user.apiKey.id, hint: user.apiKey.hint } }),
  }
}

/**
 * The user behind a request to the API, by API key or session.
 * @throws DomainError `unauthorized` for an API key that is none: cookies never stand in for it.
 */
export async function findApiCaller(
  api: Pick<Api, 'principals'>,
  request: FastifyRequest,
): Promise<Principal | undefined> {
  const key = bearerOf(request)
  return key === undefined ? findCaller(api, request) : api.principals.findByKey({ key, ip: request.ip })
}

/** The signed-in user behind a request. */
export async function findCaller(
  api: Pick<Api, 'principals'>,
  request: FastifyRequest,
): Promise<SessionPrincipal | undefined> {
  const viewToken = request.cookies[viewAsCookie]
  if (viewToken !== undefined) {
    const viewed = await api.principals.find(viewToken)
    // In the browser session that it was begun in, and no other: whoever signs in anew is not somebody else at once.
    const [ownSession] = (request.cookies[refreshCookie] ?? '').split('.')
    if (viewed?.actor !== undefined && viewed.actor.sessionId === ownSession) return viewed
  }
  const token = request.cookies[accessCookie]
  return token === undefined ? undefined : api.principals.find(token)
}

/** What the key's owner may do is looked at afterwards: the key can do no more than both. */
function requireScope(route: AdmittingSpec, scopes: Capabilities): void {
  const wanted = keyScopesOf(route)
  if (wanted === undefined) throw new DomainError('access_denied')
  const [first] = wanted
  if (first !== undefined && !wanted.some((scope) => hasCapability(scopes, scope)))
    throw new DomainError('insufficient_permissions', { scope: first })
}

export function check(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || place] = issue.message
  throw new DomainError('invalid_request', fields)
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  const result = idempotencyKeySchema.safeParse(given)
  if (!result.success) throw new DomainError('invalid_request', { 'Idempotency-Key': '8–64 of A–Z, a–z, 0–9, _ and -' })
  return result.data
}
