/** Repositories and backups as they stand in the database. */
import { type Selectable, sql } from 'kysely'
import { awakePhases } from '@wakestone/protocol/phases'
import type { BackupCause, BackupDetails, BackupKind, BackupRule } from '@wakestone/contract/servers/backups'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { BackupRepositories, Backups } from '#src/db/types.gen.ts'

export type RepositoryRow = Selectable<BackupRepositories>
export type BackupRow = Omit<Selectable<Backups>, 'kind' | 'cause' | 'details'> & {
  kind: BackupKind
  cause: BackupCause
  details: BackupDetails
}

export async function findRepository(db: Handle, serverId: string): Promise<RepositoryRow | undefined> {
  return db
    .selectFrom('backup_repositories')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** The first one wins, whoever else makes one at the same time. */
export async function insertRepository(
  db: Handle,
  row: { serverId: string; location: string; password: Buffer },
): Promise<void> {
  await db
    .insertInto('backup_repositories')
    .values({ server_id: row.serverId, location: row.location, password: row.password })
    .onConflict((conflict) => conflict.column('server_id').doNothing())
    .execute()
}

export async function updateRepository(
  db: Handle,
  id: string,
  change: Partial<
    Pick<
      RepositoryRow,
      | 'made_at'
      | 'seen_at'
      | 'tried_at'
      | 'failed_at'
      | 'failure'
      | 'stored_bytes'
      | 'prune_wanted'
      | 'kept_at'
      | 'kept_until'
      | 'read_part'
      | 'drilled_at'
      | 'removed_at'
    >
  >,
): Promise<void> {
  await db.updateTable('backup_repositories').set(change).where('id', '=', id).execute()
}

export type NewBackup = {
  repoId: string
  serverId: string
  operationId: string
  kind: BackupKind
  cause: BackupCause
  name: string | null
  pinned: boolean
  details: BackupDetails
  incomplete: boolean
  setup: { engine: string; version: string; plan: object }
  userId: string | null
}

/** Once per operation. @returns its id. */
export async function insertBackup(trx: Transaction, row: NewBackup): Promise<string> {
  await trx
    .insertInto('backups')
    .values({
      repo_id: row.repoId,
      server_id: row.serverId,
      operation_id: row.operationId,
      kind: row.kind,
      cause: row.cause,
      name: row.name,
      pinned: row.pinned,
      snapshot_id: row.details.snapshot_id,
      details: JSON.stringify(row.details),
      incomplete: row.incomplete,
      engine: row.setup.engine,
      engine_version: row.setup.version,
      plan: JSON.stringify(row.setup.plan),
      user_id: row.userId,
    })
    .onConflict((conflict) => conflict.column('operation_id').doNothing())
    .execute()
  const { id } = await trx
    .selectFrom('backups')
    .select('id')
    .where('operation_id', '=', row.operationId)
    .executeTakeFirstOrThrow()
  return id
}

export async function findBackupOfOperation(db: Handle, operationId: string): Promise<BackupRow | undefined> {
  const row = await db.selectFrom('backups').selectAll().where('operation_id', '=', operationId).executeTakeFirst()
  return row as BackupRow | undefined
}

/** By its id, or the id of its snapshot; also one that is forgotten. */
export async function findBackup(db: Handle, serverId: string, id: string): Promise<BackupRow | undefined> {
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)
  const row = await db
    .selectFrom('backups')
    .selectAll()
    .where('server_id', '=', serverId)
    .where(isUuid ? 'id' : 'snapshot_id', '=', id)
    .executeTakeFirst()
  return row as BackupRow | undefined
}

export type ShownBackup = BackupRow & { service_id: string; username: string | null }

/** Newest first, without those that are forgotten. */
export async function selectBackups(db: Handle, serverId: string): Promise<ShownBackup[]> {
  const rows = await db
    .selectFrom('backups')
    .innerJoin('servers', 'servers.id', 'backups.server_id')
    .leftJoin('users', 'users.id', 'backups.user_id')
    .selectAll('backups')
    .select(['servers.service_id', 'users.username'])
    .where('backups.server_id', '=', serverId)
    .where('backups.forgotten_at', 'is', null)
    .orderBy('backups.created_at', 'desc')
    .orderBy('backups.id', 'desc')
    .execute()
  return rows as unknown as ShownBackup[]
}

/**
 * Those that a server can be brought up from, newest first: complete, readable as far as is known, and not made only because
 * somebody was about to replace what is in them.
 */
