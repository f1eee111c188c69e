import type { Handle, Transaction } from '#src/db/client.ts'

export type DigitsPurpose = 'login' | 'delete_account' | 'step_up'

export async function insertDigits(
  trx: Transaction,
  digits: {
    purpose: DigitsPurpose
    email: string
    userId: string | null
    language: string
    browserHash: Buffer | null
    askedFrom: string | null
    expiresAt: Date
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('mail_digits')
    .values({
      purpose: digits.purpose,
      email: digits.email,
      user_id: digits.userId,
      language: digits.language,
      browser_hash: digits.browserHash,
      asked_from: digits.askedFrom,
      expires_at: digits.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function findDigits(db: Handle, id: string) {
  return db.selectFrom('mail_digits').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks a code, so that tries are counted one by one. */
export function lockDigits(trx: Transaction, id: string) {
  return trx.selectFrom('mail_digits').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The newest code of a user that is neither used nor late. */
export async function findOpenDigitsOf(
  db: Handle,
  userId: string,
  purpose: DigitsPurpose,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mail_digits')
    .select('id')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row?.id
}

export async function countDigitsTry(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('mail_digits')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function markDigitsUsed(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('mail_digits').set({ used_at: new Date() }).where('id', '=', id).execute()
}

/** How many codes of one purpose were sent to an address since then; `askedFrom`: of those that one network asked for. */
export async function countDigitsSince(
  db: Handle,
  { email, purpose, askedFrom }: { email: string; purpose: DigitsPurpose; askedFrom?: string | null },
  since: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('mail_digits')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .$if(askedFrom !== undefined, (query) =>
      query.where('asked_from', 'is not distinct from', askedFrom as string | null),
    )
    .executeTakeFirstOrThrow()
  return count
}
