import type { ApiClient } from '@wakestone/contract/client'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const referralsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(getReferrals, { params: { id: userId } }, { client })
