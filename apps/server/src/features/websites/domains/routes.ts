import * as routes from '@wakestone/contract/websites/craftums-routes'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { checkDomain, claimDomain, removeDomain, requireServed, showDomain } from './service.ts'

export function registerWebsiteDomainRoutes(api: Api): void {
  const { context } = api
  const limit = ({ userId }: { userId: string }, id: string) =>
    requireWithinLimit(context, 'addresses', { serverOfUser: `${userId} ${id}` })
  implement(api, routes.getCraftumDomain, ({ params }) => showDomain(context, params.id))
  implement(api, routes.setCraftumDomain, async ({ params, user, body }) => {
    await limit(user, params.id)
    return claimDomain(context, { websiteId: params.id, fqdn: body.fqdn })
  })
  implement(api, routes.checkCraftumDomain, async ({ params, user }) => {
    await limit(user, params.id)
    return checkDomain(context, params.id)
  })
  implement(api, routes.removeCraftumDomain, ({ params }) => removeDomain(context, params.id))
  implement(api, routes.askForCertificate, ({ query }) => requireServed(context, query.domain))
}
