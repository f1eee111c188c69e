import { getAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { queryOf } from '#app/api/query-of.ts'

export const affiliateQuery = (userId: string, days: number) =>
  queryOf(
    getAffiliate,
    { params: { id: userId }, query: { days } },
    {
      placeholderData: (before) => before,
    },
  )
