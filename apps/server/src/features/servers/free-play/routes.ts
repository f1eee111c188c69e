import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/servers/free-play-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

export function registerFreePlayRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getFreeAvailability, async ({ user }) =>
    service.showAvailability(context, user?.capabilities ?? {}),
  )
  implement(api, routes.joinFreeQueue, async ({ user, query }) =>
    service.joinFreeQueue(context, user.userId, query.cluster_id),
  )
  implement(api, routes.getFreePlay, async ({ user }) => service.showFreePlay(context, user.userId))
  implement(api, routes.leaveFreeQueue, async ({ user }) => service.leaveFreeQueue(context, user.userId))
  implement(api, routes.confirmFreePlace, async ({ user }) => service.confirmPlace(context, user.userId))
  implement(api, routes.takeBonusHour, async ({ user }) => service.takeBonusHour(context, user.userId))
  implement(api, routes.getFreeSession, async ({ server }) => {
    if (server.session_ends_at === null) throw new DomainError('product_not_available', { resource: 'billing_product' })
    return service.showFreePlay(context, server.owner_id)
  })
  implement(api, routes.extendFreeSession, async ({ server, user }) => {
    await requireWithinLimit(context, 'power', { serverOfUser: `${user.userId} ${server.id}` })
    return service.extendFreeSession(context, server)
  })
}
