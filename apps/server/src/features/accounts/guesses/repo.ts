import type { Handle } from '#src/db/client.ts'
import { deleteOldest } from '#src/db/delete-oldest.ts'

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

/** Removes some of the failures noted before a moment, the oldest first. @returns how many. */
export function deleteLoginFailuresBefore(db: Handle, before: Date, limit: number): Promise<number> {
  return deleteOldest(db, 'login_failures', { before, limit })
}
