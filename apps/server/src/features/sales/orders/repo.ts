import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** Whether the address of a user is confirmed, as of now. */
export async function isEmailVerified(db: Handle, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('email_verified').where('id', '=', userId).executeTakeFirst()
  return row?.email_verified != null
}

/** What was bought under a key: the id of a server, or of a website. */
export type PurchaseClaim = { rentedId: string; isNew: boolean; requestHash: Buffer }

/**
 * Claims a key for a purchase. Whoever comes second waits here until the first one's transaction has ended.
 * @returns what the key is for: a new id for the first, what the first one bought for all others.
 */
export async function claimPurchase(
  trx: Transaction,
  { userId, key, requestHash, kind }: { userId: string; key: string; requestHash: Buffer; kind: 'server' | 'website' },
): Promise<PurchaseClaim> {
  const column = sql.ref(kind === 'server' ? 'server_id' : 'craftum_id')
  const { rows } = await sql<{ id: string }>`
    insert into purchase_keys (user_id, key, request_hash, ${column}) values (${userId}, ${key}, ${requestHash}, gen_random_uuid())
    on conflict do nothing returning ${column} as id`.execute(trx)
  if (rows[0] !== undefined) return { rentedId: rows[0].id, isNew: true, requestHash }
  const known = await findPurchase(trx, { userId, key })
  if (known === undefined) throw new Error('a purchase key vanished')
  return { ...known, isNew: false }
}

export async function findPurchase(
  db: Handle,
  { userId, key }: { userId: string; key: string },
): Promise<{ rentedId: string; requestHash: Buffer } | undefined> {
  const row = await db
    .selectFrom('purchase_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  const rentedId = row?.server_id ?? row?.craftum_id
  return row === undefined || rentedId == null ? undefined : { rentedId, requestHash: row.request_hash }
}
