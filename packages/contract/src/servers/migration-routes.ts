import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  migrateBody,
  migrationBegunSchema,
  migrationSchema,
  rescueBegunSchema,
  rescueBody,
  rescueSchema,
} from './migration.ts'
import { allBusyCodes } from './operations.ts'

const tag = 'Servers'
const params = z.object({ id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
/** Those who only help with a server do not decide where it is. */
const own = { kind: 'server', param: 'id', capability: 'server' } as const
const adminParams = z.object({ serverId: idSchema })
/** Whoever has lost a machine brings back what was on it. */
const byAdmins = { kind: 'capability', capability: 'admin.server' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const getMigration = defineRoute({
  method: 'GET',
  path: '/servers/:id/migration',
  tag,
  summary: 'Get the clusters that a server can move to, the expected downtime, and how the last move went',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: migrationSchema },
  errors: hidden,
})
export const migrateServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/migrate',
  tag,
  summary:
    'Move a server to another cluster. Its address stays the same. The move is undone if the server does not start there.',
  access: own,
  keyScope: 'access',
  params,
  body: migrateBody,
  responses: { 202: migrationBegunSchema },
  errors: [
    ...hidden,
    'cluster_not_found',
    'server_cannot_migrate',
    'server_is_preparing',
    'server_has_no_files',
    'too_many_requests',
    ...allBusyCodes,
  ],
})
export const declineMigration = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/migration',
  tag,
  summary: 'Decline a move that an administrator has asked for, or withdraw that request',
  access: own,
  keyScope: 'access',
  params,
  responses: { 200: migrationSchema },
  errors: hidden,
})
export const getRescue = defineRoute({
  method: 'GET',
  path: '/admin/servers/:serverId/rescue',
  tag: 'Administration',
  summary: 'Check whether the machine of a server is lost, and get the backups and clusters to restore it from and to',
  access: byAdmins,
  params: adminParams,
  responses: { 200: rescueSchema },
  errors: hidden,
})
export const rescueServer = defineRoute({
  method: 'POST',
  path: '/admin/servers/:serverId/rescue',
  tag: 'Administration',
  summary:
    'Restore a server whose machine is lost on another cluster, from a backup. Anything built after the backup is not there.',
  access: byAdmins,
  params: adminParams,
  body: rescueBody,
  responses: { 202: rescueBegunSchema },
  errors: [
    ...hidden,
    'cluster_not_found',
    'no_server_backup_found',
    'server_cannot_migrate',
    'server_is_preparing',
    'server_has_no_files',
    'too_many_requests',
    ...allBusyCodes,
  ],
})
