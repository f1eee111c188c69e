import type { ApiClient } from '@wakestone/contract/client'
import { getServerAccess, listInvitations } from '@wakestone/contract/accounts/sharing-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

export const accessQuery = (serverId: string, client: ApiClient = api) =>
  queryOf(getServerAccess, { params: { id: serverId } }, { client, refetchInterval: 15_000 })

export const invitationsQuery = (userId: string, client: ApiClient = api) =>
  queryOf(listInvitations, { params: { id: userId } }, { client, refetchInterval: 15_000 })
