/**
 * Visits by affiliates' links, counted without knowing who came: of a visit only a hash is kept, with a salt that is made
 * for the day and thrown away with it, and the hash with it. Nothing is stored in the visitor's browser.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { networkOf, requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { addClick, deleteSaltsBefore, ensureSalt } from './clicks-repo.ts'
import { findAffiliateOfCode } from './repo.ts'

const robots = /bot|crawl|spider|slurp|preview|fetch|monitor|headless|curl|wget|python|java\//i

/** Counts a visitor once a day and affiliate. Codes of nobody who takes part count nothing. */
export async function countVisit(
  context: Pick<Context, 'db' | 'settings'>,
  { code, ip, userAgent, now }: { code: string; ip: string; userAgent: string | undefined; now: Date },
): Promise<void> {
  if (userAgent === undefined || robots.test(userAgent)) return
  await requireWithinLimit(context, 'click', { ip })
  const affiliateId = await findAffiliateOfCode(context.db, code)
  if (affiliateId === undefined) return
  const day = now.toISOString().slice(0, 10)
  await inTransaction(context.db, async (trx) => {
    const salt = await ensureSalt(trx, day, randomBytes(32))
    const hash = createHash('sha256')
      .update(salt)
      .update(JSON.stringify([affiliateId, networkOf(ip), userAgent]))
      .digest()
    await addClick(trx, { affiliateId, day, hash })
  })
}

/** Throws away by what the days before this one told visitors apart. */
export function forgetVisitors({ db }: Pick<Context, 'db'>, now: Date): Promise<void> {
  return deleteSaltsBefore(db, now.toISOString().slice(0, 10))
}
