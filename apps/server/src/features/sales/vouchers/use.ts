/** Reading codes, and using them once for each use that they have. */
import { DomainError } from '@wakestone/contract/errors'
import {
  isTestingGroup,
  type ShownVoucher,
  type VoucherData,
  voucherCodeFaults,
} from '@wakestone/contract/sales/voucher'
import type { Context } from '#src/context.ts'
import type { Db, Handle, Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { limitFailures } from '#src/features/ground/limits/service.ts'
import { combine, type Effects, type Purpose, requireFit, type Target } from './fit.ts'
import { findEarlierUses, findVouchers, lockUsesOf, selectUseTimes, takeUse, type VoucherRow } from './repo.ts'
import { showToHolder } from './show.ts'

const day = 86_400_000

type Settings = Context['settings']
type Reader = { userId: string | undefined; settings: Settings; now: Date }
const refuse = (code: (typeof voucherCodeFaults)[number]) => new DomainError(code, { resource: 'voucher' })

/** Vouchers that have been read and can be used, with what they give together. */
export type ReadVouchers = { rows: VoucherRow[]; effects: Effects }

/**
 * Reads codes, for what they are used on.
 * @param reader without a user, what depends on who asks is left open.
 * @throws DomainError `voucher_not_found`, `voucher_revoked`, `voucher_expired`, `voucher_already_used`; those of `requireFit` and `combine`.
 */
export async function readVouchers(
  db: Handle,
  codes: readonly string[],
  { purpose, target, reader }: { purpose: Purpose; target: Target; reader: Reader },
): Promise<ReadVouchers> {
  const rows = await findUsable(db, codes, reader)
  for (const row of rows) requireFit(row.data as VoucherData, purpose, target)
  return { rows, effects: combine(rows.map((row) => row.data as VoucherData)) }
}

/** One code, whatever it may be used on. */
export async function readCode(db: Handle, code: string, reader: Reader): Promise<VoucherRow> {
  const [row] = await findUsable(db, [code], reader)
  if (row === undefined) throw refuse('voucher_not_found')
  return row
}

/** What a code gives. */
export async function showCode(db: Handle, code: string, reader: Reader): Promise<ShownVoucher> {
  return showToHolder(await readCode(db, code, reader))
}

async function findUsable(db: Handle, codes: readonly string[], reader: Reader): Promise<VoucherRow[]> {
  if (codes.length === 0) return []
  if (new Set(codes).size < codes.length) throw refuse('voucher_already_used')
  const found = await findVouchers(db, codes)
  const rows = codes.map((code) => {
    const row = found.find((one) => one.code === code)
    if (row === undefined || (row.user_id !== null && row.user_id !== reader.userId)) throw refuse('voucher_not_found')
    if (row.revoked_at !== null) throw refuse('voucher_revoked')
    if (row.expires <= reader.now || isCouponOver(row.data as VoucherData, reader.now)) throw refuse('voucher_expired')
    if (row.uses_left === 0) throw refuse('voucher_already_used')
    return row
  })
  const groups = rows.flatMap(({ group_id }) => group_id ?? [])
  if (new Set(groups).size < groups.length) throw refuse('voucher_already_used')
  if (reader.userId !== undefined) await requireNotUsed(db, rows, { ...reader, userId: reader.userId })
  return rows
}

/** What ends before it is used serves nothing. */
const isCouponOver = ({ coupon }: VoucherData, now: Date) =>
  coupon?.end_time != null && new Date(coupon.end_time) <= now

/** One of a group for each user, and of all trial servers one in so many days. */
async function requireNotUsed(db: Handle, rows: VoucherRow[], { userId, settings, now }: Reader & { userId: string }) {
  const uses = await findEarlierUses(
    db,
    userId,
    rows.map(({ id }) => id),
  )
  const trialsSince = new Date(now.getTime() - settings.TRIAL_EVERY_DAYS * day)
  for (const row of rows) {
    const own = uses.filter(({ voucher_id }) => voucher_id === row.id)
    if (own.reduce((sum, { count }) => sum + Number(count), 0) >= row.per_user) throw refuse('voucher_already_used')
    const isUsed = uses.some(({ group_id, last, voucher_id }) => {
      if (isTestingGroup(row.group_id)) return isTestingGroup(group_id) && last > trialsSince
      // How often one code of a group may be used is its own.
      return row.group_id !== null && group_id === row.group_id && voucher_id !== row.id
    })
    if (isUsed) throw refuse('voucher_already_used')
  }
}

/** Whoever has tried a server lately cannot try another. */
export async function hasTriedServer(
  db: Handle,
  { userId, settings, now }: Reader & { userId: string },
): Promise<boolean> {
  const since = new Date(now.getTime() - settings.TRIAL_EVERY_DAYS * day)
  const uses = await findEarlierUses(db, userId, [])
  return uses.some(({ group_id, last }) => isTestingGroup(group_id) && last > since)
}

/**
 * Begins the use of vouchers in a transaction: whoever uses others of the same user's waits until it ends. Read them
 * after this, and take them with `takeVouchers` in the same transaction.
 * @throws DomainError `too_many_requests` past the day's number.
 */
export async function beginUse(
  trx: Transaction,
  { userId, settings, now, count }: { userId: string; settings: Settings; now: Date; count: number },
): Promise<void> {
  await lockUsesOf(trx, userId)
  const limit = settings.LIMIT_VOUCHERS
  if (limit === 0) return
  const times = await selectUseTimes(trx, userId, new Date(now.getTime() - day))
  const tooMany = times.length + count - limit
  if (tooMany <= 0) return
  const free = (times[Math.min(tooMany, times.length) - 1]?.getTime() ?? now.getTime()) + day
  throw new DomainError('too_many_requests', {
    resource: 'voucher',
    limit,
    retry_after: Math.max(1, Math.ceil((free - now.getTime()) / 1000)),
  })
}

/**
 * Uses vouchers up, one use each, in the transaction of what they give.
 * @returns ids of the uses, in the vouchers' order.
 * @throws DomainError `voucher_already_used` where others were faster, or who took it back; the transaction must not be committed then.
 */
export async function takeVouchers(
  trx: Transaction,
  { rows }: Pick<ReadVouchers, 'rows'>,
  use: {
    userId: string
    executorId?: string
    now: Date
    details: Record<string, unknown> & { service_id?: string; wallet_id?: string }
    key?: string | undefined
    requestHash?: Buffer | undefined
  },
): Promise<string[]> {
  const { executorId, ...taken } = use
  const ids: string[] = []
  // In one order, whoever uses several: nobody waits for one who waits for them.
  for (const voucher of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const id = await takeUse(trx, { ...taken, voucher })
    if (id === undefined) throw refuse('voucher_already_used')
    ids[rows.indexOf(voucher)] = id
    await recordUserEvent(trx, use.userId, {
      action: 'USER_USE_VOUCHER',
      data: {
        ...(executorId !== undefined && { executor: executorId }),
        voucher_id: voucher.id,
        group: voucher.group_id,
        ...(use.details.service_id !== undefined && { service_id: use.details.service_id }),
        ...(use.details.wallet_id !== undefined && { wallet_id: use.details.wallet_id }),
      },
    })
  }
  return ids
}

/**
 * Counts codes that are tried and are none, or none any more: so many an hour, then nobody tries on. A code that does
 * not fit what it is used on is no guess.
 * @throws DomainError `too_many_requests`, and whatever `work` throws.
 */
export function countGuesses<Result>(
  deps: { db: Db; settings: Settings },
  who: { ip: string; userId: string | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const isFailure = (error: unknown) =>
    error instanceof DomainError && (voucherCodeFaults as readonly string[]).includes(error.code)
  // The account first: one that is refused takes nothing from others behind its address.
  const { userId, ip } = who
  return limitFailures(deps, { action: 'voucher', who: { userId, ip }, isFailure }, work)
}
