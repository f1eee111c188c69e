import { randomUUID } from 'node:crypto'
import * as routes from '@wakestone/contract/routes/billings'
import { type Api, implement } from '#src/http/implement.ts'
import { quoteRenewal, renewFreeService, renewService, setAutoRenew, showService } from './service.ts'

export function registerRenewalRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getService, ({ params }) => showService(context, params.id))
  implement(api, routes.getServiceCost, ({ params, query }) => quoteRenewal(context.db, params.id, query.currency))
  implement(api, routes.renewService, async ({ params, body, user, idempotencyKey }) => {
    const key = idempotencyKey === undefined ? randomUUID() : `key:${idempotencyKey}`
    await renewService(context, { serviceId: params.id, executorId: user.userId, body, key, now: new Date() })
    return showService(context, params.id)
  })
  implement(api, routes.renewFreeService, async ({ params, user }) => {
    await renewFreeService(context, { serviceId: params.id, executorId: user.userId, now: new Date() })
    return showService(context, params.id)
  })
  implement(api, routes.changeService, async ({ params, body }) => {
    await setAutoRenew(context, params.id, body.auto_renew)
    return showService(context, params.id)
  })
}
