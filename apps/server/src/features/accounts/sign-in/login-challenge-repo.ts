import type { Handle, Transaction } from '#src/db/client.ts'

export async function insertLoginChallenge(
  trx: Transaction,
  challenge: { userId: string; browserHash: Buffer; event: object; expiresAt: Date },
): Promise<string> {
  await trx
    .deleteFrom('login_challenges')
    .where('user_id', '=', challenge.userId)
    .where('expires_at', '<', new Date())
    .execute()
  const { id } = await trx
    .insertInto('login_challenges')
    .values({
      user_id: challenge.userId,
      browser_hash: challenge.browserHash,
      event: JSON.stringify(challenge.event),
      expires_at: challenge.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function findLoginChallenge(db: Handle, id: string) {
  return db.selectFrom('login_challenges').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks a challenge, so that tries are counted one by one. */
export function lockLoginChallenge(trx: Transaction, id: string) {
  return trx.selectFrom('login_challenges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function countLoginTry(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('login_challenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function markLoginChallengeUsed(trx: Transaction, id: string): Promise<void> {
  await trx.updateTable('login_challenges').set({ used_at: new Date() }).where('id', '=', id).execute()
}
