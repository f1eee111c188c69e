import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { crashSchema } from './crash.ts'

export const getLastCrash = defineRoute({
  method: 'GET',
  path: '/servers/:id/crash',
  tag: 'Servers',
  summary: 'The last crash of a server: why, how it ended, and its last lines; null: it has never crashed',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  responses: { 200: z.object({ crash: crashSchema.nullable() }) },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
