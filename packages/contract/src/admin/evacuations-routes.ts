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
  summary: 'Get where a cluster’s servers would move if it were evacuated, and the progress of an evacuation under way',
  access,
  params,
  responses: { 200: clusterEvacuationSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found'],
})
export const beginEvacuation = defineRoute({
  method: 'POST',
  path,
  tag,
  summary: 'Evacuate a cluster. It takes no new servers, and its servers move elsewhere a few at a time.',
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
  summary: 'Pause, resume or end the evacuation of a cluster',
  access,
  stepUp: true,
  params,
  body: changeEvacuationBody,
  responses: { 200: clusterEvacuationSchema },
  errors: ['insufficient_capabilities', 'cluster_not_found', 'resource_not_found'],
})
