/** Saved sets of capabilities, read and changed by administrators. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  giveCapabilitySet,
  listCapabilitySetHolders,
  listCapabilitySets,
  listUserCapabilitySets,
  takeCapabilitySet,
} from '@wakestone/contract/admin/capability-sets-routes'
import { api } from '#app/api/client.ts'

export const capabilitySetsQuery = (client: ApiClient = api) =>
  queryOptions({ queryKey: ['admin', 'capability-sets'], queryFn: () => client(listCapabilitySets, {}) })

export const setHoldersQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'capability-sets', id],
    queryFn: () => api(listCapabilitySetHolders, { params: { id } }),
  })

export const userSetsQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id, 'capability-sets'],
    queryFn: () => api(listUserCapabilitySets, { params: { id } }),
  })

/** A change of a set changes what users hold: all that administrators see is read anew. */
export function useReloadAdministration() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['admin'] })
}

export function useGiveSet() {
  const onSettled = useReloadAdministration()
  return useMutation({
    mutationFn: ({ id, user }: { id: string; user: string }) =>
      api(giveCapabilitySet, { params: { id }, body: { user } }),
    onSettled,
  })
}

export function useTakeSet() {
  const onSettled = useReloadAdministration()
  return useMutation({
    mutationFn: (params: { id: string; userId: string }) => api(takeCapabilitySet, { params }),
    onSettled,
  })
}