export async function selectWholeBackups(db: Handle, serverId: string): Promise<BackupRow[]> {
  const rows = await db
    .selectFrom('backups')
    .innerJoin('backup_repositories as place', 'place.id', 'backups.repo_id')
    .selectAll('backups')
    .where('backups.server_id', '=', serverId)
    .where('place.removed_at', 'is', null)
    .where('backups.deleted_at', 'is', null)
    .where('backups.forgotten_at', 'is', null)
    .where('backups.damaged_at', 'is', null)
    .where('backups.incomplete', '=', false)
    .where(sql<boolean>`not (backups.kind = 'safety' and backups.cause in ('restore', 'format'))`)
    .orderBy('backups.created_at', 'desc')
    .orderBy('backups.id', 'desc')
    .limit(50)
    .execute()
  return rows as unknown as BackupRow[]
}

export async function countManual(db: Handle, serverId: string): Promise<number> {
  const { count } = await db
    .selectFrom('backups')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('server_id', '=', serverId)
    .where('kind', '=', 'manual')
    .where('deleted_at', 'is', null)
    .where('forgotten_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** When operations of these kinds were begun by somebody since then, oldest first. */
export async function selectBegun(
  db: Handle,
  serverId: string,
  { kinds, since }: { kinds: string[]; since: Date },
): Promise<Date[]> {
  const rows = await db
    .selectFrom('operations')
    .select('created_at')
    .where('server_id', '=', serverId)
    .where('kind', 'in', kinds)
    .where('user_id', 'is not', null)
    .where('created_at', '>', since)
    .orderBy('id')
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function updateBackup(
  db: Handle,
  id: string,
  change: Partial<
    Pick<BackupRow, 'name' | 'pinned' | 'verified_at' | 'damaged_at' | 'deleted_at' | 'forgotten_at' | 'removed_at'>
  >,
): Promise<void> {
  await db.updateTable('backups').set(change).where('id', '=', id).execute()
}

/** Of these nobody is shown any more; those that are gone already stay as they are. */
export async function writeForgotten(db: Handle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('backups')
    .set({ forgotten_at: new Date() })
    .where('id', 'in', ids)
    .where('forgotten_at', 'is', null)
    .execute()
}

/** Those whose snapshots are to go. */
export async function selectForgotten(db: Handle, repoId: string): Promise<{ id: string; snapshot_id: string }[]> {
  return db
    .selectFrom('backups')
    .select(['id', 'snapshot_id'])
    .where('repo_id', '=', repoId)
    .where('forgotten_at', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(200)
    .execute()
}

export async function writeRemoved(db: Handle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('backups').set({ removed_at: new Date() }).where('id', 'in', ids).execute()
}

/** The rule of a server: its plan's, or that of an add-on, which is the better one. */
const rule = sql<BackupRule | null>`(
  select product.parameters -> 'backups' from services service
  join products product on product.id = service.product_id
  where product.parameters -> 'backups' is not null
    and (service.id = servers.service_id or (service.parent_id = servers.service_id and service.ended_at is null))
  order by (product.type = 'BACKUP') desc, product.position desc limit 1)`

export async function findRule(db: Handle, serverId: string): Promise<BackupRule | null> {
  const row = await db.selectFrom('servers').select(rule.as('rule')).where('id', '=', serverId).executeTakeFirst()
  return row?.rule ?? null
}

/** What changes files without a game. */
const changing = [
  'SERVER_CHANGE_ENGINE',
  'SERVER_FORMAT',
  'SERVER_RESTORE_BACKUP',
  'EXTRACTED_ARCHIVE',
  'UPLOADED_FILES',
]

/** Servers whose next automatic backup is due: their time has come, and something may have changed since the last. */
export async function selectDueServers(db: Handle, limit: number, now: Date): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select due.id from (
      select servers.id, servers.phase, servers.phase_since, servers.exit_at, servers.launched_at,
        coalesce(repo.tried_at, servers.prepared_at) as tried_at, coalesce(repo.seen_at, servers.created_at) as seen_at,
        ${rule} as rule
      from servers left join backup_repositories repo on repo.server_id = servers.id
      where servers.deleted_at is null and servers.files_deleted_at is null and servers.prepared_at is not null
        and (repo.tried_at is null or repo.tried_at < ${now}::timestamptz - interval '5 minutes')
        and not exists (select from operations open where open.server_id = servers.id and open.exclusive and open.ended_at is null)
    ) due
    where due.rule is not null
      and due.tried_at + (due.rule ->> 'every_hours')::float8 * interval '1 hour' <= ${now}::timestamptz
      and (due.phase = any(${[...awakePhases]}::text[]) or due.exit_at > due.seen_at
        or (due.phase = 'frozen' and due.phase_since > due.seen_at)
        or exists (select from audit_events happened where happened.resource_id = due.id
          and happened.created_at > due.seen_at
          and (happened.action = any(${changing}) or happened.action like 'SERVER\\_FILES%'
            or happened.action like 'SERVER\\_WORLD%')))
    order by due.tried_at limit ${limit}`.execute(db)
  return rows
}

/** Automatic backups that are being made, whoever makes them. */
export async function countAutomaticOpen(db: Handle): Promise<number> {
  const { count } = await db
    .selectFrom('operations')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('kind', '=', 'backup')
    .where('ended_at', 'is', null)
    .where(sql<boolean>`input ->> 'kind' = 'auto'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Takes a repository to look after that nobody has looked after for so long. */
export async function takeForUpkeep(
  db: Handle,
  { before, until }: { before: Date; until: Date },
): Promise<RepositoryRow | undefined> {
  const { rows } = await sql<RepositoryRow>`
    update backup_repositories set kept_until = ${until} where id = (
      select repo.id from backup_repositories repo
      where repo.removed_at is null and repo.made_at is not null
        and (repo.kept_until is null or repo.kept_until < now())
        and (repo.kept_at is null or repo.kept_at < ${before}
          or exists (select from servers where servers.id = repo.server_id and servers.deleted_at is not null))
        and not exists (select from operations open where open.server_id = repo.server_id and open.exclusive and open.ended_at is null)
      order by repo.kept_at nulls first limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

export async function isServerGone(db: Handle, serverId: string): Promise<boolean> {
  const row = await db.selectFrom('servers').select('deleted_at').where('id', '=', serverId).executeTakeFirst()
  return row?.deleted_at != null
}

export async function findNames(db: Handle, serverId: string): Promise<{ name: string; owner_id: string } | undefined> {
  return db.selectFrom('servers').select(['name', 'owner_id']).where('id', '=', serverId).executeTakeFirst()
}

/** One that can be proved, by chance; of any server. */
export async function findRandomBackup(db: Handle): Promise<BackupRow | undefined> {
  const row = await db
    .selectFrom('backups')
    .innerJoin('backup_repositories as repo', 'repo.id', 'backups.repo_id')
    .selectAll('backups')
    .where('backups.forgotten_at', 'is', null)
    .where('backups.damaged_at', 'is', null)
    .where('backups.verified_at', 'is not', null)
    .where('repo.removed_at', 'is', null)
    .orderBy(sql`random()`)
    .limit(1)
    .executeTakeFirst()
  return row as BackupRow | undefined
}

/** The repository is gone, and all that was in it. */
export async function writeAllForgotten(trx: Transaction, repoId: string): Promise<void> {
  await trx
    .updateTable('backups')
    .set({ forgotten_at: new Date(), removed_at: new Date() })
    .where('repo_id', '=', repoId)
    .where('removed_at', 'is', null)
    .execute()
}

export type LateBackup = { id: string; name: string; due_at: Date; last_at: Date | null; failed_at: Date | null }

/** When the next automatic backup of each should have begun, and how the last ended. The latest first. */
export async function selectLateBackups(db: Handle, serverIds: string[]): Promise<LateBackup[]> {
  const { rows } = await sql<LateBackup>`
    select servers.id, servers.name, repo.made_at as last_at,
      case when repo.failed_at > coalesce(repo.made_at, '-infinity') then repo.failed_at end as failed_at,
      coalesce(repo.tried_at, servers.prepared_at) + (${rule} ->> 'every_hours')::float8 * interval '1 hour' as due_at
    from servers left join backup_repositories repo on repo.server_id = servers.id and repo.removed_at is null
    where servers.id = any(${serverIds}) order by due_at`.execute(db)
  return rows
}

export type StorageFacts = {
  repositories: number
  /** When the first of them was made, and when one was last restored for a trial. */
  since: Date | null
  drilled_at: Date | null
  /** Backups that cannot be restored, and are still there. */
  damaged: number
}

export async function selectStorageFacts(db: Handle): Promise<StorageFacts> {
  const { rows } = await sql<StorageFacts>`
    select count(*)::int as repositories, min(created_at) as since, max(drilled_at) as drilled_at,
      (select count(*)::int from backups where damaged_at is not null and forgotten_at is null) as damaged
    from backup_repositories where removed_at is null and made_at is not null`.execute(db)
  return rows[0] as StorageFacts
}

export async function findLastUsedRepository(db: Handle): Promise<RepositoryRow | undefined> {
  return db
    .selectFrom('backup_repositories')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('made_at', 'is not', null)
    .orderBy(sql`tried_at desc nulls last`)
    .limit(1)
    .executeTakeFirst()
}
