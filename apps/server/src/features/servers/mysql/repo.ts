import type { Handle, Transaction } from '#src/db/client.ts'

type MysqlRow = { created_at: Date; password_created_at: Date; password_hash: string | null }

export const findMysql = (db: Handle, serverId: string): Promise<MysqlRow | undefined> =>
  db
    .selectFrom('server_mysql')
    .select(['created_at', 'password_created_at', 'password_hash'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()

export function writePassword(
  trx: Transaction,
  serverId: string,
  { hash, at }: { hash: string; at: Date },
): Promise<MysqlRow> {
  const password = { password_created_at: at, password_hash: hash }
  return trx
    .insertInto('server_mysql')
    .values({ server_id: serverId, created_at: at, ...password })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(password))
    .returning(['created_at', 'password_created_at', 'password_hash'])
    .executeTakeFirstOrThrow()
}

/** @returns whether there was one */
export async function deleteMysql(trx: Transaction, serverId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('server_mysql')
    .where('server_id', '=', serverId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
