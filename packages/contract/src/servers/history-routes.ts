import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { hoursOfPlayers, historySpans, statsHistorySchema } from './history.ts'

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
/** Added: what a list of servers needs of their past. */
export const listPlayersOfDay = defineRoute({
  method: 'GET',
  path: '/users/:id/servers/players',
  tag: 'Servers',
  summary: 'For each server that the user owns or has access to, the most players in each of the last 24 hours',
  access: { kind: 'self', param: 'id' },
  keyScope: 'server.manage.read',
  params: z.object({ id: idSchema }),
  responses: {
    200: z.array(
      z.object({
        server_id: idSchema,
        /** Oldest first, the last one has begun; null: the game was not up. */
        players: z.array(z.number().nullable()).length(hoursOfPlayers),
      }),
    ),
  },
  errors: ['user_not_found'],
})
