/** Saved sets of capabilities, read and changed by administrators. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  giveCapabilitySet,
  listCapabilitySetHolders,
  listCapabilitySets,
  listUserCapabilitySets,
  takeCapabilitySet,
} from '@wakestone/contract/admin/capability-sets-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutAdminUser } from '#app/api/stale-answers.ts'
import { adminSearch } from '@wakestone/contract/admin/admin-routes'

export const capabilitySetsQuery = (client: ApiClient = api) => queryOf(listCapabilitySets, {}, { client })

export const setHoldersQuery = (id: string) => queryOf(listCapabilitySetHolders, { params: { id } })

export const userSetsQuery = (id: string) => queryOf(listUserCapabilitySets, { params: { id } })

/** A change of a set changes what users hold: all that administrators see is read anew. */
export function useReloadAdministration() {
  const queries = useQueryClient()
  return () =>
    makeStale(
      queries,
      answersOf(listCapabilitySets),
      answersOf(listCapabilitySetHolders),
      answersOf(adminSearch),
      ...aboutAdminUser(),
    )
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
