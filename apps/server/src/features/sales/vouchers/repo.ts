/** Codes: making them, reading them, using them. */
import { sql } from 'kysely'
import { lockName } from '#src/db/lock-name.ts'
import type { VoucherData } from '@wakestone/contract/sales/voucher'
import type { Handle, Transaction } from '#src/db/client.ts'

export type NewBatch = {
  createdBy: string | null
  prefix: string
  groupId: string | null
  perUser: number
  expires: Date
  data: VoucherData
  codes: number
  hours: number
  value: Record<string, number>
}

/** @returns its id. */
export async function insertBatch(trx: Transaction, batch: NewBatch): Promise<string> {
  const { id } = await trx
    .insertInto('voucher_batches')
    .values({
      created_by: batch.createdBy,
      prefix: batch.prefix,
      group_id: batch.groupId,
      per_user: batch.perUser,
      expires: batch.expires,
      data: JSON.stringify(batch.data),
      codes: batch.codes,
      hours: batch.hours,
      value: JSON.stringify(batch.value),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @returns how many of the codes were free. */
export async function insertVouchers(
  trx: Transaction,
  { batchId, codes, uses, userId }: { batchId: string; codes: readonly string[]; uses: number; userId: string | null },
): Promise<number> {
  const rows = await trx
    .insertInto('vouchers')
    .values(codes.map((code) => ({ batch_id: batchId, code, uses, uses_left: uses, user_id: userId })))
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning('id')
    .execute()
  return rows.length
}

/** What an administrator has given away since then. Others of theirs wait until the transaction ends. */
export async function sumMade(
  trx: Transaction,
  { userId, since }: { userId: string; since: Date },
): Promise<{ codes: number; hours: number; value: Record<string, number> }> {
  await lockName(trx, `voucher-maker:${userId}`)
  const { rows } = await sql<{ codes: number; hours: number; value: Record<string, number> }>`
    with made as (select * from voucher_batches where created_by = ${userId} and created_at > ${since}),
    amounts as (
      select part.key as currency, sum(part.value::bigint)::bigint as amount
      from made, jsonb_each_text(made.value) part group by part.key
    )
    select coalesce(sum(codes), 0)::int8 as codes, coalesce(sum(hours), 0)::int8 as hours,
      (select coalesce(jsonb_object_agg(currency, amount), '{}') from amounts) as value
    from made`.execute(trx)
  return rows[0] as (typeof rows)[number]
}

/** One user’s vouchers are used one after the other: limits are counted in peace. */
export async function lockUsesOf(trx: Transaction, userId: string): Promise<void> {
  await lockName(trx, `voucher-user:${userId}`)
}

const selectVouchers = (db: Handle) =>
  db
    .selectFrom('vouchers')
    .innerJoin('voucher_batches as batch', 'batch.id', 'vouchers.batch_id')
    .select([
      'vouchers.id',
      'vouchers.code',
      'vouchers.uses',
      'vouchers.uses_left',
      'vouchers.user_id',
      'vouchers.last_use_id',
      'vouchers.revoked_at',
      'batch.created_at',
      'batch.expires',
      'batch.group_id',
      'batch.prefix',
      'batch.per_user',
      'batch.data',
    ])
export type VoucherRow = Awaited<ReturnType<typeof findVouchers>>[number]

export function findVouchers(db: Handle, codes: readonly string[]) {
  return selectVouchers(db).where('vouchers.code', 'in', codes).execute()
}

export function findVouchersOfBatch(db: Handle, batchId: string) {
  return selectVouchers(db).where('vouchers.batch_id', '=', batchId).orderBy('vouchers.id').execute()
}

/**
 * Takes back what can still be used of a batch, or of some codes in it. Whoever uses one at this moment is waited for.
 * @returns how many were taken back.
 */
export async function writeRevoked(
  trx: Transaction,
  { batchId, ids, now }: { batchId: string; ids: readonly string[] | undefined; now: Date },
): Promise<number> {
  let change = trx
    .updateTable('vouchers')
    .set({ revoked_at: now })
    .where('batch_id', '=', batchId)
    .where('uses_left', '>', 0)
    .where('revoked_at', 'is', null)
  if (ids !== undefined) change = change.where('id', 'in', ids)
  return Number((await change.executeTakeFirst()).numUpdatedRows)
}

/** A code of this group that a user has been given and may still use. */
export function findOwnVoucher(db: Handle, { userId, groupId, now }: { userId: string; groupId: string; now: Date }) {
  return selectVouchers(db)
    .where('vouchers.user_id', '=', userId)
    .where('batch.group_id', '=', groupId)
    .where('batch.expires', '>', now)
    .where('vouchers.uses_left', '>', 0)
    .executeTakeFirst()
}

/** What a user has used: each of these vouchers, and groups with the last time of each. */
export async function findEarlierUses(db: Handle, userId: string, voucherIds: readonly string[]) {
  return db
    .selectFrom('voucher_uses')
    .select(['voucher_id', 'group_id', sql<Date>`max(ts)`.as('last'), sql<number>`count(*)`.as('count')])
    .where('user_id', '=', userId)
    .where((row) =>
      row.or([
        ...(voucherIds.length === 0 ? [] : [row('voucher_id', 'in', voucherIds)]),
        row('group_id', 'is not', null),
      ]),
    )
    .groupBy(['voucher_id', 'group_id'])
    .execute()
}

/** How often a user has used one voucher. */
export async function countEarlierUses(
  db: Handle,
  { userId, voucherId }: { userId: string; voucherId: string },
): Promise<number> {
  const { n } = await db
    .selectFrom('voucher_uses')
    .select(db.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('voucher_id', '=', voucherId)
    .executeTakeFirstOrThrow()
  return n
}

/** When a user's uses since then were, oldest first. */
export async function selectUseTimes(db: Handle, userId: string, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('voucher_uses')
    .select('ts')
    .where('user_id', '=', userId)
    .where('ts', '>', since)
    .orderBy('ts')
    .execute()
  return rows.map(({ ts }) => ts)
}

export type NewUse = {
  voucher: Pick<VoucherRow, 'id' | 'group_id'>
  userId: string
  now: Date
  details: object
  key?: string | undefined
  requestHash?: Buffer | undefined
}

/**
 * Takes one use of a voucher: the one place where `uses_left` goes down, and only while there is one left.
 * @returns id of the use; undefined where others have taken them all, or an administrator has taken it back.
 */
export async function takeUse(trx: Transaction, use: NewUse): Promise<string | undefined> {
  const { voucher, userId, now, details, key, requestHash } = use
  const { rows } = await sql<{ id: string }>`
    with fresh as materialized (select uuidv7() as id),
    taken as (
      update vouchers set uses_left = uses_left - 1, last_use_id = (select id from fresh)
      where id = ${voucher.id} and uses_left > 0 and revoked_at is null returning id
    )
    insert into voucher_uses (id, voucher_id, user_id, group_id, ts, key, request_hash, details)
    select fresh.id, taken.id, ${userId}, ${voucher.group_id}, ${now}, ${key ?? null}, ${requestHash ?? null},
      ${JSON.stringify(details)}::jsonb
    from fresh, taken returning id`.execute(trx)
  return rows[0]?.id
}

export function findUseByKey(db: Handle, userId: string, key: string) {
  return db
    .selectFrom('voucher_uses')
    .select(['id', 'request_hash', 'details'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
}
