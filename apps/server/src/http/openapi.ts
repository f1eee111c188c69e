/**
 * OpenAPI 3.1 made from the contract, and a reference page over it.
 */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { stepUpMinutes } from '@wakestone/contract/accounts/security'
import { errorBodySchema, errorStatuses } from '@wakestone/contract/errors'
import { keyScopesOf, type RouteSpec } from '@wakestone/contract/route'
import { allTransports, type TransportSpec } from '@wakestone/contract/transport'
import { allRoutes } from '@wakestone/contract/routes'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { accessCookie } from './cookies.ts'
import { keepAnswer, sendKept } from './kept-answer.ts'
import { projectRights } from '@wakestone/contract/marketplace/values'
import { sentName } from './own-cookies.ts'

/** Codes that any route may answer with. */
const everywhere = [
  'invalid_request',
  'request_too_large',
  'too_many_requests',
  'service_unavailable',
  'internal_error',
] as const

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return json
}

/** What a schema refers to within itself, under names that hold for the whole document. */
function gatherDefinitions(paths: Record<string, Record<string, unknown>>): Record<string, unknown> {
  const gathered: Record<string, unknown> = {}

  /** @param names of what the schema around defines, by the reference to it */
  function walk(value: unknown, operation: string, names: Map<string, string>): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item, operation, names))
    if (typeof value !== 'object' || value === null) return value
    const { $defs, ...rest } = value as Record<string, unknown>
    let known = names
    if ($defs !== undefined) {
      const own = Object.keys($defs as object)
      const first = Object.keys(gathered).filter((name) => name.startsWith(`${operation}_`)).length
      known = new Map(own.map((name, index) => [`#/$defs/${name}`, `${operation}_${first + index + 1}`]))
      for (const name of known.values()) gathered[name] = {}
      for (const [name, schema] of Object.entries($defs as object))
        gathered[known.get(`#/$defs/${name}`) as string] = walk(schema, operation, known)
    }
    return Object.fromEntries(
      Object.entries(rest).map(([name, item]) => {
        const target = name === '$ref' ? known.get(item as string) : undefined
        return [name, target === undefined ? walk(item, operation, known) : `#/components/schemas/${target}`]
      }),
    )
  }
  for (const methods of Object.values(paths))
    for (const [method, operation] of Object.entries(methods))
      methods[method] = walk(operation, (operation as { operationId: string }).operationId, new Map())
  return gathered
}

function describeAccess(access: TransportSpec['access']): string {
  switch (access.kind) {
    case 'gateway':
      return 'Only for the gateway, which authenticates with its shared secret.'
    case 'mail':
      return 'Only for the operator’s mail server, which authenticates with the secret configured for it.'
    case 'ticket':
      // Support tickets have an owner; tickets for files are all that whoever holds them needs.
      return 'param' in access
        ? 'Only for the owner, or `admin`.'
        : 'Open to anyone who has the ticket, while the user who created it still has access.'
    case 'public':
      return 'No authentication required.'
    case 'user':
      return 'Requires a signed-in user.'
    case 'self':
      return 'Only for the user in question, or `admin`.'
    case 'server':
      return `Requires \`${access.capability}\` on the server, or \`admin.server\`.`
    case 'wallet':
    case 'invoice':
    case 'transaction':
    case 'service':
    case 'social':
    case 'craftum':
      return 'Only for the owner, or `admin`.'
    case 'event':
      return 'Only for those who can see the user or server that the event is about.'
    case 'project':
      return access.right === 'see'
        ? 'For anyone who can see the project.'
        : `Requires the role \`${projectRights[access.right]}\` in the project, or \`admin\`.`
    case 'capability':
      return `Requires \`${access.capability}\`.`
  }
}

