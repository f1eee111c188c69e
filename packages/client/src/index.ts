/** The API for programs, with an API key: one typed function for each call that a key may make. */
import { type ApiClient, createApiClient, type Transport } from '@wakestone/contract/client'
import { keyScopesOf, type RouteCall, type RouteResult, type RouteSpec } from '@wakestone/contract/route'
import { allRoutes } from '@wakestone/contract/routes'

export { ApiError } from '@wakestone/contract/client'
export { type ReceivedWebhook, readWebhook, WebhookError } from './webhooks.ts'

type Routes = typeof allRoutes
type KeyRoute = RouteSpec & { keyScope: string }
/** A call without parameters and body may be made without anything. */
type Args<Spec extends RouteSpec> =
  Record<never, never> extends RouteCall<Spec> ? [call?: RouteCall<Spec>] : [call: RouteCall<Spec>]

export type Wakestone = {
  [Name in keyof Routes as Routes[Name] extends KeyRoute ? Name : never]: Routes[Name] extends RouteSpec
    ? (...args: Args<Routes[Name]>) => Promise<RouteResult<Routes[Name]>>
    : never
}

export type WakestoneOptions = {
  /** Where the panel is, such as `https://play.example`. */
  url: string
  /** Of *Account → API keys*. */
  key: string
  /** How often a call is sent again that was refused for now. */
  retries?: number
  fetch?: typeof globalThis.fetch
}

/** Refused for now, by the product or by what stands in front of it. */
const passing = [429, 502, 503, 504]
const firstPauseMilliseconds = 500
const longestPauseMilliseconds = 60_000

/** @throws ApiError by each function, for every answer that is no success */
export function createWakestone({ url, key, retries = 4, fetch = globalThis.fetch }: WakestoneOptions): Wakestone {
  const origin = url.replace(/\/+$/, '')

  const transport: Transport = async (path, { headers, ...rest }) => {
    // A call that changes something is sent again only where the product knows it from the first time.
    const maySendAgain = rest.method === 'GET' || headers['idempotency-key'] !== undefined
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(`${origin}${path}`, {
        ...rest,
        headers: { ...headers, authorization: `Bearer ${key}` },
      })
      const isRefusedUndone = response.status === 429
      if (!passing.includes(response.status) || attempt >= retries || !(maySendAgain || isRefusedUndone))
        return response
      await response.body?.cancel()
      await pause(attempt, response.headers.get('retry-after'))
    }
  }

  const client: ApiClient = createApiClient(transport)
  const calls = Object.entries(allRoutes as Record<string, RouteSpec>)
    .filter(([, route]) => keyScopesOf(route) !== undefined)
    .map(([name, route]) => {
      const call = (given: RouteCall<RouteSpec> = {} as RouteCall<RouteSpec>) => {
        const idempotencyKey = given.idempotencyKey ?? (route.idempotent ? crypto.randomUUID() : undefined)
        return client(route, { ...given, ...(idempotencyKey !== undefined && { idempotencyKey }) })
      }
      return [name, call] as const
    })
  return Object.fromEntries(calls) as unknown as Wakestone
}

/** As long as the answer says, else twice as long as the time before. */
function pause(attempt: number, retryAfter: string | null): Promise<void> {
  const told = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
  const milliseconds = Math.min(told ?? firstPauseMilliseconds * 2 ** attempt, longestPauseMilliseconds)
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
