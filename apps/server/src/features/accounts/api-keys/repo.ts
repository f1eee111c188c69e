import { type Selectable, sql, type Updateable } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { ApiKeys } from '#src/db/types.gen.ts'

export type ApiKeyRow = Omit<Selectable<ApiKeys>, 'key_hash'>

const shown = [
  'id',
  'user_id',
  'name',
  'hint',
  'scopes',
  'address_ranges',
  'created_at',
  'expires_at',
  'last_used_at',
] as const

const withAddress = sql<string | null>`host(last_used_ip)`.as('last_used_ip')

/** The newest first. */
export function selectApiKeys(db: Handle, userId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .select(shown)
    .select(withAddress)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countApiKeys(trx: Transaction, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export function insertApiKey(
  trx: Transaction,
  key: {
    userId: string
    name: string
    keyHash: Buffer
    hint: string
    scopes: string[]
    addressRanges: string[]
    expiresAt: Date | null
  },
): Promise<ApiKeyRow> {
  return trx
    .insertInto('api_keys')
    .values({
      user_id: key.userId,
      name: key.name,
      key_hash: key.keyHash,
      hint: key.hint,
      scopes: key.scopes,
      address_ranges: key.addressRanges,
      expires_at: key.expiresAt,
    })
    .returning(shown)
    .returning(withAddress)
    .executeTakeFirstOrThrow()
}

/** @returns undefined when the user has no such key. */
export function updateApiKey(
  trx: Transaction,
  { userId, keyId }: { userId: string; keyId: string },
  changes: Updateable<ApiKeys>,
): Promise<ApiKeyRow | undefined> {
  return trx
    .updateTable('api_keys')
    .set(changes)
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .returning(shown)
    .returning(withAddress)
    .executeTakeFirst()
}

/** @returns undefined when the user has no such key. */
export function removeApiKey(
  trx: Transaction,
  { userId, keyId }: { userId: string; keyId: string },
): Promise<ApiKeyRow | undefined> {
  return trx
    .deleteFrom('api_keys')
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .returning(shown)
    .returning(withAddress)
    .executeTakeFirst()
}

export async function removeApiKeysOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute()
}

/** Notes that a key was used; at most once a minute, whichever process saw it. */
export async function touchApiKey(db: Handle, keyId: string, ip: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()`, last_used_ip: ip })
    .where('id', '=', keyId)
    .where((row) =>
      row.or([row('last_used_at', 'is', null), row('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)]),
    )
    .execute()
}