function describeStepUp(stepUp: NonNullable<RouteSpec['stepUp']>): string {
  if (stepUp === 'second-factor-or-key')
    return ` In a session, requires a second factor on the account, and an identity check in the last ${stepUpMinutes} minutes (\`POST /users/step-up\`).`
  const of = stepUp === 'without-password' ? 'For accounts without a password, requires' : 'Requires'
  return ` ${of} an identity check in the last ${stepUpMinutes} minutes (\`POST /users/step-up\`).`
}

function describeKeyScopes(scopes: readonly string[] | undefined): string {
  if (scopes === undefined) return 'Not available to API keys.'
  if (scopes.length === 0) return 'Accepts any API key.'
  return `API keys need the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`
}

/** One of the entries lets a caller in. */
function describeSecurity(route: Pick<RouteSpec, 'access' | 'keyScope' | 'stepUp'>) {
  const scopes = keyScopesOf(route)
  const session = route.access.kind === 'public' ? {} : { session: [] }
  if (scopes === undefined) return route.access.kind === 'public' ? [] : [session]
  return [session, ...(scopes.length === 0 ? [{ apiKey: [] }] : scopes.map((scope) => ({ apiKey: [scope] })))]
}

function describeParameters(route: Pick<RouteSpec, 'params' | 'query'>) {
  return (['params', 'query'] as const).flatMap((place) => {
    const schema = route[place]
    if (schema === undefined) return []
    return Object.entries(schema.shape).map(([name, type]) => ({
      name,
      in: place === 'params' ? 'path' : 'query',
      required: place === 'params' || !(type as z.ZodType).safeParse(undefined).success,
      schema: toJsonSchema(type as z.ZodType, 'input'),
    }))
  })
}

const describeContent = ({ streams }: RouteSpec, schema: z.ZodType) =>
  streams === undefined
    ? { 'application/json': { schema: toJsonSchema(schema, 'output') } }
    : { [streams]: { schema: { type: 'string' } } }

