import { useQueryClient } from '@tanstack/react-query'
import { useServerPage } from '../use-server-page.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutServer, aboutService, aboutUser, aboutWallet, aboutWithdrawal } from '#app/api/stale-answers.ts'

/** After a change of the plan: whatever shows the service, its server or the wallets asks anew. */
export function useServiceChanged(): () => Promise<void> {
  const queries = useQueryClient()
  const { server } = useServerPage()
  return async () => {
    await makeStale(
      queries,
      ...aboutService(server.service_id),
      aboutWithdrawal(server.service_id),
      ...aboutServer(server.id),
      ...aboutUser(server.owner_id),
      ...aboutWallet(),
    )
  }
}
