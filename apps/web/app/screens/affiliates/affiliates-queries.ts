import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listAffiliates } from '@wakestone/contract/sales/affiliates-routes'
import { listBills } from '@wakestone/contract/sales/pay-later-routes'
import { listReferrals } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'
import { pageOf } from '#app/features/admin/admin-queries.ts'

export const affiliatesQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'affiliates', after ?? null],
    queryFn: () => client(listAffiliates, { query: pageOf(after) }),
    placeholderData: keepPreviousData,
  })
export const waitingReferralsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'referrals', 'waiting', after ?? null],
    queryFn: () => client(listReferrals, { query: { ...pageOf(after), review: 'waiting' } }),
    placeholderData: keepPreviousData,
  })
export const overdueBillsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['admin', 'bills', 'overdue', after ?? null],
    queryFn: () => client(listBills, { query: { ...pageOf(after), state: 'overdue' } }),
    placeholderData: keepPreviousData,
  })
