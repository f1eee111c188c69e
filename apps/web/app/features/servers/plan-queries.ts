/** Plans that a server could have, what was added to it, and what was paid for it. */
import {
  getServiceUpgrade,
  listServiceAddOns,
  listServiceTransactions,
} from '@wakestone/contract/sales/billings-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const upgradeQuery = (id: string, client: ApiClient = api) =>
  queryOf(
    getServiceUpgrade,
    { params: { id } },
    {
      client,
      // Prices are those of the hours left: they get less by the minute.
      staleTime: 30_000,
    },
  )

export const addOnsQuery = (id: string, client: ApiClient = api) =>
  queryOf(listServiceAddOns, { params: { id } }, { client, staleTime: 30_000 })

export const serviceTransactionsQuery = (id: string, client: ApiClient = api) =>
  queryOf(listServiceTransactions, { params: { id }, query: { limit: 20 } }, { client })
