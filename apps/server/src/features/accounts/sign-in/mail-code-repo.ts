import type { Handle, Transaction } from '#src/db/client.ts'

export type LinkPurpose = 'confirm_email' | 'reset_password' | 'change_email'

export async function insertMailCode(
  trx: Transaction,
  code: { userId: string; purpose: LinkPurpose; email: string; accountEmail: string; expiresAt: Date },
): Promise<string> {
  const { id } = await trx
    .insertInto('mail_codes')
    .values({
      user_id: code.userId,
      purpose: code.purpose,
      email: code.email,
      account_email: code.accountEmail,
      expires_at: code.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const selectCodes = (db: Handle) =>
  db
    .selectFrom('mail_codes')
    .innerJoin('users', 'users.id', 'mail_codes.user_id')
    .select(['mail_codes.id', 'mail_codes.email', 'mail_codes.account_email', 'mail_codes.purpose'])
    .select(['mail_codes.expires_at', 'mail_codes.used_at'])
    .select([
      'users.id as userId',
      'users.username',
      'users.language',
      'users.email as userEmail',
      'users.email_verified',
    ])
    .where('users.destroyed_at', 'is', null)

export function findMailCode(db: Handle, id: string) {
  return selectCodes(db).where('mail_codes.id', '=', id).executeTakeFirst()
}

/** Locks the code and its account, so that of two who spend it one comes second. */
export function lockMailCode(trx: Transaction, id: string) {
  return selectCodes(trx).where('mail_codes.id', '=', id).forUpdate().executeTakeFirst()
}

export async function markMailCodeUsed(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('mail_codes').set({ used_at: new Date() }).where('id', '=', id).execute()
}

/** How many links of one purpose an account was sent since then. */
export async function countMailCodesSince(
  db: Handle,
  userId: string,
  purpose: LinkPurpose,
  since: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('mail_codes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}
