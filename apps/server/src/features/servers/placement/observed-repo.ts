/** Writes what servers are, as their supervisors tell, and what the control plane does about it. */
import { type RawBuilder, sql } from 'kysely'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { namesKept, type SupervisorStatus } from '@wakestone/protocol/supervisor'
import type { Db, Handle, Transaction } from '#src/db/client.ts'

/** What the supervisor says now. Nothing about events, which are taken in one by one. */
export async function writeObserved(
  db: Handle,
  serverId: string,
  status: SupervisorStatus & { gameHost?: string | null },
): Promise<void> {
  await db
    .updateTable('servers')
    .set({
      supervisor_version: status.version,
      phase: status.phase,
      phase_since: status.since,
      game_port: status.gamePort,
      game_host: status.gameHost ?? null,
      installed_plan: status.installedPlan,
      launched_at: status.launchedAt,
      exit_at: status.lastExit?.at ?? null,
      exit_code: status.lastExit?.code ?? null,
      exit_signal: status.lastExit?.signal ?? null,
      exit_expected: status.lastExit?.expected ?? null,
      players_online: status.players.online,
      player_names: status.players.names,
      // Of one that is not up, what was last known stands: since when nobody was in it.
      ...(status.phase === 'running' && {
        awake: status.awake ?? [],
        empty_since: status.emptySince ?? null,
      }),
      ...(status.worldVersion !== undefined && {
        world_version: status.worldVersion && JSON.stringify(status.worldVersion),
      }),
      // The last known values stay until they are measured again or a running game reports new ones.
      ...(status.players.max > 0 && { players_max: status.players.max }),
      ...(typeof status.diskBytes === 'number' && { disk_bytes: status.diskBytes }),
    })
    .where('id', '=', serverId)
    .execute()
}

/** It is up: whoever woke it has what they wanted. */
export async function writeIsUp(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set({ woken_at: null }).where('id', '=', serverId).execute()
}

const startsKept = 5

export async function noteStart(trx: Transaction, serverId: string, seconds: number): Promise<void> {
  await sql`update servers set start_seconds = (array_prepend(${Math.max(0, seconds)}::real, start_seconds))[1:${sql.lit(startsKept)}]
    where id = ${serverId}`.execute(trx)
}

/** Of one that is not up, what was last known stands: since when nobody was in it. */
export async function writeAwake(
  trx: Transaction,
  serverId: string,
  { awake, emptySince }: { awake: string[]; emptySince: string | null },
): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ awake, empty_since: emptySince })
    .where('id', '=', serverId)
    .where('phase', '=', 'running')
    .execute()
}

/** What players saw of it in their list, or whom it lets in. */
export async function writeDoor(
  trx: Transaction,
  serverId: string,
  value: { face?: object; door?: object },
): Promise<void> {
  const json = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, JSON.stringify(part)]))
  await trx
    .insertInto('server_doors')
    .values({ server_id: serverId, ...json })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(json))
    .execute()
}

export type Cursor = {
  supervisor_seq: number
  told: string | null
  told_seq: number
  want_running: boolean
  prepared_at: Date | null
  phase: string | null
}

