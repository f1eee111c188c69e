import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'

/** One per panel. `onSignedOut` is called when the session has ended and could not be renewed. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (error instanceof ApiError && error.status === 401) onSignedOut()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        // The API has answered: asking again at once changes nothing. A lost connection deserves two more tries.
        retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
      },
      // Offline, an action fails at once and says so: nothing should run later by itself when the connection is back.
      mutations: { networkMode: 'always' },
    },
  })
}
