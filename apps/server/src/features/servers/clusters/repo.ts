import type { Insertable, Selectable } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Clusters } from '#src/db/types.gen.ts'

export type ClusterRow = Selectable<Clusters>

export function selectClusters(db: Handle): Promise<ClusterRow[]> {
  return db.selectFrom('clusters').selectAll().orderBy('id').execute()
}

export function findCluster(db: Handle, id: string): Promise<ClusterRow | undefined> {
  return db.selectFrom('clusters').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findClusterByZone(db: Handle, zoneName: string): Promise<ClusterRow | undefined> {
  return db.selectFrom('clusters').selectAll().where('zone_name', '=', zoneName).executeTakeFirst()
}

export async function setClusterAddress(
  db: Handle,
  id: string,
  { host, zoneName }: { host: string; zoneName: string },
): Promise<void> {
  await db.updateTable('clusters').set({ host, zone_name: zoneName }).where('id', '=', id).execute()
}

/** @returns whether it is new. */
export async function insertCluster(trx: Transaction, cluster: Insertable<Clusters>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('clusters')
    .values(cluster)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function lockCluster(trx: Transaction, id: string): Promise<ClusterRow | undefined> {
  return trx.selectFrom('clusters').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateCluster(trx: Transaction, id: string, change: Partial<ClusterRow>): Promise<void> {
  await trx.updateTable('clusters').set(change).where('id', '=', id).execute()
}

export async function findClusterOfServer(db: Handle, serverId: string): Promise<string | undefined> {
  const row = await db.selectFrom('servers').select('cluster_id').where('id', '=', serverId).executeTakeFirst()
  return row?.cluster_id
}