export function lockCursor(trx: Transaction, serverId: string): Promise<Cursor | undefined> {
  return trx
    .selectFrom('servers')
    .select(['supervisor_seq', 'told', 'told_seq', 'want_running', 'prepared_at', 'phase'])
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function findOwner(trx: Transaction, serverId: string): Promise<{ owner_id: string; name: string }> {
  return trx.selectFrom('servers').select(['owner_id', 'name']).where('id', '=', serverId).executeTakeFirstOrThrow()
}

export async function setCursor(db: Handle, serverId: string, seq: number): Promise<void> {
  await db.updateTable('servers').set({ supervisor_seq: seq }).where('id', '=', serverId).execute()
}

/** As `setCursor`, and never back. */
export async function moveCursor(db: Handle, serverId: string, seq: number): Promise<void> {
  await db
    .updateTable('servers')
    .set({ supervisor_seq: seq })
    .where('id', '=', serverId)
    .where('supervisor_seq', '<', seq)
    .execute()
}

export async function findCursor(db: Handle, serverId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('servers')
    .select('supervisor_seq')
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.supervisor_seq
}

/** Notes what the supervisor is told, before it is told. */
export async function writeTold(
  db: Db,
  serverId: string,
  { told, seq, restartsDone }: { told: 'up' | 'down'; seq: number; restartsDone?: number },
): Promise<void> {
  await db
    .updateTable('servers')
    .set({ told, told_seq: seq, ...(restartsDone !== undefined && { restarts_done: restartsDone }) })
    .where('id', '=', serverId)
    .execute()
}

export async function writePlaced(trx: Transaction, serverId: string, limits: object): Promise<void> {
  await trx
    .updateTable('servers')
    .set({
      placed_at: new Date(),
      placed_limits: JSON.stringify(limits),
      checkpointed_at: null,
      pod_image: null,
      preparation_error: null,
      retry_at: null,
    })
    .where('id', '=', serverId)
    .execute()
}

/** Whether what it had in memory is on disk. */
export async function writeCheckpointed(db: Handle, serverId: string, at: Date | null): Promise<void> {
  await db.updateTable('servers').set({ checkpointed_at: at }).where('id', '=', serverId).execute()
}

/** It has been given more room where it is. */
export async function writePlacedStorage(db: Handle, serverId: string, storage: number): Promise<void> {
  await sql`update servers set placed_limits = jsonb_set(placed_limits::jsonb, '{storage}', to_jsonb(${storage}::bigint))
    where id = ${serverId} and placed_limits is not null`.execute(db)
}

/** Whether it sleeps lightly, and nobody has had its memory given back yet. */
export async function holdsMemory(db: Handle, serverId: string): Promise<boolean> {
  const { rows } = await sql`select from server_levels sleep
    join servers on servers.id = sleep.server_id and servers.level_since = sleep.since
    where sleep.server_id = ${serverId} and sleep.level = 'LIGHT_SLEEP' and sleep.freed is null`.execute(db)
  return rows.length > 0
}

/** How many bytes this light sleep has left to others. */
export async function writeFreed(db: Handle, serverId: string, bytes: number): Promise<void> {
  await sql`update server_levels sleep set freed = ${bytes} from servers
    where sleep.server_id = ${serverId} and sleep.level = 'LIGHT_SLEEP'
      and servers.id = sleep.server_id and servers.level_since = sleep.since`.execute(db)
}

/** The volume is gone with all that was in it, and the workload before it. */
export async function hasServiceEnded(trx: Transaction, serverId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('servers')
    .innerJoin('services', 'services.id', 'servers.service_id')
    .select('services.ended_at')
    .where('servers.id', '=', serverId)
    .executeTakeFirst()
  return row !== undefined && row.ended_at !== null
}

export async function writeVolumeRemoved(trx: Transaction, serverId: string): Promise<void> {
  await writeLost(trx, serverId, { giveUp: false, retryAt: null })
  await trx
    .updateTable('servers')
    .set({ volume_removed_at: new Date(), disk_bytes: 0 })
    .where('id', '=', serverId)
    .execute()
}

/** The workload is gone: nothing is known of the game but that it does not run. */
export async function writeLost(
  trx: Transaction,
  serverId: string,
  { giveUp, retryAt }: { giveUp: boolean; retryAt: Date | null },
): Promise<void> {
  await trx
    .updateTable('servers')
    .set({
      placed_at: null,
      checkpointed_at: null,
      phase: null,
      game_port: null,
      launched_at: null,
      players_online: 0,
      player_names: [],
      told: null,
      retry_at: retryAt,
      ...(giveUp && { want_running: false, crashed: true }),
    })
    .where('id', '=', serverId)
    .execute()
  await forgetPlay(trx, serverId)
}

export async function writePrepared(trx: Transaction, serverId: string): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ prepared_at: new Date(), preparation_error: null, retry_at: null })
    .where('id', '=', serverId)
    .where('prepared_at', 'is', null)
    .execute()
}

export async function writeFailure(
  db: Handle,
  serverId: string,
  { error, retryInSeconds }: { error: string; retryInSeconds: number },
): Promise<void> {
  await db
    .updateTable('servers')
    .set((row) => ({
      retry_at: new Date(Date.now() + retryInSeconds * 1000),
      preparation_error: row.case().when('prepared_at', 'is', null).then(error).end(),
    }))
    .where('id', '=', serverId)
    .execute()
}

export async function clearFailure(db: Handle, serverId: string): Promise<void> {
  await db.updateTable('servers').set({ preparation_error: null, retry_at: null }).where('id', '=', serverId).execute()
}

/** It crashed too often: it stays off until somebody asks. */
export async function writeGivenUp(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set({ want_running: false, crashed: true }).where('id', '=', serverId).execute()
}

/** Somebody in the game stopped it: that is what is wanted now. */
export async function writeStoppedInside(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set({ want_running: false }).where('id', '=', serverId).execute()
}

const writeNames = (trx: Transaction, serverId: string, names: RawBuilder<unknown>) =>
  sql`update servers set player_names = names, players_online = cardinality(names) from (select ${names} as names from servers where id = ${serverId}) present
    where id = ${serverId}`.execute(trx)

