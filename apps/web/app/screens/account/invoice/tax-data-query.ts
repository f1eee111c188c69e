import type { ApiClient } from '@wakestone/contract/client'
import { getTaxData } from '@wakestone/contract/money/tax-data-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** Asked again while the EU's register has not answered. */
export const taxDataQuery = (userId: string, client: ApiClient = api) =>
  queryOf(
    getTaxData,
    { params: { id: userId } },
    { client, refetchInterval: ({ state }) => (state.data?.tax_id_check?.state === 'pending' ? 2000 : false) },
  )
