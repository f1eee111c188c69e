/** Whether the owner of a server was told that its disk is nearly full. */
import { sql } from 'kysely'
import type { Transaction } from '#src/db/client.ts'

/** Parts of the disk space from which on the owner is warned, and below which they may be warned again. */
const [warnedFrom, warnedAgainBelow] = [0.9, 0.85]

/** @returns the new state, if it has just changed */
export async function turnDiskWarning(trx: Transaction, serverId: string) {
  const storage = sql<number>`(limits->>'storage')::double precision`
  return trx
    .updateTable('servers')
    .set({ disk_warned: sql`not disk_warned` })
    .where('id', '=', serverId)
    .where(
      sql<boolean>`case when disk_warned then disk_bytes < ${warnedAgainBelow} * ${storage}
        else disk_bytes >= ${warnedFrom} * ${storage} end`,
    )
    .returning([
      'owner_id',
      'name',
      'disk_warned',
      sql<number>`disk_bytes::double precision`.as('disk_bytes'),
      storage.as('storage'),
    ])
    .executeTakeFirst()
}
