/** Locks: what was installed on a server, each time that it was changed. */
import type { Manifest } from '@wakestone/packager/manifest'
import type { Selector } from '@wakestone/packager/selector'
import type { Handle, Transaction } from '#src/db/client.ts'

/** The specification's record of an installed package. */
export type InstalledPackage = {
  /** Missing: others need it. */
  InstalledBySelector?: Selector
  ManifestHash: string
  InstalledDate: string
  Manifest: Manifest
}

export async function insertLock(
  trx: Transaction,
  { serverId, operationId, entries }: { serverId: string; operationId: string; entries: readonly InstalledPackage[] },
): Promise<void> {
  const values = { server_id: serverId, operation_id: operationId, entries: JSON.stringify(entries) }
  await trx
    .insertInto('server_locks')
    .values(values)
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
