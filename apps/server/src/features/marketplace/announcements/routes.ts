import { releaseFeed } from '@wakestone/contract/marketplace/feed-transport'
import * as routes from '@wakestone/contract/marketplace/webhooks-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import * as service from './service.ts'

export function registerAnnouncementRoutes(api: Api): void {
  const { context } = api
  const limit = (user: { userId: string }) => requireWithinLimit(context, 'projects', { userId: user.userId })

  implement(api, routes.listWebhooks, ({ user, params }) => service.listWebhooks(context, user, params.slug))
  implement(api, routes.createWebhook, async ({ user, params, body }) => {
    await limit(user)
    return service.createWebhook(context, user, { key: params.slug, url: body.url })
  })
  implement(api, routes.deleteWebhook, ({ user, params }) =>
    service.deleteWebhook(context, user, { key: params.slug, id: params.webhookId }),
  )
  implement(api, routes.pingWebhook, async ({ user, params }) => {
    await limit(user)
    return service.pingWebhook(context, user, { key: params.slug, id: params.webhookId })
  })

  implementTransport(api, releaseFeed, async ({ params, reply }) =>
    reply
      .headers({
        'content-type': 'application/atom+xml; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
      })
      .send(await service.readFeed(context, params.slug)),
  )
}