/** As many names as are shown; of a server with more of them the numbers still count. */
const withName = (column: string, name: string) => {
  const others = sql`array_remove(${sql.ref(column)}, ${name})`
  return sql`case when cardinality(${others}) < ${namesKept} then array_append(${others}, ${name}) else ${others} end`
}

export async function addPlayer(trx: Transaction, serverId: string, name: string): Promise<void> {
  await writeNames(trx, serverId, withName('player_names', name))
}

export async function removePlayer(trx: Transaction, serverId: string, name: string): Promise<void> {
  await writeNames(trx, serverId, sql`array_remove(player_names, ${name})`)
}

/**
 * Counts the time in which somebody plays, by joins, leaves and ends as they were told: each is taken in once and in
 * order, so this also counts what passed while nobody looked. `names` computes who is on from \`play.names\`.
 */
const writePlay = async (trx: Transaction, serverId: string, at: string, names: RawBuilder<unknown>) => {
  await sql`insert into server_play (server_id) values (${serverId}) on conflict do nothing`.execute(trx)
  await sql`update server_play play set names = next.names,
      since = case when cardinality(next.names) > 0 then coalesce(play.since, next.at) end,
      seconds = play.seconds + case when play.since is not null and cardinality(next.names) = 0
        then greatest(0, extract(epoch from next.at - play.since))::bigint else 0 end
    from (select ${names} as names, least(${at}::timestamptz, now()) as at from server_play play where server_id = ${serverId}) next
    where server_id = ${serverId}`.execute(trx)
}

export const notePlayerJoined = (trx: Transaction, serverId: string, { name, at }: { name: string; at: string }) =>
  writePlay(trx, serverId, at, withName('play.names', name))
export const notePlayerLeft = (trx: Transaction, serverId: string, { name, at }: { name: string; at: string }) =>
  writePlay(trx, serverId, at, sql`array_remove(play.names, ${name})`)

/** Nobody is on any more. */
export async function notePlayEnded(trx: Transaction, serverId: string, at: string): Promise<void> {
  await sql`update server_play set names = '{}', since = null,
      seconds = seconds + greatest(0, extract(epoch from least(${at}::timestamptz, now()) - since))::bigint
    where server_id = ${serverId} and since is not null`.execute(trx)
}

/** Its supervisor is gone: nobody knows how long they went on, so nothing is counted of it. */
async function forgetPlay(trx: Transaction, serverId: string): Promise<void> {
  await sql`update server_play set names = '{}', since = null where server_id = ${serverId} and since is not null`.execute(
    trx,
  )
}

export async function findPlan(db: Handle, serverId: string): Promise<InstallPlan | undefined> {
  const row = await db.selectFrom('server_plans').select('plan').where('server_id', '=', serverId).executeTakeFirst()
  return row?.plan as InstallPlan | undefined
}

/** @param since only those that were placed after this moment */
export async function selectPlacedServers(db: Handle, since?: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('placed_at', 'is not', null)
    .$if(since !== undefined, (query) => query.where('placed_at', '>', since!))
    .execute()
  return rows.map(({ id }) => id)
}

export async function isPlaced(db: Handle, serverId: string): Promise<boolean> {
  const row = await db
    .selectFrom('servers')
    .select('placed_at')
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined && row.placed_at !== null
}

/** Those of these that are servers of ours, and whether each is to be up. */
export async function selectPlacedAmong(
  db: Handle,
  serverIds: readonly string[],
): Promise<{ id: string; placed: boolean }[]> {
  if (serverIds.length === 0) return []
  const rows = await db
    .selectFrom('servers')
    .select(['id', 'placed_at'])
    .where('id', 'in', [...serverIds])
    .execute()
  return rows.map(({ id, placed_at }) => ({ id, placed: placed_at !== null }))
}

/**
 * It is on another cluster from now on: all that was known of its supervisor was the other one's. Its ports go along, and
 * so does its place among free servers. Copies from before its engine changed stay where its supervisor kept them.
 * @returns false where it is not to go there any more
 */
export async function writeMoved(trx: Transaction, serverId: string, clusterId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('servers')
    .set((row) => ({
      cluster_id: clusterId,
      move_to: null,
      move_abandons: false,
      supervisor_seq: row.ref('move_seq'),
      told: null,
      told_seq: 0,
      installed_plan: null,
      game_host: null,
      game_port: null,
      placed_limits: null,
    }))
    .where('id', '=', serverId)
    .where('move_to', '=', clusterId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx.updateTable('cluster_ports').set({ cluster_id: clusterId }).where('server_id', '=', serverId).execute()
  await trx
    .updateTable('free_sessions')
    .set({ cluster_id: clusterId })
    .where('server_id', '=', serverId)
    .where('ended_at', 'is', null)
    .execute()
  return true
}
