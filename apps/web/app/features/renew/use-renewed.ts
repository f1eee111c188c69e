import { useQueryClient } from '@tanstack/react-query'
import type { Service } from '@wakestone/contract/sales/service'
import { makeStale } from '#app/api/query-of.ts'
import { aboutServer, aboutUser, aboutWallet, aboutWebsite } from '#app/api/stale-answers.ts'
import { serviceQuery } from '#app/features/servers/service-queries.ts'

/** Takes over what a change of a service answered; what else shows it is asked anew. */
export function useRenewed(): (service: Service) => Promise<void> {
  const queries = useQueryClient()
  return async (service) => {
    queries.setQueryData(serviceQuery(service.service_id).queryKey, service)
    await makeStale(queries, ...aboutServer(), ...aboutWebsite(), ...aboutUser(service.owner), ...aboutWallet())
  }
}
