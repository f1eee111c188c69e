import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'

export const referralsQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'referrals'],
    queryFn: () => client(getReferrals, { params: { id: userId } }),
  })
