/**
 * What the API told, by the route that told it. The key of a query is its route and what it was called with, so nobody
 * makes keys by hand: `queryOf` makes queries, and what changes something names the routes whose answers are stale.
 */
import { type Query, type QueryClient, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import type { RouteCall, RouteParams, RouteResult, RouteSpec } from '@wakestone/contract/route'
import type { TransportSpec } from '@wakestone/contract/transport'
import { api } from './client.ts'

type Parts = { params?: unknown; query?: unknown; body?: unknown }
export type QueryKey = readonly [route: string, params: unknown, query: unknown, body: unknown]
type Options<Data, Shown> = Omit<UseQueryOptions<Data, Error, Shown, QueryKey>, 'queryKey' | 'queryFn' | 'initialData'>
type Made<Data, Shown> = ReturnType<typeof queryOptions<Data, Error, Shown, QueryKey>>

const nameOf = ({ method, path }: Pick<TransportSpec, 'method' | 'path'>) => `${method} ${path}`

/** A query that calls a route. `client`: a loader's, if it is not the browser's own; other options are TanStack's. */
export function queryOf<const Spec extends RouteSpec, Shown = RouteResult<Spec>>(
  route: Spec,
  call: RouteCall<Spec>,
  options?: Options<RouteResult<Spec>, Shown> & { client?: ApiClient; read?: undefined },
): Made<RouteResult<Spec>, Shown>
/** One whose `read` makes more of it than the route's answer. */
export function queryOf<const Spec extends RouteSpec, Data>(
  route: Spec,
  call: RouteCall<Spec>,
  options: Options<Data, Data> & { read: () => Promise<Data> },
): Made<Data, Data>
export function queryOf(
  route: RouteSpec,
  call: Parts,
  {
    client = api,
    read,
    ...options
  }: Options<unknown, unknown> & { client?: ApiClient; read?: () => Promise<unknown> } = {},
) {
  const { params = null, query = null, body = null } = call
  const queryKey: QueryKey = [nameOf(route), params, query, body]
  return queryOptions<unknown, Error, unknown, QueryKey>({
    queryKey,
    queryFn: read ?? (() => client(route, call as never)),
    ...options,
  })
}

/**
 * A query of what goes by a transport, such as the bytes of a file: `read` asks for them and makes something of them. Also
 * one of a route whose key says more than is asked, such as which version of a file the answer is of.
 */
export function transportQuery<Data>(
  transport: Pick<TransportSpec, 'method' | 'path'>,
  { params = null, query = null }: Pick<Parts, 'params' | 'query'>,
  { read, ...options }: Options<Data, Data> & { read: () => Promise<Data> },
): Made<Data, Data> {
  const queryKey: QueryKey = [nameOf(transport), params, query, null]
  return queryOptions<unknown, Error, unknown, QueryKey>({ queryKey, queryFn: read, ...options } as never) as never
}

type Answers = { queryKey: readonly unknown[]; predicate?: (query: Query) => boolean }

/** Everything that a route has told, or that it has told of certain parameters. */
export function answersOf<const Spec extends RouteSpec>(
  route: Spec,
  params?: Partial<RouteParams<Spec>> & object,
): Answers {
  return { queryKey: params === undefined ? [nameOf(route)] : [nameOf(route), params] }
}

/** Has answers asked for anew: at once where they are shown, else when they will be. */
export async function makeStale(queries: QueryClient, ...stale: readonly Answers[]): Promise<void> {
  await Promise.all(stale.map((answers) => queries.invalidateQueries(answers)))
}

/** Keeps a page in sight while the next one of the same list comes: `placeholderData` of lists by pages. */
export function keepWhile(wanted: Readonly<Record<string, string>>) {
  return <Data>(shown: Data | undefined, before: { queryKey: QueryKey } | undefined): Data | undefined =>
    JSON.stringify(before?.queryKey[1]) === JSON.stringify(wanted) ? shown : undefined
}
