/** What clusters hold and what their servers use. */
import { sql } from 'kysely'
import { awakePhases } from '@wakestone/protocol/phases'
import type { Handle } from '#src/db/client.ts'

export type ClusterSums = {
  cluster_id: string
  all: number
  placed: number
  up: number
  players: number
  memory: number
  memory_placed: number
  cpu: number
  cpu_placed: number
  storage: number
  disk: number
}

const up = sql`servers.phase = any(${[...awakePhases]}::text[])`

/** Those that are on their way to a cluster count for what is promised there. */
export async function selectSums(db: Handle): Promise<ClusterSums[]> {
  const limit = (name: string) => sql`(servers.limits ->> ${sql.lit(name)})::float8`
  const { rows } = await sql<ClusterSums>`
    select cluster_id, count(*) filter (where not is_coming)::int as "all",
      count(*) filter (where placed_at is not null)::int as placed,
      count(*) filter (where ${up})::int as up,
      coalesce(sum(players_online) filter (where phase = 'running'), 0)::int as players,
      coalesce(sum(${limit('memory')}), 0)::float8 as memory,
      coalesce(sum(${limit('memory')}) filter (where placed_at is not null), 0)::float8 as memory_placed,
      coalesce(sum(${limit('cpu')}), 0)::float8 as cpu,
      coalesce(sum(${limit('cpu')}) filter (where placed_at is not null), 0)::float8 as cpu_placed,
      coalesce(sum(${limit('storage')}), 0)::float8 as storage,
      coalesce(sum(disk_bytes), 0)::float8 as disk
    from (
      select cluster_id, false as is_coming, placed_at, phase, players_online, limits, disk_bytes
      from servers where deleted_at is null and volume_removed_at is null
      union all
      select operations.input ->> 'to', true, null, null, 0, limits, 0
      from operations join servers on servers.id = operations.server_id
      where operations.kind in ('migrate', 'rescue') and operations.ended_at is null and servers.cluster_id <> operations.input ->> 'to'
    ) servers group by cluster_id`.execute(db)
  return rows
}

/** What was measured within the last whole minutes: means of each server, summed up. */
export async function selectUse(db: Handle): Promise<{ cluster_id: string; memory: number; cpu: number }[]> {
  const { rows } = await sql<{ cluster_id: string; memory: number; cpu: number }>`
    select cluster_id, coalesce(sum(memory), 0)::float8 as memory, coalesce(sum(cpu), 0)::float8 as cpu from (
      select distinct on (server_id) server_id, memory, cpu from server_minutes
      where at >= now() - interval '3 minutes' order by server_id, at desc
    ) last join servers on servers.id = last.server_id and servers.deleted_at is null
      and ${up}
    group by cluster_id`.execute(db)
  return rows
}

export type UsePoint = { at: Date; cpu: number; memory: number; disk: number; players: number; servers: number }

/** Sums over a cluster at steps of so many seconds, oldest first. */
export async function selectUsePoints(
  db: Handle,
  clusterId: string,
  { from, step, table }: { from: Date; step: number; table: 'server_minutes' | 'server_hours' },
): Promise<UsePoint[]> {
  const { rows } = await sql<UsePoint>`
    select at, coalesce(sum(cpu), 0)::float8 as cpu, coalesce(sum(memory), 0)::float8 as memory,
      coalesce(sum(disk), 0)::float8 as disk, coalesce(sum(players), 0)::float8 as players, count(*)::int as servers
    from (
      select sample.server_id, date_bin(make_interval(secs => ${step}), sample.at, 'epoch') as at,
        avg(sample.cpu) as cpu, avg(sample.memory) as memory, max(sample.disk) as disk, avg(sample.players) as players
      from ${sql.table(table)} sample join servers on servers.id = sample.server_id and servers.cluster_id = ${clusterId}
      where sample.at >= ${from} group by 1, 2
    ) each_server group by at order by at`.execute(db)
  return rows
}
