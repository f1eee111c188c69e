/** Operations of a server as this tab knows them: asked for once, then told by the server's stream. */
import type { QueryClient } from '@tanstack/react-query'
import { getBackupPlan, listBackups } from '@wakestone/contract/servers/backups-routes'
import { getEngine } from '@wakestone/contract/servers/engine-routes'
import { getMigration, getRescue } from '@wakestone/contract/servers/migration-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { getMapState, showMap } from '@wakestone/contract/servers/mapview-routes'
import { cancelProcess, listProcesses } from '@wakestone/contract/servers/operations-routes'
import { listWorlds } from '@wakestone/contract/servers/worlds-routes'
import { getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import type { ApiClient } from '@wakestone/contract/client'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutPackages } from '#app/api/stale-answers.ts'
import { filesChanged } from '#app/features/servers/files-changed.ts'

/** While something is under way it is asked for too, should the stream be away. */
export const operationsQuery = (serverId: string, client: ApiClient = api) =>
  queryOf(
    listProcesses,
    { params: { id: serverId } },
    {
      client,
      refetchInterval: ({ state }) => (state.data?.some((operation) => !isOver(operation.state)) ? 3_000 : 30_000),
    },
  )

/** Takes over what is told of one; what its end changes is asked for anew. */
export function keepOperation(queries: QueryClient, operation: Operation): void {
  queries.setQueryData(operationsQuery(operation.server_id).queryKey, (known) => {
    if (known === undefined) return known
    const isKnown = known.some(({ id }) => id === operation.id)
    return isKnown ? known.map((one) => (one.id === operation.id ? operation : one)) : [operation, ...known]
  })
  if (!isOver(operation.state)) return
  const id = operation.server_id
  void filesChanged(queries, id)
  void makeStale(
    queries,
    ...[
      getServer,
      getEngine,
      getMigration,
      listServerEvents,
      listBackups,
      getBackupPlan,
      getMapState,
      showMap,
      listWorlds,
    ].map((route) => answersOf(route, { id })),
    answersOf(getRescue, { serverId: id }),
    ...aboutPackages(id),
  )
}

export async function cancelOperation(queries: QueryClient, { server_id, id }: Operation): Promise<void> {
  keepOperation(queries, await api(cancelProcess, { params: { id: server_id, process_id: id } }))
}
