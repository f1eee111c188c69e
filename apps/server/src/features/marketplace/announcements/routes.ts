import {
  authorRss,
  manifestJsonSchema as schemaTransport,
  releaseFeed,
  releaseRss,
} from '@wakestone/contract/marketplace/feed-transport'
import { manifestJsonSchema } from '@wakestone/contract/marketplace/manifest'
import * as routes from '@wakestone/contract/marketplace/webhooks-routes'
import { publicUrl } from '@wakestone/kit/settings'
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

  const feed = (type: string) => ({
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  })
  implementTransport(api, releaseFeed, async ({ params, reply }) =>
    reply.headers(feed(releaseFeed.type)).send(await service.readFeed(context, params.slug)),
  )
  implementTransport(api, releaseRss, async ({ params, reply }) =>
    reply.headers(feed(releaseRss.type)).send(await service.readRss(context, params.slug)),
  )
  implementTransport(api, authorRss, async ({ params, reply }) =>
    reply.headers(feed(authorRss.type)).send(await service.readAuthorRss(context, params.userId)),
  )

  implementTransport(api, schemaTransport, async ({ reply }) =>
    reply
      // Editors in browsers fetch it from elsewhere.
      .headers({ ...feed(schemaTransport.type), 'access-control-allow-origin': '*' })
      .send(JSON.stringify(manifestJsonSchema(`${publicUrl(context.settings)}${schemaTransport.path}`))),
  )
}
