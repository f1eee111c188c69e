import * as routes from '@wakestone/contract/accounts/first-steps-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { closeFirstSteps, showFirstSteps } from './service.ts'

export function registerFirstStepsRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getFirstSteps, ({ user }) => showFirstSteps(context, user.userId))
  implement(api, routes.closeFirstSteps, ({ user, query }) => closeFirstSteps(context, user.userId, query.server_id))
}
