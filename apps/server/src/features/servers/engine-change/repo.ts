/** Engines of servers, and the copies from before they were changed. */
import type { InstallPlan } from '@wakestone/packager/manifest'
import type { Handle, Transaction } from '#src/db/client.ts'

/** What a server ran, all of it. */
type Setup = { engine: string; version: string; plan: InstallPlan }

export async function insertSnapshot(
  trx: Transaction,
  { id, serverId, setup, expires }: { id: string; serverId: string; setup: Setup; expires: Date },
): Promise<void> {
  await trx
    .insertInto('server_snapshots')
    .values({
      id,
      server_id: serverId,
      engine: setup.engine,
      engine_version: setup.version,
      plan: JSON.stringify(setup.plan),
      expires_at: expires,
    })
    .execute()
}

/** Of each server one copy is kept: the others take room for nothing. */
export async function expireOtherSnapshots(trx: Transaction, serverId: string, id: string): Promise<void> {
  await trx
    .updateTable('server_snapshots')
    .set({ expires_at: new Date() })
    .where('server_id', '=', serverId)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .where('expires_at', '>', new Date())
    .execute()
}

export type Snapshot = { id: string; created_at: Date; expires_at: Date; setup: Setup }

/** The one to go back to. */
export async function findSnapshot(db: Handle, serverId: string): Promise<Snapshot | undefined> {
  const row = await db
    .selectFrom('server_snapshots')
    .select(['id', 'created_at', 'expires_at', 'engine', 'engine_version', 'plan'])
    .where('server_id', '=', serverId)
    .where('deleted_at', 'is', null)
    .where('expires_at', '>', new Date())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, created_at, expires_at } = row
  const setup = { engine: row.engine, version: row.engine_version, plan: row.plan as InstallPlan }
  return { id, created_at, expires_at, setup }
}

/** Copies whose time is over, of servers whose supervisor may be there to delete them. */
export function selectExpiredSnapshots(db: Handle): Promise<{ id: string; server_id: string; isGone: boolean }[]> {
  return db
    .selectFrom('server_snapshots as snapshot')
    .innerJoin('servers', 'servers.id', 'snapshot.server_id')
    .select(['snapshot.id', 'snapshot.server_id'])
    .select((row) => row('servers.volume_removed_at', 'is not', null).$castTo<boolean>().as('isGone'))
    .where('snapshot.deleted_at', 'is', null)
    .where('snapshot.expires_at', '<=', new Date())
    .where((row) =>
      row.or([row('servers.placed_at', 'is not', null), row('servers.volume_removed_at', 'is not', null)]),
    )
    .orderBy('snapshot.expires_at')
    .limit(50)
    .execute()
}

export async function writeSnapshotDeleted(db: Handle, id: string): Promise<void> {
  await db.updateTable('server_snapshots').set({ deleted_at: new Date() }).where('id', '=', id).execute()
}

/** They were in a volume that is gone. */
export async function writeAllDeleted(trx: Transaction, serverId: string): Promise<void> {
  await trx
    .updateTable('server_snapshots')
    .set({ deleted_at: new Date() })
    .where('server_id', '=', serverId)
    .where('deleted_at', 'is', null)
    .execute()
}
