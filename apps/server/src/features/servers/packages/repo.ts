/** Locks: what was installed on a server, each time that it was changed; and what goes with them. */
import { sql } from 'kysely'
import type { lockCauses, PackageUpdateRule, PackageRules } from '@wakestone/contract/servers/packages'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import type { Selector } from '@wakestone/packager/selector'
import type { Handle, Transaction } from '#src/db/client.ts'

/** Engine, version, and the plan of those. */
type Setup = { engine: string; version: string; plan: InstallPlan }

export type LockCause = (typeof lockCauses)[number]

/** The specification's record of an installed package. */
export type InstalledPackage = {
  /** Missing: others need it. */
  InstalledBySelector?: Selector
  ManifestHash: string
  InstalledDate: string
  Manifest: Manifest
}

type NewLock = {
  serverId: string
  operationId: string
  cause: LockCause
  entries: readonly InstalledPackage[]
  /** What there was: kept as the first lock of a server that has none. */
  before: readonly InstalledPackage[]
  /** What the server runs, where this changes it. */
  grounds: { before: Setup; after: Setup } | undefined
}

export async function insertLock(
  trx: Transaction,
  { serverId, operationId, cause, entries, before, grounds }: NewLock,
): Promise<void> {
  await sql`insert into server_locks (server_id, entries)
    select ${serverId}, ${JSON.stringify(before)}::jsonb
    where not exists (select from server_locks where server_id = ${serverId})`.execute(trx)
  if (grounds !== undefined)
    await sql`update server_locks set ground = ${JSON.stringify(grounds.before)}::jsonb
      where ground is null and id = (select id from server_locks
        where server_id = ${serverId} and operation_id is distinct from ${operationId} order by id desc limit 1)`.execute(
      trx,
    )
  await trx
    .insertInto('server_locks')
    .values({
      server_id: serverId,
      operation_id: operationId,
      cause,
      entries: JSON.stringify(entries),
      ground: grounds === undefined ? null : JSON.stringify(grounds.after),
    })
    .onConflict((conflict) => conflict.column('operation_id').doNothing()) // a phase may begin again
    .execute()
}

export async function deleteLock(trx: Transaction, operationId: string): Promise<void> {
  await trx.deleteFrom('server_locks').where('operation_id', '=', operationId).execute()
}

/** Newest first. */
export async function selectLocks(db: Handle, serverId: string): Promise<InstalledPackage[][]> {
  const rows = await db
    .selectFrom('server_locks')
    .select('entries')
    .where('server_id', '=', serverId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ entries }) => entries as InstalledPackage[])
}

export type LockRow = {
  id: string
  operation_id: string | null
  cause: LockCause | null
  entries: InstalledPackage[]
  created_at: Date
  user_id: string | null
  username: string | null
}

const locks = (db: Handle) =>
  db
    .selectFrom('server_locks')
    .leftJoin('operations', 'operations.id', 'server_locks.operation_id')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'operations.user_id').on('users.destroyed_at', 'is', null))
    .select(['server_locks.id', 'operation_id', 'cause', 'entries', 'server_locks.created_at'])
    .select(['users.id as user_id', 'users.username'])

/** Newest first, from the one behind `after` on. */
export async function selectLockRows(
  db: Handle,
  serverId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<LockRow[]> {
  let query = locks(db).where('server_locks.server_id', '=', serverId)
  if (after !== undefined) query = query.where('server_locks.id', '<', after)
  return (await query.orderBy('server_locks.id', 'desc').limit(limit).execute()) as unknown as LockRow[]
}

export async function findLock(db: Handle, serverId: string, id: string): Promise<LockRow | undefined> {
  const row = await locks(db)
    .where('server_locks.server_id', '=', serverId)
    .where('server_locks.id', '=', id)
    .executeTakeFirst()
  return row as unknown as LockRow | undefined
}

/** What the server ran when it had a lock; undefined: it has not been changed together with packages since. */
export async function findGround(db: Handle, serverId: string, lockId: string): Promise<Setup | undefined> {
  const row = await db
    .selectFrom('server_locks')
    .select('ground')
    .where('server_id', '=', serverId)
    .where('id', '>=', lockId)
    .where('ground', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.ground as Setup | undefined
}

/* Packs that were brought as a file. */

export async function insertPack(
  db: Handle,
  { serverId, manifest, sha256, size }: { serverId: string; manifest: Manifest; sha256: string; size: number },
): Promise<void> {
  const values = { manifest: JSON.stringify(manifest), sha256, size }
  await db
    .insertInto('server_packs')
    .values({ server_id: serverId, name: manifest.name, version: manifest.packageVersion, ...values })
    .onConflict((conflict) => conflict.columns(['server_id', 'name', 'version']).doUpdateSet(values))
    .execute()
}

/** Newest first. */
export async function selectPacks(db: Handle, serverId: string): Promise<Manifest[]> {
  const rows = await db
    .selectFrom('server_packs')
    .select('manifest')
    .where('server_id', '=', serverId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ manifest }) => manifest as Manifest)
}

