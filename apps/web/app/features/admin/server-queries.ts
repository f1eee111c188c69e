/** Servers, clusters and the health of the product, as administrators read and change them. */
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { adminSearch } from '@wakestone/contract/admin/admin-routes'
import {
  changeAgent,
  changeCluster,
  checkCluster,
  createAgentToken,
  createCluster,
  getClusterHistory,
  listAdminClusters,
  removeAgent,
} from '@wakestone/contract/admin/clusters-routes'
import { beginEvacuation, changeEvacuation, getEvacuation } from '@wakestone/contract/admin/evacuations-routes'
import { getHealth } from '@wakestone/contract/admin/health-routes'
import { getOverview } from '@wakestone/contract/admin/overview-routes'
import type { Evacuation } from '@wakestone/contract/admin/evacuations'
import { getSetup } from '@wakestone/contract/admin/setup-routes'
import type { ServerFlag } from '@wakestone/contract/admin/servers'
import { changeAdminServer, getAdminServer, listAdminServers } from '@wakestone/contract/admin/servers-routes'
import type { RouteCall } from '@wakestone/contract/route'
import type { HistorySpan } from '@wakestone/contract/servers/history'
import type { SetLimits } from '@wakestone/contract/servers/parameters'
import { changeServerParameters } from '@wakestone/contract/servers/parameters-routes'
import { listClusters } from '@wakestone/contract/servers/servers-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutServer } from '#app/api/stale-answers.ts'
import { pageOf } from './admin-queries.ts'

export type ServerFilters = { q?: string; cluster_id?: string; flag?: ServerFlag }

export const setupQuery = (client: ApiClient = api) => queryOf(getSetup, {}, { client, staleTime: 30_000 })
export const adminServersQuery = (filters: ServerFilters, after: string | undefined, client: ApiClient = api) =>
  queryOf(listAdminServers, { query: { ...pageOf(after), ...filters } }, { client, placeholderData: keepPreviousData })
export const adminServerQuery = (serverId: string, client: ApiClient = api) =>
  queryOf(getAdminServer, { params: { serverId } }, { client })
export const adminClustersQuery = (client: ApiClient = api) => queryOf(listAdminClusters, {}, { client })
export const clusterHistoryQuery = (clusterId: string, span: HistorySpan, client: ApiClient = api) =>
  queryOf(getClusterHistory, { params: { clusterId }, query: { span } }, { client, placeholderData: keepPreviousData })
export const overviewQuery = (client: ApiClient = api) => queryOf(getOverview, {}, { client, refetchInterval: 30_000 })
export const healthQuery = (client: ApiClient = api) => queryOf(getHealth, {}, { client, refetchInterval: 30_000 })

function useServerChanged() {
  const queries = useQueryClient()
  return () =>
    makeStale(
      queries,
      answersOf(getAdminServer),
      answersOf(listAdminServers),
      answersOf(adminSearch),
      answersOf(listAdminClusters),
      answersOf(listClusters),
      ...aboutServer(),
    )
}

export function useChangeServerFlags(serverId: string) {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: (body: RouteCall<typeof changeAdminServer>['body']) =>
      api(changeAdminServer, { params: { serverId }, body }),
    onSettled,
  })
}

export function useSetLimits(id: string) {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: (limits: SetLimits) => api(changeServerParameters, { params: { id }, body: { limits } }),
    onSettled,
  })
}

export function useChangeCluster(clusterId: string) {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: (body: RouteCall<typeof changeCluster>['body']) => api(changeCluster, { params: { clusterId }, body }),
    onSettled,
  })
}

export const evacuationQuery = (clusterId: string) =>
  queryOf(
    getEvacuation,
    { params: { clusterId } },
    { refetchInterval: ({ state: { data } }) => (isUnderWay(data?.evacuation) ? 2_000 : false) },
  )
export const isUnderWay = (evacuation: Evacuation | null | undefined): boolean =>
  evacuation?.state === 'running' ||
  evacuation?.state === 'paused' ||
  evacuation?.servers.some(({ state }) => state === 'moving') === true

function useEvacuationChanged() {
  const queries = useQueryClient()
  const onServers = useServerChanged()
  return () => Promise.all([makeStale(queries, answersOf(getEvacuation)), onServers()])
}

export function useBeginEvacuation(clusterId: string) {
  const onSettled = useEvacuationChanged()
  return useMutation({
    mutationFn: (body: RouteCall<typeof beginEvacuation>['body']) =>
      api(beginEvacuation, { params: { clusterId }, body }),
    onSettled,
  })
}

export function useChangeEvacuation(clusterId: string) {
  const onSettled = useEvacuationChanged()
  return useMutation({
    mutationFn: (state: RouteCall<typeof changeEvacuation>['body']['state']) =>
      api(changeEvacuation, { params: { clusterId }, body: { state } }),
    onSettled,
  })
}

/** Has a cluster try what it needs: changes nothing, and takes some seconds. */
export function useCheckCluster(clusterId: string) {
  return useMutation({ mutationFn: () => api(checkCluster, { params: { clusterId } }) })
}

/** What a machine is added with: it is told once, and good for an hour. */
export function useCreateAgentToken(clusterId: string) {
  return useMutation({ mutationFn: () => api(createAgentToken, { params: { clusterId } }) })
}

export function useChangeAgent(clusterId: string) {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: ({ agentId, ...body }: { agentId: string; draining: boolean }) =>
      api(changeAgent, { params: { clusterId, agentId }, body }),
    onSettled,
  })
}

export function useRemoveAgent(clusterId: string) {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: (agentId: string) => api(removeAgent, { params: { clusterId, agentId } }),
    onSettled,
  })
}

export function useCreateCluster() {
  const onSettled = useServerChanged()
  return useMutation({
    mutationFn: (body: RouteCall<typeof createCluster>['body']) => api(createCluster, { body }),
    onSettled,
  })
}
