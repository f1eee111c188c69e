import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getSecurity } from '@wakestone/contract/accounts/security-routes'
import { api } from '#app/api/client.ts'

/** Which second factors the signed-in user has. */
export const securityQuery = (client: ApiClient = api) =>
  queryOptions({ queryKey: ['security'], queryFn: () => client(getSecurity, {}) })