/** @param serverId where it is asked for one server; missing: for any */
export async function hasPack(db: Handle, sha256: string, serverId?: string): Promise<boolean> {
  let query = db.selectFrom('server_packs').select('sha256').where('sha256', '=', sha256).limit(1)
  if (serverId !== undefined) query = query.where('server_id', '=', serverId)
  return (await query.executeTakeFirst()) !== undefined
}

/* Rules. */

const defaults: PackageUpdateRule = { mode: 'offer', from_hour: 3, to_hour: 6, time_zone: 'UTC', only_empty: true }

export async function findUpdateRule(db: Handle, serverId: string): Promise<PackageUpdateRule> {
  const row = await db
    .selectFrom('server_update_rules')
    .select(['mode', 'from_hour', 'to_hour', 'time_zone', 'only_empty'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return row === undefined ? defaults : { ...row, mode: row.mode as PackageUpdateRule['mode'] }
}

export async function writeUpdateRule(db: Handle, serverId: string, rule: PackageUpdateRule): Promise<void> {
  await db
    .insertInto('server_update_rules')
    .values({ server_id: serverId, ...rule })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(rule))
    .execute()
}

export async function findPackageRules(db: Handle, serverId: string): Promise<PackageRules | undefined> {
  return db
    .selectFrom('server_package_rules')
    .select(['max_plugins', 'blacklisted_packages', 'allowed_packages'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()
}

export async function writePackageRules(db: Handle, serverId: string, rules: PackageRules): Promise<void> {
  await db
    .insertInto('server_package_rules')
    .values({ server_id: serverId, ...rules })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(rules))
    .execute()
}

/* Looking for updates. */

export type FoundUpdate = { name: string; to: string }

export async function findUpdateCheck(
  db: Handle,
  serverId: string,
): Promise<{ checked_at: Date; found: FoundUpdate[]; taken_at: Date | null } | undefined> {
  const row = await db
    .selectFrom('server_update_checks')
    .select(['checked_at', 'found', 'taken_at'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return row && { ...row, found: row.found as FoundUpdate[] }
}

export async function writeUpdateCheck(db: Handle, serverId: string, found: readonly FoundUpdate[]): Promise<void> {
  const values = { found: JSON.stringify(found), checked_at: new Date() }
  await db
    .insertInto('server_update_checks')
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(values))
    .execute()
}

export async function noteTaken(db: Handle, serverId: string): Promise<void> {
  await db.updateTable('server_update_checks').set({ taken_at: new Date() }).where('server_id', '=', serverId).execute()
}

/**
 * Servers with packages that are due: not looked at for a day, or with something found that may be taken by itself and
 * was not tried for some hours.
 */
export async function selectDueForUpdates(db: Handle, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select server.id from servers server
    join services service on service.id = server.service_id
    left join server_update_rules rule on rule.server_id = server.id
    left join server_update_checks checked on checked.server_id = server.id
    where server.deleted_at is null and server.files_deleted_at is null and server.prepared_at is not null
      and (service.expires is null or service.expires > now())
      and coalesce(rule.mode, 'offer') <> 'off'
      and exists (select from server_packages package where package.server_id = server.id
        and package.kind not in ('', 'engine', 'runtime'))
      and (checked.checked_at is null or checked.checked_at < now() - interval '1 day'
        or (rule.mode = 'take' and jsonb_array_length(checked.found) > 0
          and coalesce(checked.taken_at, '-infinity') < now() - interval '4 hours'))
    order by checked.checked_at nulls first limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Servers whose plan has a file. @param hash as manifests write it */
export async function selectServersWithFile(
  db: Handle,
  hash: string,
): Promise<{ id: string; name: string; packages: string[] }[]> {
  const { rows } = await sql<{ id: string; name: string; packages: string[] }>`
    select server.id, server.name, array_agg(package.name order by package.name) as packages
    from server_packages package join servers server on server.id = package.server_id
    where package.hashes @> ${[hash]}::text[] and server.deleted_at is null and server.files_deleted_at is null
    group by server.id order by server.id`.execute(db)
  return rows
}
