import type { ApiClient } from '@wakestone/contract/client'
import { listConsents } from '@wakestone/contract/accounts/consents-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const consentsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listConsents, { params: { id: userId } }, { client })
