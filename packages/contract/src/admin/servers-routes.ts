import { z } from 'zod'
import { pagingQuery } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { serverSchema } from '../servers/server.ts'
import { adminServerParams, adminServerSchema, changeAdminServerBody, listAdminServersQuery } from './servers.ts'

const access = { kind: 'capability', capability: 'admin.server' } as const
const tag = 'Administration'

export const listAdminServers = defineRoute({
  method: 'GET',
  path: '/admin/servers',
  tag,
  summary: 'All servers, those that came last first; of one cluster, or with one of the administrators’ switches on',
  access,
  query: z.object(pagingQuery).extend(listAdminServersQuery.shape),
  responses: { 200: z.object({ data: z.array(serverSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getAdminServer = defineRoute({
  method: 'GET',
  path: '/admin/servers/:serverId',
  tag,
  summary: 'One server: where it is placed, why it stands still, its limits and what was set of them',
  access,
  params: adminServerParams,
  responses: { 200: adminServerSchema },
  errors: ['insufficient_capabilities', 'server_id_not_found'],
})
export const changeAdminServer = defineRoute({
  method: 'PATCH',
  path: '/admin/servers/:serverId',
  tag,
  summary: 'Disable a server, hide it from lists, mark it as testing or sponsored; its owner finds it among its events',
  access,
  params: adminServerParams,
  body: changeAdminServerBody,
  responses: { 200: adminServerSchema },
  errors: ['insufficient_capabilities', 'server_id_not_found'],
})
