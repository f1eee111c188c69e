/** Writes what a server should be. */
import { type ExpressionBuilder, sql } from 'kysely'
import { gameVersionOf } from '@wakestone/packager/game-version'
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Product } from '@wakestone/contract/sales/product'
import type { Level, LevelCause } from '@wakestone/contract/servers/levels'
import type { SetLimits } from '@wakestone/contract/servers/parameters'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DB } from '#src/db/types.gen.ts'

export type NewServer = {
  id: string
  serviceId: string
  ownerId: string
  clusterId: string
  name: string
  game: string
  engine: string
  engineVersion: string
  language: string
  limits: Product['parameters']
  plan: InstallPlan
  /** When a trial server is removed, unless it is bought; null: it is none. */
  testedUntil: Date | null
}

export async function insertServer(trx: Transaction, server: NewServer): Promise<void> {
  await trx
    .insertInto('servers')
    .values({
      id: server.id,
      service_id: server.serviceId,
      owner_id: server.ownerId,
      cluster_id: server.clusterId,
      name: server.name,
      game: server.game,
      engine: server.engine,
      engine_version: server.engineVersion,
      game_version: gameVersionOf(server.plan.packages),
      language: server.language,
      limits: JSON.stringify(server.limits),
      plan_hash: server.plan.hash,
      testing: server.testedUntil !== null,
      cleanup_date: server.testedUntil,
    })
    .execute()
  await trx
    .insertInto('server_plans')
    .values({ server_id: server.id, plan: JSON.stringify(server.plan) })
    .execute()
}

/** @returns the lowest port of the range that no server has, now this one's; undefined when there is none */
export async function takeBedrockPort(
  trx: Transaction,
  serverId: string,
  { first, last }: { first: number; last: number },
): Promise<number | undefined> {
  // One at a time: two who look at once would find the same.
  await sql`select pg_advisory_xact_lock(hashtext('bedrock_port'))`.execute(trx)
  const { rows } = await sql<{ bedrock_port: number }>`
    update servers set bedrock_port = free.port
    from (select port from generate_series(${first}::int, ${last}::int) port
      where not exists (select from servers taken where taken.bedrock_port = port and taken.deleted_at is null)
      order by port limit 1) free
    where id = ${serverId} returning bedrock_port`.execute(trx)
  return rows[0]?.bedrock_port
}

export async function grantServer(
  trx: Transaction,
  { serverId, userId, name }: { serverId: string; userId: string; name: string },
): Promise<void> {
  await trx
    .insertInto('user_capabilities')
    .values({ user_id: userId, resource_type: 'server', resource_id: serverId, name, value: 'true' })
    .execute()
}

/** What is used is not cleaned up for want of use; a trial's day stands. */
const keptForTrial = (row: ExpressionBuilder<DB, 'servers'>) =>
  row.case().when('testing', '=', true).then(row.ref('cleanup_date')).end()

/** Somebody plays there now. */
export async function markUsed(trx: Transaction, serverId: string): Promise<void> {
  await trx
    .updateTable('servers')
    .set((row) => ({ last_used_at: new Date(), cleanup_date: keptForTrial(row) }))
    .where('id', '=', serverId)
    .execute()
}

export async function lockServer(trx: Transaction, serverId: string): Promise<void> {
  await trx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
}

/** It is awake from now on; the reconciler finds how long. */
const awakened = {
  level: sql<string>`case when level in ('LIGHT_SLEEP', 'DEEP_SLEEP', 'HIBERNATED') then 'IDLE' else level end`,
  level_since: sql<Date>`case when level in ('LIGHT_SLEEP', 'DEEP_SLEEP', 'HIBERNATED') then now() else level_since end`,
  level_causes: [],
  level_until: null,
  empty_since: null,
  woken_at: sql<Date>`case when level in ('LIGHT_SLEEP', 'DEEP_SLEEP', 'HIBERNATED') then now() end`,
}

export async function writeWoken(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set(awakened).where('id', '=', serverId).execute()
}

export type Sleep = { level: Level; because: LevelCause[] }

/** It sleeps on without its game. Whoever has read what it was before writes nothing over that. */
export async function writeAsleep(trx: Transaction, serverId: string, { level, because }: Sleep): Promise<void> {
  const at = new Date()
  await trx
    .updateTable('servers')
    .set({ level, level_since: at, level_causes: because, level_until: null, woken_at: at })
    .where('id', '=', serverId)
    .execute()
}

/** Keeps it awake for so long; a shorter wish shortens none before it. */
export async function writePinged(db: Handle, serverId: string, seconds: number): Promise<void> {
  await sql`update servers set ping_until = greatest(ping_until, now() + ${seconds} * interval '1 second')
    where id = ${serverId}`.execute(db)
}

