import { DomainError } from '@wakestone/contract/errors'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import { Answer, type Api, implement } from '#src/http/implement.ts'
import { findHolder } from './service.ts'

export function registerDomainRoutes(api: Api): void {
  implement(api, checkDomain, async ({ body, query }) => {
    const holder = await findHolder(api.context, {
      subdomain: body.subdomain.toLowerCase(),
      zoneName: body.zone_name.toLowerCase(),
    })
    if (query.full === '1') return holder === undefined ? new Answer(204, undefined) : { server_id: holder }
    if (holder === undefined) throw new DomainError('resource_not_found', { resource: 'domain' })
    return { server_id: null } // whose it is concerns nobody who only looks for a free one
  })
}
