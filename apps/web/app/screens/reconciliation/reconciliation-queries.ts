import { keepPreviousData } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { reconciliationStates } from '@wakestone/contract/money/reconciliation'
import { getReconciliation, listReconciliations } from '@wakestone/contract/money/reconciliations-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { readPage } from '#app/ui/table-address.ts'

export const pageSize = 25

/** The filters of the address; what means nothing is left out. */
export function readFilters(search: URLSearchParams) {
  const state = reconciliationStates.find((known) => known === search.get('state'))
  const gateway = search.get('gateway')?.slice(0, 20) || undefined
  return {
    offset: (readPage(search) - 1) * pageSize,
    limit: pageSize,
    ...(state === undefined ? {} : { state }),
    ...(gateway === undefined ? {} : { gateway }),
  }
}

export const reconciliationsQuery = (filters: ReturnType<typeof readFilters>, client: ApiClient = api) =>
  queryOf(listReconciliations, { query: filters }, { client, placeholderData: keepPreviousData })

export const reconciliationQuery = (id: string, client: ApiClient = api) =>
  queryOf(getReconciliation, { params: { id } }, { client })
