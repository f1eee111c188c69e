import type { ApiClient } from '@wakestone/contract/client'
import { getProductCost } from '@wakestone/contract/sales/billings-routes'
import type { Currency } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** What a website costs in a currency, for each period. */
export const websiteCostsQuery = (
  { currency, voucher = null }: { currency: Currency; voucher?: string | null },
  client: ApiClient = api,
) =>
  queryOf(
    getProductCost,
    { params: { id: 'BASIC_CRAFTUM' }, query: { currency, ...(voucher !== null && { vouchers: voucher }) } },
    // A wrong code counts as a guess.
    { client, retry: false },
  )
