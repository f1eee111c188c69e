import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { operationSchema } from './operations.ts'

const tag = 'Processes'
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const one = z.object({ id: idSchema, process_id: idSchema })
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const listProcesses = defineRoute({
  method: 'GET',
  path: '/servers/:id/processes',
  tag,
  summary: 'List a server’s long-running operations (processes): those under way first, then the most recent',
  access: read,
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  responses: { 200: z.array(operationSchema) },
  errors: hidden,
})
export const getProcess = defineRoute({
  method: 'GET',
  path: '/servers/:id/processes/:process_id',
  tag,
  summary: 'Get a process: its phase, progress and outcome',
  access: read,
  keyScope: 'access',
  params: one,
  responses: { 200: operationSchema },
  errors: [...hidden, 'process_not_found'],
})
export const cancelProcess = defineRoute({
  method: 'POST',
  path: '/servers/:id/processes/:process_id/cancel',
  tag,
  summary: 'Cancel a process and undo what it has done',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 200: operationSchema },
  errors: [...hidden, 'process_not_found', 'process_cant_be_cancelled'],
})
