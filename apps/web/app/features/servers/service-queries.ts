/** What a server's service costs and how it is renewed. */
import type { Currency } from '@wakestone/contract/primitives'
import { getService, getServiceCost } from '@wakestone/contract/sales/billings-routes'
import type { Service } from '@wakestone/contract/sales/service'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const serviceQuery = (id: string, client: ApiClient = api) => queryOf(getService, { params: { id } }, { client })

export const renewalCostsQuery = (
  id: string,
  { currency, voucher = null }: { currency: Currency; voucher?: string | null },
  client: ApiClient = api,
) =>
  queryOf(
    getServiceCost,
    { params: { id }, query: { currency, ...(voucher !== null && { vouchers: voucher }) } },
    {
      client,
      // A wrong code counts as a guess.
      retry: voucher === null,
    },
  )

/** The currency in which a service was paid last. */
export const currencyOf = (service: Service) => service.gross_cost.currency as Currency
