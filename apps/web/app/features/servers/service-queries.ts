/** What a server's service costs and how it is renewed. */
import { queryOptions } from '@tanstack/react-query'
import type { Currency } from '@wakestone/contract/primitives'
import { getService, getServiceCost } from '@wakestone/contract/routes/billings'
import type { Service } from '@wakestone/contract/service'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'

export const serviceQuery = (id: string, client: ApiClient = api) =>
  queryOptions({ queryKey: ['services', id], queryFn: () => client(getService, { params: { id } }) })

export const renewalCostsQuery = (id: string, currency: Currency, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['services', id, 'cost', currency],
    queryFn: () => client(getServiceCost, { params: { id }, query: { currency } }),
  })

/** The currency in which a service was paid last. */
export const currencyOf = (service: Service) => service.gross_cost.currency as Currency
