import type { ApiClient } from '@wakestone/contract/client'
import { getSecurity } from '@wakestone/contract/accounts/security-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** Which second factors the signed-in user has. */
export const securityQuery = (client: ApiClient = api) => queryOf(getSecurity, {}, { client })
