import * as routes from '@wakestone/contract/servers/schedules-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { changeSchedule, createSchedule, deleteSchedule, listSchedules, runSchedule } from './service.ts'

export function registerScheduleRoutes(api: Api): void {
  const { context } = api
  const named = (server: { id: string }, { schedule_id }: { schedule_id: string }) => ({
    serverId: server.id,
    scheduleId: schedule_id,
  })
  implement(api, routes.listSchedules, ({ server }) => listSchedules(context, server.id))
  implement(api, routes.createSchedule, ({ server, body }) => createSchedule(context, server.id, body))
  implement(api, routes.changeSchedule, ({ server, params, body }) =>
    changeSchedule(context, named(server, params), body),
  )
  implement(api, routes.deleteSchedule, ({ server, params }) => deleteSchedule(context, named(server, params)))
  implement(api, routes.runSchedule, async ({ server, params, user }) => {
    await requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })
    return runSchedule(context, named(server, params))
  })
}
