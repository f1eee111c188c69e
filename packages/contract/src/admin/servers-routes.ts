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
  summary:
    'List all servers, newest first. Can be limited to one cluster, to servers with a given administrative flag, or to those that a text names.',
  access,
  query: z.object(pagingQuery).extend(listAdminServersQuery.shape),
  responses: { 200: z.object({ data: z.array(serverSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getAdminServer = defineRoute({
  method: 'GET',
  path: '/admin/servers/:serverId',
  tag,
  summary: 'Get a server with its placement, its limits, and the reasons why it is held down',
  access,
  params: adminServerParams,
  responses: { 200: adminServerSchema },
  errors: ['insufficient_capabilities', 'server_id_not_found'],
})
export const changeAdminServer = defineRoute({
  method: 'PATCH',
  path: '/admin/servers/:serverId',
  tag,
  summary:
    'Disable a server, hide it from lists, or mark it as testing or sponsored. The owner sees the change in the server’s events.',
  access,
  params: adminServerParams,
  body: changeAdminServerBody,
  responses: { 200: adminServerSchema },
  errors: ['insufficient_capabilities', 'server_id_not_found'],
})
