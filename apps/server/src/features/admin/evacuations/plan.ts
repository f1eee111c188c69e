/** Where the servers of a cluster would go. */
import type { PlannedMove } from '@wakestone/contract/admin/evacuations'
import type { Context } from '#src/context.ts'
import { chooseTarget, findOpenClusters } from '#src/features/servers/migration/service.ts'
import { findServer } from '#src/features/servers/servers/service.ts'
import { selectServersToMove } from './repo.ts'

/** As `hasRoom` counts, and a little more: what is planned is to be so when its turn comes. */
const share = 1.15

/** Each counts with the room that those before it in the plan have left. */
export async function planEvacuation(deps: Pick<Context, 'db' | 'fleet'>, clusterId: string): Promise<PlannedMove[]> {
  const open = (await findOpenClusters(deps)).filter(({ cluster }) => cluster.id !== clusterId)
  const plan: PlannedMove[] = []
  for (const { id, owner_name } of await selectServersToMove(deps.db, clusterId)) {
    const server = await findServer(deps.db, id)
    if (server === undefined) continue
    const bytes = Number(server.disk_bytes ?? 0)
    const chosen = await chooseTarget(deps, server, open)
    const target = 'cluster' in chosen ? chosen : undefined
    for (const place of open) {
      // Clusters of this machine share its disk, or may.
      const isOnItsDisk = place.cluster.driver === 'process' && target?.cluster.driver === 'process'
      if (place.room != null && (isOnItsDisk || place.cluster.id === target?.cluster.id)) place.room -= bytes * share
    }
    plan.push({
      server_id: id,
      name: server.name,
      owner_name,
      players: server.players_online,
      bytes,
      new_cluster: target?.cluster.id ?? null,
      obstacle: 'obstacle' in chosen ? chosen.obstacle : null,
      expected_seconds: target?.expectedSeconds ?? null,
    })
  }
  return plan
}
