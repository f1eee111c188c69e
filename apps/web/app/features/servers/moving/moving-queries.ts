/** Where a server can move to, as this tab knows it, and the moves that it asks for. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getAdminServer } from '@wakestone/contract/admin/servers-routes'
import type { RouteCall } from '@wakestone/contract/route'
import {
  declineMigration,
  getMigration,
  getRescue,
  migrateServer,
  rescueServer,
} from '@wakestone/contract/servers/migration-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutServer } from '#app/api/stale-answers.ts'

export const movingQuery = (id: string) => queryOf(getMigration, { params: { id } })
export const rescueQuery = (serverId: string) => queryOf(getRescue, { params: { serverId } })

function useMoved(id: string) {
  const queries = useQueryClient()
  return () =>
    makeStale(
      queries,
      answersOf(getMigration, { id }),
      answersOf(listProcesses, { id }),
      answersOf(getRescue, { serverId: id }),
      answersOf(getAdminServer),
      ...aboutServer(id),
    )
}

export function useMove(id: string) {
  const onSettled = useMoved(id)
  return useMutation({
    mutationFn: (body: RouteCall<typeof migrateServer>['body']) => api(migrateServer, { params: { id }, body }),
    onSettled,
  })
}

export function useDeclineMove(id: string) {
  const onSettled = useMoved(id)
  return useMutation({ mutationFn: () => api(declineMigration, { params: { id } }), onSettled })
}

/** Of administrators. */
export function useRescue(serverId: string) {
  const onSettled = useMoved(serverId)
  return useMutation({
    mutationFn: (body: RouteCall<typeof rescueServer>['body']) => api(rescueServer, { params: { serverId }, body }),
    onSettled,
  })
}
