import type { Handle } from '#src/db/client.ts'

/** Whether somebody was given all back since then, of something that had begun. */
export async function wasGivenWhole(db: Handle, userId: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('user_id', '=', userId)
    .where('whole', '=', true)
    .where('confirmed_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
