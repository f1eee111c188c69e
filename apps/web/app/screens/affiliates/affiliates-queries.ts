import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listAffiliates } from '@wakestone/contract/routes/affiliates'
import { listBills } from '@wakestone/contract/routes/pay-later'
import { listReferrals } from '@wakestone/contract/routes/referrals'
import { api } from '#app/api/client.ts'

const query = { limit: 100 }

export const affiliatesQuery = (client: ApiClient = api) =>
  queryOptions({ queryKey: ['admin', 'affiliates'], queryFn: () => client(listAffiliates, { query }) })
export const waitingReferralsQuery = (client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'referrals', 'waiting'],
    queryFn: () => client(listReferrals, { query: { ...query, review: 'waiting' } }),
  })
export const overdueBillsQuery = (client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'bills', 'overdue'],
    queryFn: () => client(listBills, { query: { ...query, state: 'overdue' } }),
  })
