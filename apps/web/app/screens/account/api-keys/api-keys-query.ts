import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listApiKeys } from '@wakestone/contract/accounts/api-keys-routes'
import { api } from '#app/api/client.ts'

export const apiKeysQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'api-keys'],
    queryFn: () => client(listApiKeys, { params: { id: userId } }),
  })
