/**
 * The affiliate programme: who takes part, and what they see of it. What it earns: see `commissions.ts`; how that is
 * used: `payouts.ts`; how visits are counted: `clicks.ts`.
 */
import type { z } from 'zod'
import type { Affiliate, applyAffiliateBody } from '@wakestone/contract/sales/affiliate'
import { DomainError } from '@wakestone/contract/errors'
import { walletCurrencies } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { accounts } from '#src/features/money/ledger/service.ts'
import { countAll, selectDays, selectMoved } from './overview-repo.ts'
import { findAffiliate, findPosted, insertAffiliate, isVerified } from './repo.ts'

export { type CommissionRules, earnCommission, reduceCommission, takeCommissionsBack } from './commissions.ts'
export { payOut } from './payouts.ts'

const dayMilliseconds = 24 * 3600_000

/** What an affiliate sees, without the code, which referrals know. */
export async function showAffiliate(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
  { days, now }: { days: number; now: Date },
): Promise<Omit<Affiliate, 'referral_code'>> {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const from = dayOf(now.getTime() - (days - 1) * dayMilliseconds)
  const [affiliate, all, rows, moved] = await Promise.all([
    findAffiliate(db, userId),
    countAll(db, userId),
    selectDays(db, userId, { from, to: dayOf(now.getTime()) }),
    selectMoved(db, userId),
  ])
  const earnings = walletCurrencies.map(async (currency) => {
    const of = moved.find((one) => one.currency === currency)
    return {
      currency,
      pending: await findPosted(db, accounts.commission(userId, 'pending', currency)),
      available: await findPosted(db, accounts.commission(userId, 'available', currency)),
      paid: of?.paid ?? 0,
      owed: of?.owed ?? 0,
    }
  })
  return {
    state: (affiliate?.state ?? 'none') as Affiliate['state'],
    percent: settings.AFFILIATE_PERCENT,
    months: settings.AFFILIATE_MONTHS,
    hold_days: settings.AFFILIATE_HOLD_DAYS,
    ...all,
    earnings: await Promise.all(earnings),
    days: rows,
  }
}

/** @throws DomainError `email_not_verified`, `resource_already_exists`. */
export async function applyForAffiliate(
  { db }: Pick<Context, 'db'>,
  userId: string,
  { website, about, now }: z.output<typeof applyAffiliateBody> & { now: Date },
): Promise<void> {
  if (!(await isVerified(db, userId))) throw new DomainError('email_not_verified')
  await inTransaction(db, async (trx) => {
    if (!(await insertAffiliate(trx, { userId, website, about, at: now })))
      throw new DomainError('resource_already_exists', { resource: 'affiliate' })
    await recordUserEvent(trx, userId, { action: 'USER_AFFILIATE_APPLY', data: { user_url: website } })
  })
}
