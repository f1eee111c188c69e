import * as routes from '@wakestone/contract/admin/evacuations-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { beginEvacuation, changeEvacuation, showEvacuation } from './service.ts'

export function registerEvacuationRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getEvacuation, ({ params }) => showEvacuation(context, params.clusterId))
  implement(api, routes.beginEvacuation, ({ user, params, body }) =>
    beginEvacuation(context, { clusterId: params.clusterId, userId: user.userId }, body),
  )
  implement(api, routes.changeEvacuation, ({ user, params, body }) =>
    changeEvacuation(context, { clusterId: params.clusterId, userId: user.userId }, body),
  )
}
