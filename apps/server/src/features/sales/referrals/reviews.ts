/** Referrals as administrators see them, and what they decide about those that were held back. */
import { DomainError } from '@wakestone/contract/errors'
import type { AdminReferral } from '@wakestone/contract/sales/referral'
import { csvLine } from '@wakestone/kit/csv'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { type AdminReferralRow, countReferrals, selectReferral, selectReferrals } from './overview-repo.ts'
import { settleAgain, takeAllBack } from './rewards.ts'
import { findReferral, lockBoth } from './rewards-repo.ts'
import { writeReview } from './signs-repo.ts'

const rowsAtOnce = 500

type Review = AdminReferral['review']

export async function listReferrals(
  db: Handle,
  page: { review?: NonNullable<Review> | undefined; after?: string | undefined; limit: number },
): Promise<{ data: AdminReferral[]; count: number }> {
  const [rows, count] = await Promise.all([selectReferrals(db, page), countReferrals(db, page.review)])
  return { data: rows.map(show), count }
}

const show = (row: AdminReferralRow): AdminReferral => ({
  invited: { id: row.invited_id, username: row.invited_name },
  inviter: { id: row.inviter_id, username: row.inviter_name },
  code: row.code,
  created_at: row.created_at.toISOString(),
  signs: row.signs ?? [],
  review: row.review,
  hours: row.hours,
})

/**
 * Decides about a referral, also one that nothing was found about. Refused, it gives back what it has earned; allowed, the
 * next pass gives what it has earned meanwhile.
 * @throws DomainError `resource_not_found`.
 */
export async function reviewReferral(
  { db }: Pick<Context, 'db'>,
  actor: { userId: string; username: string },
  { userId, review, now }: { userId: string; review: 'allowed' | 'refused'; now: Date },
): Promise<AdminReferral> {
  return inTransaction(db, async (trx) => {
    const referral = await findReferral(trx, userId)
    if (referral === undefined) throw new DomainError('resource_not_found', { resource: 'user' })
    await lockBoth(trx, referral)
    await writeReview(trx, userId, { state: review, by: actor.userId, at: now })
    if (review === 'refused') await takeAllBack(trx, userId, now)
    else await settleAgain(trx, userId, now)
    const after = await selectReferral(trx, userId)
    if (after === undefined) throw new DomainError('resource_not_found', { resource: 'user' })
    await recordUserEvent(trx, userId, {
      action: 'USER_REFERRAL_REVIEW',
      data: { signs: after.signs ?? [], review, actor: { user_id: actor.userId, username: actor.username } },
    })
    return show(after)
  })
}

const columns = ['invited', 'inviter', 'code', 'time', 'signs', 'review', 'hours'] as const

/** All referrals as CSV, read page by page. */
export async function* exportReferrals(db: Handle): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: string | undefined
  do {
    const rows = await selectReferrals(db, { after, limit: rowsAtOnce })
    yield rows
      .map((row) =>
        csvLine([
          row.invited_name,
          row.inviter_name,
          row.code,
          row.created_at.toISOString(),
          (row.signs ?? []).join(' '),
          row.review ?? '',
          String(row.hours),
        ]),
      )
      .join('')
    after = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.invited_id
  } while (after !== undefined)
}
