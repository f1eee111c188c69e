import { z } from 'zod'
import { defineRoute } from '../route.ts'
import {
  adminClusterSchema,
  changeClusterBody,
  clusterHistoryQuery,
  clusterHistorySchema,
  createClusterBody,
  knownClusterIdSchema,
} from './clusters.ts'

const access = { kind: 'capability', capability: 'admin.server' } as const
const tag = 'Administration'
const params = z.object({ clusterId: knownClusterIdSchema })

export const listAdminClusters = defineRoute({
  method: 'GET',
  path: '/admin/clusters',
  tag,
  summary: 'Clusters with what they hold, what is promised there and what is used',
  access,
  responses: { 200: z.array(adminClusterSchema) },
  errors: ['insufficient_capabilities'],
})
export const getClusterHistory = defineRoute({
  method: 'GET',
  path: '/admin/clusters/:clusterId/history',
  tag,
  summary: 'What the servers of a cluster used together over a time',
  access,
  params,
  query: clusterHistoryQuery,
  responses: { 200: clusterHistorySchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const createCluster = defineRoute({
  method: 'POST',
  path: '/admin/clusters',
  tag,
  summary: 'Add a cluster on this machine, with a zone of its own; it is disabled until it is opened',
  access,
  stepUp: true,
  body: createClusterBody,
  responses: { 201: adminClusterSchema },
  errors: ['insufficient_capabilities', 'resource_already_exists', 'cluster_not_found'],
})
export const changeCluster = defineRoute({
  method: 'PATCH',
  path: '/admin/clusters/:clusterId',
  tag,
  summary: 'Change a cluster: disable or drain it, who sees it, its name, its places for free servers',
  access,
  stepUp: true,
  params,
  body: changeClusterBody,
  responses: { 200: adminClusterSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
