import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** Whether the address of a user is confirmed, as of now. */
export async function isEmailVerified(db: Handle, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('email_verified').where('id', '=', userId).executeTakeFirst()
  return row?.email_verified != null
}

export type PurchaseClaim = { serverId: string; isNew: boolean; requestHash: Buffer }

/**
 * Claims a key for a purchase. Whoever comes second waits here until the first one's transaction has ended.
 * @returns the server of the key: a new id for the first, what the first one bought for all others.
 */
export async function claimPurchase(
  trx: Transaction,
  { userId, key, requestHash }: { userId: string; key: string; requestHash: Buffer },
): Promise<PurchaseClaim> {
  const { rows } = await sql<{ server_id: string }>`
    insert into purchase_keys (user_id, key, request_hash, server_id) values (${userId}, ${key}, ${requestHash}, gen_random_uuid())
    on conflict do nothing returning server_id`.execute(trx)
  if (rows[0] !== undefined) return { serverId: rows[0].server_id, isNew: true, requestHash }
  const known = await findPurchase(trx, { userId, key })
  if (known === undefined) throw new Error('a purchase key vanished')
  return { ...known, isNew: false }
}

export async function findPurchase(
  db: Handle,
  { userId, key }: { userId: string; key: string },
): Promise<{ serverId: string; requestHash: Buffer } | undefined> {
  const row = await db
    .selectFrom('purchase_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row === undefined ? undefined : { serverId: row.server_id, requestHash: row.request_hash }
}
