import type { ApiClient } from '@wakestone/contract/client'
import { listApiKeys } from '@wakestone/contract/accounts/api-keys-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const apiKeysQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listApiKeys, { params: { id: userId } }, { client })
