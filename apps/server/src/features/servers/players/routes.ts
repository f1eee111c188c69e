import * as routes from '@wakestone/contract/servers/players-routes'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

export function registerPlayerRoutes(api: Api): void {
  const { context } = api
  const by = <Server>({ server, user }: { server: Server; user: { userId: string } }) => ({
    server,
    userId: user.userId,
  })
  implement(api, routes.getPlayers, ({ server, user }) => service.showPlayers(context, server, user))
  implement(api, routes.getPlayerHistory, ({ server, query }) => service.showHistory(context.db, server.id, query))
  implement(api, routes.getPlayer, ({ server, params }) => service.showPlayer(context, server, params.player_id))
  implement(api, routes.changePlayer, (call) =>
    service.changePlayer(context, by(call), call.params.player_id, call.body),
  )
  implement(api, routes.changePlayerList, (call) => service.changeList(context, by(call), call.body))
  implement(api, routes.changeOperators, (call) => service.changeOperators(context, by(call), call.body))
  implement(api, routes.actOnPlayer, (call) => service.actOnPlayer(context, by(call), call.body))
  implement(api, routes.forgetPlayer, (call) => service.forgetPlayer(context, by(call), call.body))
}
