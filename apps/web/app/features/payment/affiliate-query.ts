import { queryOptions } from '@tanstack/react-query'
import { getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { api } from '#app/api/client.ts'

export const affiliateQuery = (userId: string, days: number) =>
  queryOptions({
    queryKey: ['users', userId, 'affiliate', days],
    queryFn: () => api(getAffiliate, { params: { id: userId }, query: { days } }),
    placeholderData: (before) => before,
  })
