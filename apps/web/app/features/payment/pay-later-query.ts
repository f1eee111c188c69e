import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getPayLater } from '@wakestone/contract/sales/pay-later-routes'
import { api } from '#app/api/client.ts'

export const payLaterQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'pay-later'],
    queryFn: () => client(getPayLater, { params: { id: userId } }),
  })
