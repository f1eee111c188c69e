import type { ApiClient } from '@wakestone/contract/client'
import { listInvoices, listUserInvoices } from '@wakestone/contract/invoicing/invoices-routes'
import { api } from '#app/api/client.ts'
import { keepWhile, queryOf } from '#app/api/query-of.ts'
import { pageSize } from '#app/api/queries.ts'

/** @param of.transaction the payment whose documents are meant; all without one */
export const invoicesQuery = (
  of: { userId: string; transaction: string | undefined },
  after: string | undefined,
  client: ApiClient = api,
) =>
  queryOf(
    listUserInvoices,
    {
      params: { id: of.userId },
      query: {
        limit: pageSize + 1,
        ...(of.transaction === undefined ? {} : { transaction_id: of.transaction }),
        ...(after === undefined ? {} : { after }),
      },
    },
    { client, placeholderData: keepWhile({ id: of.userId }) },
  )

/** The payment that an address names; anything else is left out. */
export const readTransaction = (search: URLSearchParams): string | undefined =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(search.get('transaction') ?? '')?.[0]

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
