import type { ApiClient } from '@wakestone/contract/client'
import { listInvoices, listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { api } from '#app/api/client.ts'
import { keepWhile, queryOf } from '#app/api/query-of.ts'
import { pageSize } from '#app/api/queries.ts'

export const invoicesQuery = (userId: string, after: string | undefined, client: ApiClient = api) =>
  queryOf(
    listUserInvoices,
    {
      params: { id: userId },
      query: { limit: pageSize + 1, ...(after === undefined ? {} : { after }) },
    },
    { client, placeholderData: keepWhile({ id: userId }) },
  )

/** What the address says of the list of everybody's documents; anything else is left out. */
export function readInvoiceFilter(search: URLSearchParams) {
  const day = (name: string) => {
    const value = search.get(name) ?? ''
    return /^\d{4}-\d{2}-\d{2}$/.test(value) ? { [name]: value } : {}
  }
  const kind = (['invoice', 'receipt', 'credit_note'] as const).find((known) => known === search.get('kind'))
  return {
    ...day('from'),
    ...day('to'),
    ...(kind === undefined ? {} : { kind }),
    ...(search.get('attention') === '1' ? { attention: '1' as const } : {}),
  }
}

export const allInvoicesQuery = (
  filter: ReturnType<typeof readInvoiceFilter>,
  after: string | undefined,
  client: ApiClient = api,
) =>
  queryOf(
    listInvoices,
    { query: { limit: pageSize + 1, ...filter, ...(after === undefined ? {} : { after }) } },
    { client, placeholderData: (page) => page },
  )
