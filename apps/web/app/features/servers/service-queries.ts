/** What a server's service costs and how it is renewed. */
import { queryOptions } from '@tanstack/react-query'
import type { Currency } from '@wakestone/contract/primitives'
import { getService, getServiceCost } from '@wakestone/contract/sales/billings-routes'
import type { Service } from '@wakestone/contract/sales/service'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'

export const serviceQuery = (id: string, client: ApiClient = api) =>
  queryOptions({ queryKey: ['services', id], queryFn: () => client(getService, { params: { id } }) })

export const renewalCostsQuery = (
  id: string,
  { currency, voucher = null }: { currency: Currency; voucher?: string | null },
  client: ApiClient = api,
) =>
  queryOptions({
    queryKey: ['services', id, 'cost', currency, voucher],
    queryFn: () =>
      client(getServiceCost, { params: { id }, query: { currency, ...(voucher !== null && { vouchers: voucher }) } }),
    // A wrong code counts as a guess.
    retry: voucher === null,
  })

/** The currency in which a service was paid last. */
export const currencyOf = (service: Service) => service.gross_cost.currency as Currency
