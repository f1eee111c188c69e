import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/ground/webhooks-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import * as service from './service.ts'

/** An administrator neither reads the secrets of others nor has themselves told of what others do by these. */
export function registerWebhookRoutes(api: Api): void {
  const { context } = api
  type Asked = { params: { id: string; webhookId: string }; user: { userId: string } }
  const requireOwn = ({ params, user }: { params: { id: string }; user: { userId: string } }) => {
    if (params.id !== user.userId) throw new DomainError('access_denied')
  }
  const whichOf = (asked: Asked) => {
    requireOwn(asked)
    return { userId: asked.params.id, webhookId: asked.params.webhookId }
  }
  const limit = (userId: string) => requireWithinLimit(context, 'webhooks', { userId })

  implement(api, routes.listEventWebhooks, async (asked) => {
    requireOwn(asked)
    return service.listWebhooks(context, asked.params.id)
  })
  implement(api, routes.createEventWebhook, async (asked) => {
    requireOwn(asked)
    await limit(asked.user.userId)
    return service.createWebhook(context, asked.user, asked.body)
  })
  implement(api, routes.changeEventWebhook, async (asked) => service.changeWebhook(context, whichOf(asked), asked.body))
  implement(api, routes.renewWebhookSecret, async (asked) => service.renewSecret(context, whichOf(asked)))
  implement(api, routes.deleteEventWebhook, async (asked) => service.deleteWebhook(context, whichOf(asked)))
  implement(api, routes.pingEventWebhook, async (asked) => {
    const which = whichOf(asked)
    await limit(which.userId)
    await service.pingWebhook(context, which)
  })
  implement(api, routes.listWebhookDeliveries, async (asked) =>
    service.listDeliveries(context, whichOf(asked), asked.query),
  )
  implement(api, routes.replayDelivery, async (asked) => {
    const which = whichOf(asked)
    await limit(which.userId)
    await service.replayDelivery(context, { ...which, deliveryId: asked.params.deliveryId })
  })
  implement(api, routes.replayFailedDeliveries, async (asked) => {
    const which = whichOf(asked)
    await limit(which.userId)
    return { count: await service.replayFailed(context, which, new Date(asked.body.since)) }
  })
}
