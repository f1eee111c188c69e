import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { SshKeys } from '#src/db/types.gen.ts'

export type SshKeyRow = Omit<Selectable<SshKeys>, 'public_key'>

const shown = ['id', 'user_id', 'name', 'algorithm', 'fingerprint', 'created_at', 'last_used_at'] as const
const withAddress = sql<string | null>`host(last_used_ip)`.as('last_used_ip')

/** The newest first. */
export function selectSshKeys(db: Handle, userId: string): Promise<SshKeyRow[]> {
  return db
    .selectFrom('ssh_keys')
    .select(shown)
    .select(withAddress)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** @returns undefined when the user has it already. */
export function insertSshKey(
  trx: Transaction,
  key: { userId: string; name: string; algorithm: string; publicKey: Buffer; fingerprint: string },
): Promise<SshKeyRow | undefined> {
  const { userId, publicKey, ...rest } = key
  return trx
    .insertInto('ssh_keys')
    .values({ ...rest, user_id: userId, public_key: publicKey })
    .onConflict((conflict) => conflict.columns(['user_id', 'fingerprint']).doNothing())
    .returning(shown)
    .returning(withAddress)
    .executeTakeFirst()
}

export function removeSshKey(
  trx: Transaction,
  { userId, keyId }: { userId: string; keyId: string },
): Promise<SshKeyRow | undefined> {
  return trx
    .deleteFrom('ssh_keys')
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .returning(shown)
    .returning(withAddress)
    .executeTakeFirst()
}

export async function removeSshKeysOf(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom('ssh_keys').where('user_id', '=', userId).execute()
}

/** The key of a user with these bytes. */
export async function findSshKey(db: Handle, userId: string, publicKey: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('ssh_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  return row?.id
}
