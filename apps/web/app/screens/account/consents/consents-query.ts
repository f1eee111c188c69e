import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listConsents } from '@wakestone/contract/accounts/consents-routes'
import { api } from '#app/api/client.ts'

export const consentsQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'consents'],
    queryFn: () => client(listConsents, { params: { id: userId } }),
  })
