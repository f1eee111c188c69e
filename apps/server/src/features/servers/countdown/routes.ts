import * as routes from '@wakestone/contract/servers/servers-routes'
import { describeStatus, requireFewWishes } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { cancelCountdown, endGame } from './service.ts'

export function registerCountdownRoutes(api: Api): void {
  const { context } = api

  implement(api, routes.stopServer, async ({ server, user: { userId }, query: { timeout, in_seconds: seconds } }) => {
    await requireFewWishes(context, { userId, serverId: server.id }, { toEnd: true })
    return describeStatus(await endGame(context, server.id, 'stop', { userId, timeout, seconds }))
  })
  implement(
    api,
    routes.restartServer,
    async ({ server, user: { userId }, query: { timeout, in_seconds: seconds } }) => {
      await requireFewWishes(context, { userId, serverId: server.id })
      return describeStatus(await endGame(context, server.id, 'restart', { userId, timeout, seconds }))
    },
  )
  implement(api, routes.cancelCountdown, ({ server, user }) => cancelCountdown(context, server.id, user.userId))
}
