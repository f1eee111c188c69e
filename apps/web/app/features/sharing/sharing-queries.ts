import { queryOptions } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import { getServerAccess, listInvitations } from '@wakestone/contract/accounts/sharing-routes'
import { api } from '#app/api/client.ts'

export const accessQuery = (serverId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['servers', serverId, 'access'],
    queryFn: () => client(getServerAccess, { params: { id: serverId } }),
    refetchInterval: 15_000,
  })

export const invitationsQuery = (userId: string, client: ApiClient = api) =>
  queryOptions({
    queryKey: ['users', userId, 'invitations'],
    queryFn: () => client(listInvitations, { params: { id: userId } }),
    refetchInterval: 15_000,
  })
