/** Affiliates as administrators see them: a list, a decision, a file. */
import type { AdminAffiliate } from '@wakestone/contract/sales/affiliate'
import { DomainError } from '@wakestone/contract/errors'
import { csvLine } from '@wakestone/kit/csv'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { type AdminRow, countAffiliates, selectAffiliate, selectAffiliates } from './overview-repo.ts'
import { writeState } from './repo.ts'

const rowsAtOnce = 500

export async function listAffiliates(
  db: Handle,
  page: { state?: AdminAffiliate['state'] | undefined; after?: string | undefined; limit: number },
): Promise<{ data: AdminAffiliate[]; count: number }> {
  const [rows, count] = await Promise.all([selectAffiliates(db, page), countAffiliates(db, page.state)])
  return { data: rows.map(show), count }
}

const show = ({ user_id, username, applied_at, decided_at, ...row }: AdminRow): AdminAffiliate => ({
  ...row,
  user: { id: user_id, username },
  applied_at: applied_at.toISOString(),
  decided_at: decided_at?.toISOString() ?? null,
})

/** @throws DomainError `resource_not_found`. */
export async function changeAffiliate(
  { db }: Pick<Context, 'db'>,
  actor: { userId: string; username: string },
  { userId, state, now }: { userId: string; state: 'approved' | 'suspended'; now: Date },
): Promise<AdminAffiliate> {
  return inTransaction(db, async (trx) => {
    const before = await writeState(trx, userId, { state, by: actor.userId, at: now })
    const after = before === undefined ? undefined : await selectAffiliate(trx, userId)
    if (after === undefined) throw new DomainError('resource_not_found', { resource: 'affiliate' })
    if (before !== state) {
      await recordUserEvent(trx, userId, {
        action: 'USER_AFFILIATE_DECISION',
        data: { state, actor: { user_id: actor.userId, username: actor.username } },
      })
      await notify(trx, {
        userId,
        kind: state === 'approved' ? 'AFFILIATE_APPROVED' : 'AFFILIATE_SUSPENDED',
        fields: {},
      })
    }
    return show(after)
  })
}

const columns = ['user', 'state', 'website', 'applied', 'clicks', 'sign_ups', 'flagged', 'earned'] as const

/** All affiliates as CSV, read page by page. Amounts are minor units with their currency. */
export async function* exportAffiliates(db: Handle): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: string | undefined
  do {
    const rows = await selectAffiliates(db, { after, limit: rowsAtOnce })
    yield rows
      .map((row) =>
        csvLine([
          row.username,
          row.state,
          row.website,
          row.applied_at.toISOString(),
          String(row.clicks),
          String(row.sign_ups),
          String(row.flagged),
          row.earned.map(({ amount, currency }) => `${amount} ${currency}`).join('; '),
        ]),
      )
      .join('')
    after = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.user_id
  } while (after !== undefined)
}
