/** One audit event, and whole lists of them as CSV; the lists themselves are with users and servers. */
import { z } from 'zod'
import { auditEventSchema, eventExportQuery } from './event.ts'
import { idSchema } from '../primitives.ts'
import { csvFile, defineRoute } from '../route.ts'

const params = z.object({ id: idSchema })
const tag = 'Events'
const csv = {
  ...csvFile,
  params,
  query: eventExportQuery,
  tag,
} as const

export const getEvent = defineRoute({
  method: 'GET',
  path: '/event_logs/:id',
  tag,
  summary: 'Get an audit event with all its details',
  access: { kind: 'event', param: 'id' },
  params,
  responses: { 200: auditEventSchema },
  errors: ['resource_not_found'],
})
export const exportUserEvents = defineRoute({
  ...csv,
  method: 'GET',
  path: '/users/:id/events.csv',
  summary: 'Export the user’s audit events as CSV, newest first',
  access: { kind: 'self', param: 'id' },
  errors: ['user_not_found'],
})
export const exportServerEvents = defineRoute({
  ...csv,
  method: 'GET',
  path: '/servers/:id/events.csv',
  summary: 'Export a server’s audit events as CSV, newest first',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
