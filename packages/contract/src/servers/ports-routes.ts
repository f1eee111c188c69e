import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { clusterPortSchema, portLimitsSchema, portNameSchema } from './ports.ts'

const tag = 'Ports'
const params = z.object({ id: idSchema })
const access = { kind: 'server', param: 'id', capability: 'server.manage.ports' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const getPortLimits = defineRoute({
  method: 'GET',
  path: '/servers/:id/ports/limits',
  tag,
  summary: 'Get how many ports a server may have, and when it can get another',
  access,
  keyScope: 'access',
  params,
  responses: { 200: portLimitsSchema },
  errors: hidden,
})
export const acquirePort = defineRoute({
  method: 'POST',
  path: '/servers/:id/ports/acquire',
  tag,
  summary: 'Acquire a port for TCP and UDP. With `instead_of`, it replaces the port given there.',
  access,
  keyScope: 'access',
  params,
  body: z.object({ name: portNameSchema, instead_of: z.int().min(1).max(65_535).optional() }),
  responses: { 200: clusterPortSchema },
  errors: [
    ...hidden,
    'too_many_ports',
    'too_many_requests',
    'resource_not_found',
    'resource_already_exists',
    'cluster_does_not_support_module',
    'service_unavailable',
  ],
})
export const releasePort = defineRoute({
  method: 'POST',
  path: '/servers/:id/ports/release',
  tag,
  summary: 'Release a port. Connections through it are closed.',
  access,
  keyScope: 'access',
  params,
  body: z.object({ port: z.int().min(1).max(65_535) }),
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
