import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { historySpans, statsHistorySchema } from './history.ts'

export const getStatsHistory = defineRoute({
  method: 'GET',
  path: '/servers/:id/stats/history',
  tag: 'Servers',
  summary: 'Get a server’s resource usage and sleep over the last hour, day, week, month or year',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params: z.object({ id: idSchema }),
  query: z.object({ span: z.enum(historySpans).default('day') }),
  responses: { 200: statsHistorySchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