function describeRoute(operationId: string, route: RouteSpec) {
  const codes = [
    ...everywhere,
    ...(route.access.kind === 'public' ? [] : (['unauthorized'] as const)),
    ...(route.stepUp === undefined ? [] : (['step_up_required'] as const)),
    ...route.errors,
  ]
  const byStatus = Map.groupBy(codes, (code) => errorStatuses[code])
  const successes = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: 'Success',
      ...(schema === null ? {} : { content: describeContent(route, schema) }),
    },
  ])
  const failures = [...byStatus].map(([status, list]) => [
    String(status),
    {
      description: [...new Set(list)].join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  const idempotencyHeader = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Repeating a request with the same key and body returns the first response.',
  }
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${describeAccess(route.access)}${route.stepUp === undefined ? '' : describeStepUp(route.stepUp)} ${describeKeyScopes(keyScopesOf(route))}`,
    security: describeSecurity(route),
    parameters: [...describeParameters(route), ...(route.idempotent ? [idempotencyHeader] : [])],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(route.body, 'input') } },
          },
        }),
    responses: Object.fromEntries([...failures, ...successes]),
  }
}

/** How a transport carries its content, which no schema describes. */
function describeManner({ kind, method, takes }: Pick<TransportSpec, 'kind' | 'method' | 'takes'>): string {
  if (kind === 'socket') return 'A WebSocket. '
  if (kind === 'stream') return 'Streams until either side closes it. '
  if (kind === 'call') return 'JSON request and response. '
  if (takes !== undefined) return `Takes \`${takes}\`. `
  return method === 'GET' ? 'Returns a file. ' : ''
}

function describeTransport(operationId: string, { access, ...route }: TransportSpec) {
  const errors = [
    ...new Set([...everywhere, ...(access.kind === 'public' ? [] : (['unauthorized'] as const)), ...route.errors]),
  ]
  const asked =
    access.kind === 'gateway' || access.kind === 'mail' || access.kind === 'ticket' ? undefined : { ...route, access }
  const content = { [route.type]: { schema: route.answer ? toJsonSchema(route.answer, 'output') : { type: 'string' } } }
  const taken = route.takes === undefined ? undefined : { [route.takes]: { schema: { type: 'string' } } }
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${describeManner(route)}${describeAccess(access)} ${describeKeyScopes(asked && keyScopesOf(asked))}`,
    security:
      asked === undefined
        ? access.kind === 'gateway'
          ? [{ gateway: [] }]
          : access.kind === 'mail'
            ? [{ mail: [] }]
            : []
        : describeSecurity(asked),
    parameters: describeParameters(route),
    ...(route.body && {
      requestBody: { required: true, content: { [route.type]: { schema: toJsonSchema(route.body, 'input') } } },
    }),
    ...(taken && { requestBody: { required: true, content: taken } }),
    responses: {
      [route.kind === 'socket' ? 101 : 200]: { description: 'Success', ...(route.kind !== 'socket' && { content }) },
      default: {
        description: errors.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** What holds for every call; Markdown. */
const introduction = `Everything the panel does, it does through this API.

- **Authentication.** Create an API key under *Account › API keys* and send it as \`Authorization: Bearer wk_…\`. A key can do what its scopes allow, and never more than you can. Browsers use the session cookie instead.
- **Errors** are JSON: \`error\` is a code you can rely on, \`fields\` says what it is about, and \`event_id\` is what support needs to find it. Each call lists the codes it can answer with.
- **Trying again.** Calls that take an \`Idempotency-Key\` return the first answer for the same key and body, so they are safe to repeat after a timeout. After \`too_many_requests\` or \`service_unavailable\`, wait before you try again; \`Retry-After\` says for how long, if it is there.
- **Long lists** come in pages. Most take \`limit\` and \`after\`; each call describes its own.
- **Amounts of money** are integers in the smallest unit of their currency: \`{ "amount": 1844, "currency": "PLN" }\` is PLN 18.44. **Times** are ISO 8601 in UTC.
- **Long-running work** returns the id of a process. You can read it and, while its phase allows it, cancel it.`

export function describeApi({ origin, sessionCookie }: { origin: string; sessionCookie: string }) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries(allRoutes) as [string, RouteSpec][]) {
    const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route) }
  }
  for (const [name, route] of Object.entries<TransportSpec>(allTransports)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeTransport(name, route) }
  }
  const definitions = gatherDefinitions(paths)
  return {
    openapi: '3.1.0',
    info: { title: 'Wakestone', version: '1', license: { name: 'MIT' }, description: introduction },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Error: toJsonSchema(errorBodySchema, 'output'), ...definitions },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        gateway: { type: 'http', scheme: 'bearer' },
        mail: { type: 'http', scheme: 'bearer' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'wk_…',
          description: 'A personal API key, created in the account settings. If one is sent, cookies are ignored.',
        },
      },
    },
  }
}

/** The reference page brings its own scripts, and styles in its elements. */
const referencePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export async function installOpenApi(app: FastifyInstance, settings: Settings): Promise<void> {
  const sessionCookie = sentName(accessCookie, settings)
  // Made when somebody asks first: it takes longer than all else of a start together.
  let answer: ReturnType<typeof keepAnswer> | undefined
  const url = '/api/v1/openapi.json'
  app.get(url, (request, reply) => {
    answer ??= keepAnswer(JSON.stringify(describeApi({ origin: publicUrl(settings), sessionCookie })))
    return sendKept(request, reply, answer)
  })
  // The page reads the document by its address.
  const none = { openapi: '3.1.0', info: { title: 'Wakestone', version: '1' }, paths: {} }
  await app.register(swagger, { mode: 'static', specification: { document: none as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: referencePolicy,
    uiConfig: { docExpansion: 'list', url },
    uiHooks: {
      // It would write the document anew for everybody who asks.
      onRequest: (request, reply, done) =>
        /^\/api\/docs\/(json|yaml)(\?|$)/.test(request.url) ? void reply.redirect(url) : done(),
    },
  })
}
