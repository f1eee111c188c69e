import type { Handle, Transaction } from '#src/db/client.ts'

export async function insertMailCode(
  trx: Transaction,
  code: { userId: string; purpose: 'confirm_email'; email: string; expiresAt: Date },
): Promise<string> {
  const { id } = await trx
    .insertInto('mail_codes')
    .values({ user_id: code.userId, purpose: code.purpose, email: code.email, expires_at: code.expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function findMailCode(db: Handle, id: string) {
  return db
    .selectFrom('mail_codes')
    .innerJoin('users', 'users.id', 'mail_codes.user_id')
    .select(['mail_codes.id', 'mail_codes.email', 'mail_codes.purpose', 'mail_codes.expires_at', 'mail_codes.used_at'])
    .select([
      'users.id as userId',
      'users.username',
      'users.language',
      'users.email as userEmail',
      'users.email_verified',
    ])
    .where('mail_codes.id', '=', id)
    .executeTakeFirst()
}

/** @returns false when somebody used it first. */
export async function useMailCode(trx: Transaction, id: string): Promise<boolean> {
  const result = await trx
    .updateTable('mail_codes')
    .set({ used_at: new Date() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function countMailCodesSince(db: Handle, userId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mail_codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}
