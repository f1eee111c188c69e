import type { ApiClient } from '@wakestone/contract/client'
import { getPayLater } from '@wakestone/contract/sales/pay-later-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const payLaterQuery = (userId: string, client: ApiClient = api) =>
  queryOf(getPayLater, { params: { id: userId } }, { client })
