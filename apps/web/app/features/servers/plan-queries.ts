/** Plans that a server could have, what was added to it, and what was paid for it. */
import { queryOptions } from '@tanstack/react-query'
import {
  getServiceUpgrade,
  listServiceAddOns,
  listServiceTransactions,
} from '@wakestone/contract/sales/billings-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'

export const upgradeQuery = (id: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['services', id, 'upgrade'],
    queryFn: () => client(getServiceUpgrade, { params: { id } }),
    // Prices are those of the hours left: they get less by the minute.
    staleTime: 30_000,
  })

export const addOnsQuery = (id: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['services', id, 'add'],
    queryFn: () => client(listServiceAddOns, { params: { id } }),
    staleTime: 30_000,
  })

export const serviceTransactionsQuery = (id: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['services', id, 'transactions'],
    queryFn: () => client(listServiceTransactions, { params: { id }, query: { limit: 20 } }),
  })
