import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { crashSchema } from './crash.ts'

export const getLastCrash = defineRoute({
  method: 'GET',
  path: '/servers/:id/crash',
  tag: 'Servers',
  summary: 'Get a server’s last crash: its cause, how it ended, and its last lines of output. Null if there was none.',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  responses: { 200: z.object({ crash: crashSchema.nullable() }) },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
