/** Servers as this tab knows them: the list, the page and the stream share what is known of each. */
import type { QueryClient } from '@tanstack/react-query'
import type { Capabilities } from '@wakestone/contract/capabilities'
import { type ApiClient, ApiError } from '@wakestone/contract/client'
import { idSchema } from '@wakestone/contract/primitives'
import { listProducts } from '@wakestone/contract/sales/billings-routes'
import { getLastCrash } from '@wakestone/contract/servers/crash-routes'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import { getServer, getServerStatus, listClusters } from '@wakestone/contract/servers/servers-routes'
import type { Server, ServerStatus } from '@wakestone/contract/servers/server'
import { panelState } from '@wakestone/contract/states'
import { api } from '#app/api/client.ts'
import { answersOf, queryOf } from '#app/api/query-of.ts'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { isPassing } from '#app/features/power/power-refusal.ts'

export const clustersQuery = (client: ApiClient = api) => queryOf(listClusters, {}, { client, staleTime: 60_000 })
export const productsQuery = (client: ApiClient = api) => queryOf(listProducts, {}, { client, staleTime: 60_000 })

/** How often a list of servers is asked for while it is looked at. */
export function listInterval(servers: readonly Server[] | undefined): number {
  return servers?.some((server) => isPassing(panelState(server.status))) ? 1500 : 4000
}

export function serverQuery(id: string, client: ApiClient = api) {
  return queryOf(getServer, { params: { id } }, { client, refetchInterval: 30_000 })
}

/** What a server does now. A live stream tells by itself; asking is the way when it does not, and now and then anyway. */
export function statusQuery(server: Server, isStreamLive: boolean) {
  const query = queryOf(
    getServerStatus,
    { params: { id: server.id } },
    {
      refetchInterval: ({ state }) =>
        state.data !== undefined && isPassing(panelState(state.data)) ? 1500 : isStreamLive ? 10_000 : 3000,
    },
  )
  return { ...query, initialData: server.status }
}

/** Another crash is another answer, and so is a game that has run well since. */
export const lastCrashQuery = (id: string, client: ApiClient = api) =>
  queryOf(getLastCrash, { params: { id } }, { client, refetchInterval: 30_000 })

/** Takes a newer status over, wherever it came from. */
export function keepStatus(queries: QueryClient, id: string, status: ServerStatus): void {
  queries.setQueryData(queryOf(getServerStatus, { params: { id } }).queryKey, status)
  queries.setQueriesData<Server[]>(answersOf(listUserServers), (servers) =>
    servers?.map((server) => (server.id === id ? { ...server, status } : server)),
  )
}

/** Takes over what the reader may do on a server, as soon as it is told. */
export function keepCapabilities(queries: QueryClient, id: string, user_capabilities: Capabilities): void {
  const change = (server: Server) => ({ ...server, user_capabilities: { ...user_capabilities } })
  queries.setQueryData(serverQuery(id).queryKey, (server) => server && change(server))
  queries.setQueriesData<Server[]>(answersOf(listUserServers), (servers) =>
    servers?.map((server) => (server.id === id ? change(server) : server)),
  )
}

/**
 * Finds the server behind the last part of `/s/{identity}`: its id, its subdomain, or its whole address.
 * Null when nobody holds it.
 */
export async function findServerId(identity: string, client: ApiClient): Promise<string | null> {
  if (idSchema.safeParse(identity).success) return identity
  const wanted = identity.toLowerCase()
  const clusters = await client(listClusters, {})
  for (const zone of new Set(clusters.map((cluster) => cluster.zone_name))) {
    const subdomain = wanted.endsWith(`.${zone}`) ? wanted.slice(0, -zone.length - 1) : wanted
    try {
      const found = await client(checkDomain, { query: { full: '1' }, body: { subdomain, zone_name: zone } })
      if (found?.server_id != null) return found.server_id
    } catch (error) {
      // 404 = nobody has this name here; a name that cannot exist is no different to a visitor.
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error
    }
  }
  return null
}

export function serverIdQuery(identity: string, client: ApiClient = api) {
  return queryOf(
    checkDomain,
    { query: { full: '1' }, body: { subdomain: identity, zone_name: '' } },
    { read: () => findServerId(identity, client), staleTime: 60_000 },
  )
}
