import * as routes from '@wakestone/contract/ground/events-routes'
import { listServerEvents } from '@wakestone/contract/servers/servers-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { exportEvents } from './export.ts'
import { getEvent, listEvents } from './service.ts'

export function registerEventRoutes(api: Api): void {
  const { context } = api
  const { db } = context
  implement(api, listUserEvents, async ({ params, query }) => listEvents(db, params.id, query))
  implement(api, listServerEvents, async ({ server, query }) => listEvents(db, server.id, query))
  implement(api, routes.getEvent, async ({ params }) => getEvent(db, params.id))
  implement(api, routes.exportUserEvents, async ({ params, query, user, ip, reply }) => {
    await requireWithinLimit(context, 'export', { ip, userId: user.userId })
    reply.header('content-disposition', 'attachment; filename="account-events.csv"')
    return exportEvents(db, params.id, query)
  })
  implement(api, routes.exportServerEvents, async ({ server, query, user, ip, reply }) => {
    await requireWithinLimit(context, 'export', { ip, userId: user.userId })
    reply.header('content-disposition', 'attachment; filename="server-events.csv"')
    return exportEvents(db, server.id, query)
  })
}
