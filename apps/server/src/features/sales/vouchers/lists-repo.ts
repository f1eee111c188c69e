/** What was made and who has used it, for lists. */
import { sql } from 'kysely'
import type { Handle } from '#src/db/client.ts'

type Page = { after?: string | undefined; limit: number }

/** What administrators have made, newest first; `count` is of all. */
export async function selectBatches(db: Handle, { after, limit }: Page) {
  let page = db
    .selectFrom('voucher_batches as batch')
    .innerJoin('users as maker', 'maker.id', 'batch.created_by')
    .selectAll('batch')
    .select('maker.username')
    .select((row) => [
      row
        .selectFrom('vouchers')
        .select(sql<number>`sum(uses)::int8`.as('uses'))
        .whereRef('vouchers.batch_id', '=', 'batch.id')
        .as('uses'),
      row
        .selectFrom('vouchers')
        .select(sql<number>`sum(uses - uses_left)::int8`.as('used'))
        .whereRef('vouchers.batch_id', '=', 'batch.id')
        .as('used'),
      row
        .selectFrom('vouchers')
        .select(sql<number>`count(revoked_at)::int8`.as('revoked'))
        .whereRef('vouchers.batch_id', '=', 'batch.id')
        .as('revoked'),
      row
        .selectFrom('vouchers')
        .innerJoin('voucher_uses as use', 'use.id', 'vouchers.last_use_id')
        .select(sql<Date>`max(use.ts)`.as('last'))
        .whereRef('vouchers.batch_id', '=', 'batch.id')
        .as('last_used_at'),
    ])
  if (after !== undefined) page = page.where('batch.id', '<', after)
  const rows = await page.orderBy('batch.id', 'desc').limit(limit).execute()
  const { count } = await db
    .selectFrom('voucher_batches')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_by', 'is not', null)
    .executeTakeFirstOrThrow()
  return { rows, count }
}

/** What a user has redeemed, newest first; `count` is of all. */
export async function selectUses(db: Handle, userId: string, { after, limit }: Page) {
  let page = db
    .selectFrom('voucher_uses as use')
    .innerJoin('vouchers', 'vouchers.id', 'use.voucher_id')
    .innerJoin('voucher_batches as batch', 'batch.id', 'vouchers.batch_id')
    .select(['use.id', 'use.ts', 'use.user_id', 'use.voucher_id', 'use.details', 'use.group_id', 'batch.created_at'])
    .where('use.user_id', '=', userId)
  if (after !== undefined) page = page.where('use.id', '<', after)
  const rows = await page.orderBy('use.id', 'desc').limit(limit).execute()
  const { count } = await db
    .selectFrom('voucher_uses')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { rows, count }
}
