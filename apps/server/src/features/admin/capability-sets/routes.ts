import * as routes from '@wakestone/contract/admin/capability-sets-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeSet, createSet, giveSet, listHolders, listSets, listSetsOf, removeSet, takeSet } from './service.ts'

export function registerCapabilitySetRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.listCapabilitySets, async () => listSets(context))
  implement(api, routes.createCapabilitySet, async ({ user, body }) => createSet(context, user, body))
  implement(api, routes.changeCapabilitySet, async ({ user, params, body }) =>
    changeSet(context, user, { ...params, ...body }),
  )
  implement(api, routes.deleteCapabilitySet, async ({ user, params }) => removeSet(context, user, params.id))
  implement(api, routes.listCapabilitySetHolders, async ({ params }) => listHolders(context, params.id))
  implement(api, routes.giveCapabilitySet, async ({ user, params, body }) =>
    giveSet(context, user, { ...params, ...body }),
  )
  implement(api, routes.takeCapabilitySet, async ({ user, params }) => takeSet(context, user, params))
  implement(api, routes.listUserCapabilitySets, async ({ params }) => listSetsOf(context, params.id))
}
