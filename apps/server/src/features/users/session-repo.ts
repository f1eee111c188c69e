import type { Handle, Transaction } from '#src/db/client.ts'

export async function insertSession(
  trx: Transaction,
  session: { userId: string; refreshHash: Buffer; expiresAt: Date; ip: string; userAgent: string | undefined },
): Promise<string> {
  const { id } = await trx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      refresh_hash: session.refreshHash,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent?.slice(0, 512) ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a session for its rotation. */
export function lockSession(trx: Transaction, id: string) {
  return trx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function rotateSession(trx: Transaction, id: string, refreshHash: Buffer): Promise<void> {
  await trx
    .updateTable('sessions')
    .set((row) => ({ previous_hash: row.ref('refresh_hash'), refresh_hash: refreshHash, rotated_at: new Date() }))
    .where('id', '=', id)
    .execute()
}

export async function endSession(db: Handle, id: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

export async function insertLoginFailure(db: Handle, subject: string): Promise<void> {
  await db.insertInto('login_failures').values({ subject }).execute()
}

/** Failures of a subject since a moment, and when the last one was. */
export async function countLoginFailures(
  db: Handle,
  subject: string,
  since: Date,
): Promise<{ count: number; last: Date | null }> {
  return db
    .selectFrom('login_failures')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.max('at').as('last')])
    .where('subject', '=', subject)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
}

export async function deleteLoginFailures(db: Handle, subject: string): Promise<void> {
  await db.deleteFrom('login_failures').where('subject', '=', subject).execute()
}
