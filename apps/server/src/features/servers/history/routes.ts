import * as routes from '@wakestone/contract/servers/history-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { showHistory, showPlayersOfDay } from './service.ts'

export function registerHistoryRoutes(api: Api): void {
  implement(api, routes.getStatsHistory, ({ server, query }) => showHistory(api.context.db, server.id, query.span))
  implement(api, routes.listPlayersOfDay, async ({ user, params }) =>
    showPlayersOfDay(api.context, params.id, { hidden: user.userId !== params.id }),
  )
}
