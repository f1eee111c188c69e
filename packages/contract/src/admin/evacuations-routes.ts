import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { knownClusterIdSchema } from './clusters.ts'
import { beginEvacuationBody, changeEvacuationBody, clusterEvacuationSchema } from './evacuations.ts'

const access = { kind: 'capability', capability: 'admin.server' } as const
const tag = 'Administration'
const path = '/admin/clusters/:clusterId/evacuation'
const params = z.object({ clusterId: knownClusterIdSchema })

export const getEvacuation = defineRoute({
  method: 'GET',
  path,
  tag,
  summary: 'Where the servers of a cluster would go if it were emptied, and how far that has come',
  access,
  params,
  responses: { 200: clusterEvacuationSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const beginEvacuation = defineRoute({
  method: 'POST',
  path,
  tag,
  summary: 'Empty a cluster: it takes no new servers, and those that are there move elsewhere, some at a time',
  access,
  stepUp: true,
  params,
  body: beginEvacuationBody,
  responses: { 201: clusterEvacuationSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_already_exists'],
})
export const changeEvacuation = defineRoute({
  method: 'PATCH',
  path,
  tag,
  summary: 'Pause the emptying of a cluster, go on with it, or end it',
  access,
  stepUp: true,
  params,
  body: changeEvacuationBody,
  responses: { 200: clusterEvacuationSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_not_found'],
})
