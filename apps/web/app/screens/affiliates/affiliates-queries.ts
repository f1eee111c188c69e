import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { listAffiliates } from '@wakestone/contract/sales/affiliates-routes'
import { listBills } from '@wakestone/contract/sales/pay-later-routes'
import { listReferrals } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { pageOf } from '#app/features/admin/admin-queries.ts'

export const affiliatesQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOf(listAffiliates, { query: pageOf(after) }, { client, placeholderData: keepPreviousData })
export const waitingReferralsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listReferrals,
    { query: { ...pageOf(after), review: 'waiting' } },
    { client, placeholderData: keepPreviousData },
  )
export const overdueBillsQuery = (after: string | undefined, client: ApiClient = api) =>
  queryOf(listBills, { query: { ...pageOf(after), state: 'overdue' } }, { client, placeholderData: keepPreviousData })
