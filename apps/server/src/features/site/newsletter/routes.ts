import * as routes from '@wakestone/contract/site/newsletter-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { confirmSubscription, setUserNewsletter, subscribe, unsubscribe } from './service.ts'

export function registerNewsletterRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.subscribe, async ({ body, ip }) => subscribe(context, body, ip))
  implement(api, routes.confirmSubscription, async ({ body, ip }) => confirmSubscription(context, body.code, ip))
  implement(api, routes.unsubscribe, async ({ body, ip }) => unsubscribe(context, body.code, ip))
  implement(api, routes.setUserNewsletter, async ({ params, body, user, ip }) =>
    setUserNewsletter(context, { userId: params.id, wanted: body.newsletter, callerId: user.userId, ip }),
  )
}
