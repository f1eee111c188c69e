import * as routes from '@wakestone/contract/servers/addresses-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { addSecondary, checkAddress, claimDomain, listAddresses, releaseAddress, setPrimary } from './service.ts'

export function registerAddressRoutes(api: Api): void {
  const { context } = api
  const asked = async (server: Parameters<typeof setPrimary>[1]['server'], { userId }: { userId: string }) => {
    await requireWithinLimit(context, 'addresses', { serverOfUser: `${userId} ${server.id}` })
    return { server, userId }
  }
  implement(api, routes.listAddresses, ({ server }) => listAddresses(context, server))
  implement(api, routes.setPrimaryDomain, async ({ server, user, body }) =>
    setPrimary(context, await asked(server, user), body),
  )
  implement(api, routes.addSecondaryDomain, async ({ server, user, body }) =>
    addSecondary(context, await asked(server, user), body),
  )
  implement(api, routes.addOwnDomain, async ({ server, user, body }) =>
    claimDomain(context, await asked(server, user), body.fqdn),
  )
  implement(api, routes.checkAddress, async ({ server, user, params }) => {
    await asked(server, user)
    return checkAddress(context, server, params.domain_id)
  })
  implement(api, routes.releaseDomain, ({ server, user, params }) =>
    releaseAddress(context, { server, userId: user.userId }, params.domain_id),
  )
}
