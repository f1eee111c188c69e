import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { admittedSchema, agentTokenSchema, changeAgentBody, joinAgentBody } from './agents.ts'
import {
  adminClusterSchema,
  changeClusterBody,
  clusterCheckSchema,
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
  summary: 'Add a cluster with a zone of its own; it is disabled until it is opened',
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
  summary: 'Change a cluster: disable or drain it, who sees it, its name, its machines, its places for free servers',
  access,
  stepUp: true,
  params,
  body: changeClusterBody,
  responses: { 200: adminClusterSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const checkCluster = defineRoute({
  method: 'POST',
  path: '/admin/clusters/:clusterId/check',
  tag,
  summary: 'Have a cluster try what it needs to place servers',
  access,
  params,
  responses: { 200: clusterCheckSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const createAgentToken = defineRoute({
  method: 'POST',
  path: '/admin/clusters/:clusterId/agents/tokens',
  tag,
  summary: 'Make a token with which one further machine joins a cluster, within an hour',
  access,
  stepUp: true,
  params,
  responses: { 201: agentTokenSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'cluster_does_not_support_module'],
})
export const joinAgent = defineRoute({
  method: 'POST',
  path: '/agents/join',
  tag,
  summary: 'Join a cluster as a further machine, with a token of an administrator; called by agents',
  access: { kind: 'public' },
  body: joinAgentBody,
  responses: { 201: admittedSchema },
  errors: ['agent_token_not_valid', 'resource_already_exists'],
})
const agentParams = z.object({ clusterId: knownClusterIdSchema, agentId: idSchema })
export const changeAgent = defineRoute({
  method: 'PATCH',
  path: '/admin/clusters/:clusterId/agents/:agentId',
  tag,
  summary: 'Have a machine take no further servers, or take some again',
  access,
  stepUp: true,
  params: agentParams,
  body: changeAgentBody,
  responses: { 200: adminClusterSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_not_found'],
})
export const removeAgent = defineRoute({
  method: 'DELETE',
  path: '/admin/clusters/:clusterId/agents/:agentId',
  tag,
  summary: 'Take a machine without servers out of its cluster',
  access,
  stepUp: true,
  params: agentParams,
  responses: { 200: adminClusterSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_not_found', 'agent_has_servers'],
})
