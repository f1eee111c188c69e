import { dehydrate, type DehydratedState, type FetchQueryOptions, QueryClient } from '@tanstack/react-query'

/**
 * Runs queries on the server and packs their results for `<HydrationBoundary>`.
 * One that fails is left out: the browser asks again and shows what went wrong in its place.
 */
export async function prefetch(...queries: readonly unknown[]): Promise<DehydratedState> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await Promise.all(queries.map((query) => client.prefetchQuery(query as FetchQueryOptions)))
  const state = dehydrate(client)
  client.clear()
  return state
}
