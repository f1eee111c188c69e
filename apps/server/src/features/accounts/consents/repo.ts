import type { Selectable } from 'kysely'
import type { Handle } from '#src/db/client.ts'
import type { Consents } from '#src/db/types.gen.ts'

export type ConsentRow = Selectable<Consents>

export async function insertConsents(
  db: Handle,
  rows: readonly {
    userId: string
    subject: 'terms' | 'payments' | 'gdpr' | 'cookies'
    action: 'given' | 'withdrawn'
    version: string
    source: 'registration' | 'account' | 'cookie_choice'
    details?: Record<string, boolean>
    address: string
  }[],
): Promise<void> {
  await db
    .insertInto('consents')
    .values(
      rows.map(({ userId, details, ...row }) => ({
        ...row,
        user_id: userId,
        details: details === undefined ? null : JSON.stringify(details),
      })),
    )
    .execute()
}

export function selectConsents(db: Handle, userId: string): Promise<ConsentRow[]> {
  return db.selectFrom('consents').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').limit(200).execute()
}

/** The newest of each subject. */
export function selectNewest(db: Handle, userId: string): Promise<ConsentRow[]> {
  return db
    .selectFrom('consents')
    .selectAll()
    .distinctOn('subject')
    .where('user_id', '=', userId)
    .orderBy('subject')
    .orderBy('id', 'desc')
    .execute()
}
