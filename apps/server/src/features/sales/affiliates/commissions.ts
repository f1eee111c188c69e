/**
 * Commission: a share of each top-up of those whom an affiliate has brought. It is booked as pending, becomes available
 * after some days, and goes back with its top-up: out of what is pending or available, and where that has been used, as
 * something owed. Whatever moves commission holds the lock of its affiliate's balance.
 */
import type { Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { accounts, openAccount, postToLedger } from '#src/features/money/ledger/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import {
  addOwed,
  type Commission,
  findCommission,
  findPosted,
  insertCommission,
  lockApproved,
  lockBalance,
  lockCommission,
  lockDue,
  selectCommissionsOf,
  selectDue,
  updateCommission,
} from './repo.ts'

const day = 24 * 3600_000

export type CommissionRules = Pick<Settings, 'AFFILIATE_PERCENT' | 'AFFILIATE_MONTHS' | 'AFFILIATE_HOLD_DAYS'>
type EarningTopUp = {
  id: string
  currency: string
  created_at: Date
  /** Of it, what its payer has not taken back. */
  kept: number
}

/** Rounded down: what is shared is never more than it says. */
export const commissionOf = (kept: number, percent: number) => Math.floor((kept * percent) / 100)

/** When those who came at a moment stop to count. */
export function endOfReferral(from: Date, months: number): Date {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months)
  return end
}

/** Books what a top-up earns, once. The caller holds the lock of the top-up. */
export async function earnCommission(
  trx: Transaction,
  rules: CommissionRules,
  earned: { affiliateId: string; invitedId: string; since: Date; topUp: EarningTopUp },
): Promise<void> {
  const { affiliateId, invitedId, since, topUp } = earned
  const { id: transactionId, currency, kept, created_at: paidAt } = topUp
  if (paidAt < since || paidAt >= endOfReferral(since, rules.AFFILIATE_MONTHS)) return
  const percent = rules.AFFILIATE_PERCENT
  const amount = commissionOf(kept, percent)
  if (amount === 0 || (await findCommission(trx, transactionId)) !== undefined) return
  if (!(await lockApproved(trx, affiliateId))) return
  await lockBalance(trx, affiliateId, currency)
  const id = await insertCommission(trx, {
    affiliateId,
    invitedId,
    transactionId,
    currency,
    amount,
    percent,
    paidAt,
    dueAt: new Date(paidAt.getTime() + rules.AFFILIATE_HOLD_DAYS * day),
  })
  for (const state of ['pending', 'available'] as const)
    await openAccount(trx, accounts.commission(affiliateId, state, currency), currency)
  await postToLedger(trx, {
    scope: 'commission',
    key: `earned:${transactionId}`,
    kind: 'COMMISSION',
    entries: [
      { code: accounts.affiliate(currency), currency, amount: -amount },
      { code: accounts.commission(affiliateId, 'pending', currency), currency, amount },
    ],
    meta: { commission_id: id, transaction_id: transactionId },
  })
}

/** Brings the commission of a top-up down to what is left of it. The caller holds the lock of the top-up. */
export async function reduceCommission(trx: Transaction, { id, kept }: { id: string; kept: number }): Promise<void> {
  const commission = await findCommission(trx, id)
  if (commission !== undefined) await reduce(trx, commission, commissionOf(kept, commission.percent))
}

/** Takes all commission of one who was brought back. */
export async function takeCommissionsBack(trx: Transaction, invitedId: string): Promise<void> {
  for (const commission of await selectCommissionsOf(trx, invitedId)) await reduce(trx, commission, 0)
}

async function reduce(trx: Transaction, known: Commission, target: number): Promise<void> {
  const { affiliate_id: affiliateId, currency, id } = known
  await lockBalance(trx, affiliateId, currency)
  const commission = await lockCommission(trx, id)
  if (commission === undefined || commission.amount <= target) return
  const lost = commission.amount - target
  const available = accounts.commission(affiliateId, 'available', currency)
  const isPending = commission.released_at === null
  const taken = isPending ? lost : Math.min(lost, Math.max(0, await findPosted(trx, available)))
  await postToLedger(trx, {
    scope: 'commission',
    key: `lost:${id}:${target}`,
    kind: 'COMMISSION',
    entries: [
      { code: accounts.affiliate(currency), currency, amount: lost },
      { code: isPending ? accounts.commission(affiliateId, 'pending', currency) : available, currency, amount: -taken },
      { code: accounts.commissionOwed(affiliateId, currency), currency, amount: taken - lost },
    ],
    meta: { commission_id: id },
  })
  if (taken < lost) await addOwed(trx, affiliateId, currency, lost - taken)
  await updateCommission(trx, id, { amount: target })
}

/** Makes commission available whose days have passed. What fails for one affiliate does not keep the others waiting. */
export async function releaseCommissions({ db, logger }: Pick<Context, 'db' | 'logger'>, now: Date): Promise<void> {
  for (const { affiliate_id: affiliateId, currency } of await selectDue(db, now)) {
    try {
      await inTransaction(db, (trx) => release(trx, { affiliateId, currency, now }))
    } catch (error) {
      logger.warn({ error, user: affiliateId }, 'commission is not released yet')
    }
  }
}

async function release(
  trx: Transaction,
  { affiliateId, currency, now }: { affiliateId: string; currency: string; now: Date },
): Promise<void> {
  if (!(await lockApproved(trx, affiliateId))) return
  let owed = await lockBalance(trx, affiliateId, currency)
  let total = 0
  for (const { id, amount } of await lockDue(trx, { affiliateId, currency, now })) {
    await updateCommission(trx, id, { released_at: now })
    if (amount === 0) continue
    const repaid = Math.min(owed, amount)
    await postToLedger(trx, {
      scope: 'commission',
      key: `released:${id}`,
      kind: 'COMMISSION',
      entries: [
        { code: accounts.commission(affiliateId, 'pending', currency), currency, amount: -amount },
        { code: accounts.commission(affiliateId, 'available', currency), currency, amount: amount - repaid },
        { code: accounts.commissionOwed(affiliateId, currency), currency, amount: repaid },
      ],
      meta: { commission_id: id },
    })
    if (repaid > 0) await addOwed(trx, affiliateId, currency, -repaid)
    owed -= repaid
    total += amount - repaid
  }
  if (total > 0)
    await notify(trx, {
      userId: affiliateId,
      kind: 'COMMISSION_AVAILABLE',
      fields: { amount: { amount: total, currency } },
    })
}
