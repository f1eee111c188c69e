/** Affiliates, their commission and its balances. */
import { sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'

export type AffiliateState = 'waiting' | 'approved' | 'suspended'

export function findAffiliate(db: Handle, userId: string) {
  return db
    .selectFrom('affiliates')
    .select(['user_id', 'state', 'applied_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Whether somebody takes part now; a suspension waits until the transaction ends. */
export async function lockApproved(trx: Transaction, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('affiliates')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('state', '=', 'approved')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when there is an application already. */
export async function insertAffiliate(
  trx: Transaction,
  row: { userId: string; website: string; about: string; at: Date },
): Promise<boolean> {
  const made = await trx
    .insertInto('affiliates')
    .values({ user_id: row.userId, website: row.website, about: row.about, applied_at: row.at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}

/** @returns the state before; undefined when there is no such affiliate. */
export async function writeState(
  trx: Transaction,
  userId: string,
  { state, by, at }: { state: AffiliateState; by: string; at: Date },
): Promise<string | undefined> {
  const before = await trx
    .selectFrom('affiliates')
    .select('state')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return undefined
  await trx
    .updateTable('affiliates')
    .set({ state, decided_at: at, decided_by: by })
    .where('user_id', '=', userId)
    .execute()
  return before.state
}

export type Commission = {
  id: string
  affiliate_id: string
  currency: string
  amount: number
  percent: number
  released_at: Date | null
}
const columns = ['id', 'affiliate_id', 'currency', 'amount', 'percent', 'released_at'] as const

export function findCommission(db: Handle, transactionId: string): Promise<Commission | undefined> {
  return db
    .selectFrom('affiliate_commissions')
    .select(columns)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
}

export function lockCommission(trx: Transaction, id: string): Promise<Commission | undefined> {
  return trx.selectFrom('affiliate_commissions').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function selectCommissionsOf(db: Handle, invitedId: string): Promise<Commission[]> {
  return db.selectFrom('affiliate_commissions').select(columns).where('invited_id', '=', invitedId).execute()
}

export async function insertCommission(
  trx: Transaction,
  row: {
    affiliateId: string
    invitedId: string
    transactionId: string
    currency: string
    amount: number
    percent: number
    paidAt: Date
    dueAt: Date
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('affiliate_commissions')
    .values({
      affiliate_id: row.affiliateId,
      invited_id: row.invitedId,
      transaction_id: row.transactionId,
      currency: row.currency,
      amount: row.amount,
      percent: row.percent,
      paid_at: row.paidAt,
      due_at: row.dueAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateCommission(
  trx: Transaction,
  id: string,
  change: { amount?: number; released_at?: Date },
): Promise<void> {
  await trx.updateTable('affiliate_commissions').set(change).where('id', '=', id).execute()
}

/** Whose commission is due in which currency; that of suspended affiliates waits. */
export async function selectDue(db: Handle, now: Date): Promise<{ affiliate_id: string; currency: string }[]> {
  return db
    .selectFrom('affiliate_commissions')
    .innerJoin('affiliates', 'affiliates.user_id', 'affiliate_commissions.affiliate_id')
    .select(['affiliate_id', 'currency'])
    .distinct()
    .where('released_at', 'is', null)
    .where('due_at', '<=', now)
    .where('affiliates.state', '=', 'approved')
    .execute()
}

export function lockDue(
  trx: Transaction,
  { affiliateId, currency, now }: { affiliateId: string; currency: string; now: Date },
): Promise<Commission[]> {
  return trx
    .selectFrom('affiliate_commissions')
    .select(columns)
    .where('affiliate_id', '=', affiliateId)
    .where('currency', '=', currency)
    .where('released_at', 'is', null)
    .where('due_at', '<=', now)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Locks what an affiliate has in a currency. @returns what is owed of it. */
export async function lockBalance(trx: Transaction, userId: string, currency: string): Promise<number> {
  await trx
    .insertInto('affiliate_balances')
    .values({ user_id: userId, currency })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { owed } = await trx
    .selectFrom('affiliate_balances')
    .select('owed')
    .where('user_id', '=', userId)
    .where('currency', '=', currency)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return owed
}

export async function addOwed(trx: Transaction, userId: string, currency: string, amount: number): Promise<void> {
  await trx
    .updateTable('affiliate_balances')
    .set((row) => ({ owed: row('owed', '+', amount) }))
    .where('user_id', '=', userId)
    .where('currency', '=', currency)
    .execute()
}

/** Balance of a ledger account; nothing was ever on one that is not there. */
export async function findPosted(db: Handle, code: string): Promise<number> {
  const row = await db.selectFrom('ledger_accounts').select('posted').where('code', '=', code).executeTakeFirst()
  return row?.posted ?? 0
}

export function findPayout(db: Handle, userId: string, key: string) {
  return db
    .selectFrom('affiliate_payouts')
    .select(['wallet_id', 'amount', 'transaction_id'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function insertPayout(
  trx: Transaction,
  row: {
    userId: string
    key: string
    walletId: string
    currency: string
    amount: number
    transactionId: string
    at: Date
  },
): Promise<void> {
  await trx
    .insertInto('affiliate_payouts')
    .values({
      user_id: row.userId,
      key: row.key,
      wallet_id: row.walletId,
      currency: row.currency,
      amount: row.amount,
      transaction_id: row.transactionId,
      at: row.at,
    })
    .execute()
}

export async function isVerified(db: Handle, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('email_verified').where('id', '=', userId).executeTakeFirst()
  return row?.email_verified != null
}

/** The affiliate whose code it is, if they take part now. */
export async function findAffiliateOfCode(db: Handle, code: string): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    select affiliates.user_id from referral_codes join affiliates on affiliates.user_id = referral_codes.user_id
    where lower(referral_codes.code) = ${code.toLowerCase()} and affiliates.state = 'approved'`.execute(db)
  return rows[0]?.user_id
}
