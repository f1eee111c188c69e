import { sql } from 'kysely'
import { lockName } from '#src/db/lock-name.ts'
import type { Handle, Transaction } from '#src/db/client.ts'

export type ReferralCode = { id: string; code: string; user_id: string }

const columns = ['referral_codes.id', 'referral_codes.code', 'referral_codes.user_id'] as const

/** Providers of top-ups that nobody paid for at a gateway. */
export const notPaid = ['wallet', 'affiliate', 'pay-later'] as const

/** Ignoring case. Codes of deleted accounts bring nobody. */
export function findCode(db: Handle, code: string): Promise<ReferralCode | undefined> {
  return db
    .selectFrom('referral_codes')
    .innerJoin('users', 'users.id', 'referral_codes.user_id')
    .select(columns)
    .where((row) => row(row.fn<string>('lower', ['code']), '=', code.toLowerCase()))
    .where('users.destroyed_at', 'is', null)
    .executeTakeFirst()
}

export function findCodeById(db: Handle, id: string): Promise<ReferralCode | undefined> {
  return db.selectFrom('referral_codes').select(columns).where('id', '=', id).executeTakeFirst()
}

/** The newest code of a user, which is the one that is shown. */
export function findCodeOf(db: Handle, userId: string): Promise<ReferralCode | undefined> {
  return db
    .selectFrom('referral_codes')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** @returns undefined when somebody has the code. */
export function insertCode(trx: Transaction, userId: string, code: string): Promise<ReferralCode | undefined> {
  return trx
    .insertInto('referral_codes')
    .values({ user_id: userId, code })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function countCodesSince(db: Handle, userId: string, since: Date): Promise<number> {
  const { n } = await db
    .selectFrom('referral_codes')
    .select(db.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return n
}

/** Locks a user until the transaction ends: their codes are chosen one after the other. */
export async function lockReferrer(trx: Transaction, userId: string): Promise<{ username: string } | undefined> {
  return trx
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('destroyed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Who brought whom is written one after the other: a cycle could close between two that do not see each other. */
export async function lockReferrals(trx: Transaction): Promise<void> {
  await lockName(trx, 'referrals')
}

/** Whether `userId` has brought `otherId`, be it over others. */
export async function hasBrought(trx: Transaction, userId: string, otherId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above (user_id) as (
      select ${otherId}::uuid
      union
      select referrals.referrer_id from referrals join above on referrals.user_id = above.user_id
    )
    select exists (select from above where user_id = ${userId}::uuid) as found`.execute(trx)
  return rows[0]?.found === true
}

/** Whether a user has ever paid in through a provider, also where it was given back. */
export async function hasPaid(db: Handle, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'COMPLETED')
    .where('action', '=', 'DEPOSIT')
    .where('amount', '>', 0)
    .where('provider', 'not in', notPaid)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when the user has a referrer already. */
export async function insertReferral(
  trx: Transaction,
  referral: { userId: string; codeId: string; referrerId: string },
): Promise<boolean> {
  const row = await trx
    .insertInto('referrals')
    .values({
      user_id: referral.userId,
      code_id: referral.codeId,
      referrer_id: referral.referrerId,
      programme: sql<string>`case when exists (
        select from affiliates where user_id = ${referral.referrerId}::uuid and state = 'approved')
        then 'affiliate' else 'hours' end`,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findReferrerCode(db: Handle, userId: string): Promise<string | null> {
  const row = await db.selectFrom('referrals').select('code_id').where('user_id', '=', userId).executeTakeFirst()
  return row?.code_id ?? null
}