/** The supervisor of one without a game is wanted for so long; written again only once it gets late. */
export async function writeNeeded(db: Handle, serverId: string, seconds: number): Promise<void> {
  await sql`update servers set needed_until = now() + ${seconds} * interval '1 second'
    where id = ${serverId} and (phase is null or phase in ('empty', 'stopped', 'crashed')) and (needed_until is null or needed_until < now() + ${seconds / 2} * interval '1 second')`.execute(
    db,
  )
}

/** The game should be up; what kept it from that before is forgotten. */
export async function wantRunning(
  trx: Transaction,
  serverId: string,
  { autostart }: { autostart?: true } = {},
): Promise<void> {
  await trx
    .updateTable('servers')
    .set((row) => ({
      want_running: true,
      ...awakened,
      last_used_at: new Date(),
      cleanup_date: keptForTrial(row),
      crashed: false,
      preparation_error: null,
      retry_at: null,
      ...(autostart && { autostart }),
    }))
    .where('id', '=', serverId)
    .execute()
}

export async function wantStopped(
  trx: Transaction,
  serverId: string,
  { timeout, autostart }: { timeout: number; autostart?: false },
): Promise<void> {
  await trx
    .updateTable('servers')
    .set((row) => ({
      want_running: false,
      crashed: false,
      stop_timeout: timeout,
      restarts_done: row.ref('restarts_wanted'),
      ...(autostart === false && { autostart }),
    }))
    .where('id', '=', serverId)
    .execute()
}

export async function wantRestart(trx: Transaction, serverId: string, { timeout }: { timeout: number }): Promise<void> {
  await trx
    .updateTable('servers')
    .set((row) => ({
      want_running: true,
      ...awakened,
      crashed: false,
      stop_timeout: timeout,
      restarts_wanted: row('restarts_wanted', '+', 1),
    }))
    .where('id', '=', serverId)
    .execute()
}

/** What its plan gives it; what an administrator has set beside that stays. */
export async function writeLimits(trx: Transaction, serverId: string, limits: Product['parameters']): Promise<void> {
  const plan = JSON.stringify(limits)
  await sql`update servers set limits = ${plan}::jsonb || limits_set,
    limits_plan = case when limits_plan is not null then ${plan}::jsonb end where id = ${serverId}`.execute(trx)
}

/** Limits beside those of the plan, in place of what was set before; none of them: it has its plan's again. */
export async function writeSetLimits(trx: Transaction, serverId: string, set: SetLimits): Promise<void> {
  const wanted = JSON.stringify(set)
  await sql`update servers set limits = coalesce(limits_plan, limits) || ${wanted}::jsonb, limits_set = ${wanted}::jsonb,
    limits_plan = case when ${wanted}::jsonb <> '{}' then coalesce(limits_plan, limits) end
    where id = ${serverId}`.execute(trx)
}

/** Switches of administrators. */
export async function writeFlags(
  trx: Transaction,
  serverId: string,
  flags: { disabled?: boolean; hidden?: boolean; testing?: boolean; sponsored?: boolean },
): Promise<void> {
  await trx.updateTable('servers').set(flags).where('id', '=', serverId).execute()
}

export async function setAutostartFlag(trx: Transaction, serverId: string, autostart: boolean): Promise<void> {
  await trx.updateTable('servers').set({ autostart }).where('id', '=', serverId).execute()
}

/** When something of a server will be deleted, as its owner was told; null: nothing will. Trials have a day of their own. */
export async function setCleanup(trx: Transaction, serverId: string, at: Date | null): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ cleanup_date: at })
    .where('id', '=', serverId)
    .where((row) => row.or([row('testing', '=', false), row.val(at !== null)]))
    .execute()
}

/** Its files are to go: it never runs again, and the reconciler removes the volume. */
export async function deleteFiles(trx: Transaction, serverId: string, now: Date): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ files_deleted_at: now, want_running: false, autostart: false, cleanup_date: null })
    .where('id', '=', serverId)
    .where('files_deleted_at', 'is', null)
    .execute()
}

export async function deleteServer(trx: Transaction, serverId: string, now: Date): Promise<void> {
  await trx.updateTable('servers').set({ deleted_at: now, cleanup_date: null }).where('id', '=', serverId).execute()
}

/** Moves the removal of a trial server; null: it has been bought and is a server like any other. */
export async function updateTrial(trx: Transaction, serviceId: string, testedUntil: Date | null): Promise<void> {
  await trx
    .updateTable('servers')
    .set({ testing: testedUntil !== null, cleanup_date: testedUntil })
    .where('service_id', '=', serviceId)
    .where('testing', '=', true)
    .execute()
}
