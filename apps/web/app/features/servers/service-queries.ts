/** What a server's service costs and how it is renewed. */
import { queryOptions } from '@tanstack/react-query'
import type { Currency } from '@wakestone/contract/primitives'
import { getService, getServiceCost } from '@wakestone/contract/routes/billings'
import { api } from '#app/api/client.ts'

export const serviceQuery = (id: string) =>
  queryOptions({ queryKey: ['services', id], queryFn: () => api(getService, { params: { id } }) })

export const renewalCostsQuery = (id: string, currency: Currency | undefined) =>
  queryOptions({
    queryKey: ['services', id, 'cost', currency],
    queryFn: () => api(getServiceCost, { params: { id }, query: { currency } }),
    enabled: currency !== undefined,
  })
