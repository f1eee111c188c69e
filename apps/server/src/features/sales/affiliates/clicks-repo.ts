import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

/** @returns the salt of the day, whoever made it. */
export async function ensureSalt(trx: Transaction, day: string, fresh: Buffer): Promise<Buffer> {
  await sql`insert into affiliate_salts (day, salt) values (${day}::date, ${fresh}) on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ salt: Buffer }>`select salt from affiliate_salts where day = ${day}::date`.execute(trx)
  const [row] = rows as [{ salt: Buffer }]
  return row.salt
}

/** Counts unless the same hash was counted today. */
export async function addClick(
  trx: Transaction,
  { affiliateId, day, hash }: { affiliateId: string; day: string; hash: Buffer },
): Promise<void> {
  await sql`
    with seen as (
      insert into affiliate_visitors (day, hash) values (${day}::date, ${hash}) on conflict do nothing returning 1)
    insert into affiliate_clicks (user_id, day, clicks) select ${affiliateId}::uuid, ${day}::date, 1 from seen
    on conflict (user_id, day) do update set clicks = affiliate_clicks.clicks + 1`.execute(trx)
}

export async function deleteSaltsBefore(db: Handle, day: string): Promise<void> {
  await sql`delete from affiliate_salts where day < ${day}::date`.execute(db)
}
