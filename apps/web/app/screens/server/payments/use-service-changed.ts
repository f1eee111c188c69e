import { useQueryClient } from '@tanstack/react-query'
import { useServerPage } from '../use-server-page.ts'

/** After a change of the plan: whatever shows the service, its server or the wallets asks anew. */
export function useServiceChanged(): () => Promise<void> {
  const queries = useQueryClient()
  const { server } = useServerPage()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['services', server.service_id] }),
      queries.invalidateQueries({ queryKey: ['servers', server.id] }),
      queries.invalidateQueries({ queryKey: ['users', server.owner_id] }),
      queries.invalidateQueries({ queryKey: ['wallets'] }),
    ])
  }
}
