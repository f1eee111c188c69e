/** Servers as they stand in a database whose machine is gone. */
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export type Recoverable = {
  id: string
  name: string
  location: string | null
  backup_id: string | null
  snapshot_id: string | null
  backup_at: Date | null
  bytes: string | null
}

/** Every server that had files, with its last backup that can be read. */
export async function selectRecoverable(db: Handle): Promise<Recoverable[]> {
  const { rows } = await sql<Recoverable>`
    select servers.id, servers.name, place.location, last.id as backup_id, last.snapshot_id, last.created_at as backup_at,
      last.details ->> 'total_bytes_processed' as bytes
    from servers
    left join backup_repositories place on place.server_id = servers.id and place.removed_at is null
    left join lateral (
      select * from backups where backups.repo_id = place.id and deleted_at is null and forgotten_at is null
        and damaged_at is null and not incomplete and kind in ('auto', 'manual')
      order by backups.created_at desc limit 1
    ) last on true
    where servers.deleted_at is null and servers.files_deleted_at is null and servers.volume_removed_at is null
      and servers.prepared_at is not null
    order by servers.created_at`.execute(db)
  return rows
}

/**
 * What was true of the lost machine alone: where servers ran, what was under way on them, where backups lay below
 * DATA_DIR. Servers that have files are held down until these are back.
 */
export async function resetForRecovery(
  query: (text: string, values?: unknown[]) => Promise<unknown>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await query(`update operations set state = 'failed', item = null, figures = null, can_cancel = false, ended_at = now(),
    error = '{"code":"service_unavailable"}' where ended_at is null and kind <> 'prepare'`)
  await query(`update servers set placed_at = null, checkpointed_at = null, game_host = null, game_port = null, installed_plan = null, phase = null,
    supervisor_seq = 0, supervisor_version = null, told = null, told_seq = 0, launched_at = null, players_online = 0,
    player_names = '{}', hold = case when prepared_at is not null and files_deleted_at is null and volume_removed_at is null
      then 'down' end
    where deleted_at is null`)
  await query(
    `update backup_repositories set location = $2 || substr(location, length($1) + 1), kept_until = null
      where starts_with(location, $1 || '/')`,
    [from, to],
  )
  await query('update server_looks set unreached_since = null, lost_since = null, next_look_at = now()')
}

/** Nothing is there to be brought back. */
export async function letGo(trx: Transaction, serverId: string): Promise<void> {
  await trx.updateTable('servers').set({ hold: null, want_running: false }).where('id', '=', serverId).execute()
}
