import type { SftpProof } from '@wakestone/contract/servers/remotefs'
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

type Holder = { serverId: string; userId: string }

export function findPassword(
  db: Handle,
  { serverId, userId }: Holder,
): Promise<{ id: string; password_hash: Buffer; created_at: Date } | undefined> {
  return db
    .selectFrom('sftp_passwords')
    .select(['id', 'password_hash', 'created_at'])
    .where('server_id', '=', serverId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** In place of the one before. @returns when it was made */
export async function replacePassword(trx: Transaction, { serverId, userId }: Holder, hash: Buffer): Promise<Date> {
  await removePassword(trx, { serverId, userId })
  const { created_at } = await trx
    .insertInto('sftp_passwords')
    .values({ server_id: serverId, user_id: userId, password_hash: hash })
    .returning('created_at')
    .executeTakeFirstOrThrow()
  return created_at
}

/** @returns whether there was one */
export async function removePassword(trx: Transaction, { serverId, userId }: Holder): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sftp_passwords')
    .where('server_id', '=', serverId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function isKeysOnly(db: Handle, serverId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sftp_settings')
    .select('keys_only')
    .where('server_id', '=', serverId)
    .executeTakeFirst()
  return row?.keys_only ?? false
}

export async function writeKeysOnly(trx: Transaction, serverId: string, value: boolean): Promise<void> {
  await trx
    .insertInto('sftp_settings')
    .values({ server_id: serverId, keys_only: value })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet({ keys_only: value }))
    .execute()
}

/** Whether what somebody came with is still theirs. */
export async function hasProof(db: Handle, { serverId, userId }: Holder, { kind, id }: SftpProof): Promise<boolean> {
  const query =
    kind === 'key'
      ? db.selectFrom('ssh_keys').select('id').where('id', '=', id).where('user_id', '=', userId)
      : db
          .selectFrom('sftp_passwords')
          .select('id')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('server_id', '=', serverId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Notes a use. @returns whether it is the first one from that address within the hour */
export async function touchProof(trx: Transaction, { kind, id }: SftpProof, address: string): Promise<boolean> {
  const table = sql.table(kind === 'key' ? 'ssh_keys' : 'sftp_passwords')
  const { rows } = await sql<{ is_new: boolean }>`
    with before as (select id, last_used_at, last_used_ip from ${table} where id = ${id} for update)
    update ${table} proof set last_used_at = now(), last_used_ip = ${address}::inet from before
    where proof.id = before.id and (before.last_used_at is null or before.last_used_ip is distinct from ${address}::inet
      or before.last_used_at < now() - interval '1 minute')
    returning before.last_used_at is null or before.last_used_ip is distinct from ${address}::inet
      or before.last_used_at < now() - interval '1 hour' as is_new`.execute(trx)
  return rows[0]?.is_new ?? false
}

/** Servers with an address that begins with this name, one in each zone. */
export async function findServersNamed(db: Handle, subdomain: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('server_id')
    .distinct()
    .where('sub_domain', '=', subdomain)
    .where('server_id', 'is not', null)
    .limit(10)
    .execute()
  return rows.flatMap(({ server_id }) => server_id ?? [])
}
