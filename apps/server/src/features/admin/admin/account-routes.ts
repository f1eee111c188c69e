import * as routes from '@wakestone/contract/admin/admin-routes'
import { endView } from '#src/features/accounts/sign-in/service.ts'
import { clearViewAsCookie, setViewAsCookie } from '#src/http/cookies.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { showAdminUser } from './accounts.ts'
import { changeCapabilities } from './capability-changes.ts'
import { suspendUser, unsuspendUser } from './suspension.ts'
import { beginView } from './view-as.ts'

/** What administrators do to accounts. */
export function registerAccountAdminRoutes(api: Api): void {
  const { context, principals } = api

  implement(api, routes.getAdminUser, ({ params }) => showAdminUser(context, params.id))
  implement(api, routes.suspendUser, async ({ user, params, body }) => {
    await suspendUser(context, user, params.id, body.reason)
    return showAdminUser(context, params.id)
  })
  implement(api, routes.unsuspendUser, async ({ user, params }) => {
    await unsuspendUser(context, user, params.id)
    return showAdminUser(context, params.id)
  })
  implement(api, routes.changeUserCapabilities, ({ user, params, body }) =>
    changeCapabilities(context, user, { userId: params.id, ...body }),
  )
  implement(api, routes.beginViewAs, async ({ user, params, ip, request, reply }) => {
    const view = await beginView(context, user, { userId: params.id, ip, userAgent: request.headers['user-agent'] })
    await setViewAsCookie(reply, { settings: context.settings, principals }, view)
  })
  implement(api, routes.endViewAs, async ({ user, reply }) => {
    if (user !== undefined) await endView(context, user)
    clearViewAsCookie(reply, context.settings)
  })
}
