/**
 * A typed caller for the contract, the same in the browser, on the server and in tests.
 */
import { type ErrorBody, errorBodySchema } from './errors.ts'
import type { RouteCall, RouteResult, RouteSpec } from './route.ts'

/** An answer of the API that is not a success. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody

  /** Also true for one made by another copy of this module: the web's server build carries its own. */
  static override [Symbol.hasInstance](value: unknown): value is ApiError {
    return value instanceof Error && value.name === 'ApiError' && 'status' in value && 'body' in value
  }

  constructor(status: number, body: ErrorBody) {
    super(body.error)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** What is needed of an answer; `fetch` gives more. */
type TransportAnswer = Pick<Response, 'status' | 'json'> & { headers: Pick<Headers, 'get'> }
export type Transport = (
  path: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<TransportAnswer>
export type ApiClient = <const Spec extends RouteSpec>(route: Spec, call: RouteCall<Spec>) => Promise<RouteResult<Spec>>

const transactionIdAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
function randomTransactionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return Array.from(bytes, (byte) => transactionIdAlphabet[byte % transactionIdAlphabet.length]).join('')
}

/** Path and query of a call, below `/api/v1`. */
export function pathOf(route: RouteSpec, call: { params?: unknown; query?: unknown }): string {
  const params = (call.params ?? {}) as Record<string, unknown>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries((call.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`
}

/**
 * Makes a client over a transport (such as `fetch` with credentials).
 * @throws ApiError for every answer that is not one of the route's success statuses.
 */
export function createApiClient(transport: Transport): ApiClient {
  return async (route, call) => {
    const headers: Record<string, string> = { accept: 'application/json', 'X-transaction-ID': randomTransactionId() }
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
    const body = 'body' in call && call.body !== undefined ? JSON.stringify(call.body) : undefined
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await transport(pathOf(route, call), {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const schema = route.responses[response.status]
    if (schema === undefined) {
      const parsed = errorBodySchema.safeParse(await response.json().catch(() => undefined))
      throw new ApiError(
        response.status,
        parsed.success
          ? parsed.data
          : { error: 'not_recognized', event_id: response.headers.get('x-transaction-id') ?? '' },
      )
    }
    return (schema === null ? undefined : schema.parse(await response.json())) as never
  }
}
