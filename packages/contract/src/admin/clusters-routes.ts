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
  summary: 'List clusters with their capacity, the resources promised to servers and the current usage',
  access,
  responses: { 200: z.array(adminClusterSchema) },
  errors: ['insufficient_capabilities'],
})
export const getClusterHistory = defineRoute({
  method: 'GET',
  path: '/admin/clusters/:clusterId/history',
  tag,
  summary: 'Get the combined resource usage of a cluster’s servers over time',
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
  summary: 'Create a cluster with its own DNS zone. It starts out disabled.',
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
  summary:
    'Update a cluster: its name, visibility, machines or places for free servers. It can also be disabled, or drained, which stops its servers too.',
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
  summary: 'Check whether a cluster has everything it needs to run servers',
  access,
  params,
  responses: { 200: clusterCheckSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const createAgentToken = defineRoute({
  method: 'POST',
  path: '/admin/clusters/:clusterId/agents/tokens',
  tag,
  summary: 'Create a token that lets one more machine join a cluster. Valid for one hour.',
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
  summary: 'Join a cluster as an additional machine, using a token from an administrator. Called by agents.',
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
  summary: 'Stop or resume placing new servers on a machine',
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
  summary: 'Remove a machine from its cluster. It must not hold any servers.',
  access,
  stepUp: true,
  params: agentParams,
  responses: { 200: adminClusterSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_not_found', 'agent_has_servers'],
})
