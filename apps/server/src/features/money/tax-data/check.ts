/** Asks the EU's register of a VAT id, again and again until it answers. */
import { askVies, ViesUnavailable } from '#src/adapters/vies/client.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { defineJob, enqueue } from '#src/jobs/boss.ts'
import { findCheck, findOpenChecks, insertRechecks, noteAnswer } from './repo.ts'

const day = 86_400_000
const validForDays = 30

/** Pauses grow from half a minute to some hours: a member state may be out of reach for a day. */
export const checkTaxIdJob = defineJob<{ checkId: string }>({
  queue: 'check-tax-id',
  policy: 'standard',
  retryLimit: 12,
  retryDelaySeconds: 30,
  expireInSeconds: 60,
})

/** Does the job. @throws ViesUnavailable, so that it is tried again. */
export async function checkTaxId(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { checkId }: { checkId: string },
): Promise<void> {
  const check = await findCheck(db, checkId)
  if (check === undefined || check.state === 'valid' || check.state === 'invalid') return
  try {
    const { isValid, consultationNumber } = await askVies(settings, check.tax_id)
    await noteAnswer(db, checkId, { state: isValid ? 'valid' : 'invalid', consultationNumber })
  } catch (error) {
    if (error instanceof ViesUnavailable) await noteAnswer(db, checkId, { state: 'unavailable', error: error.message })
    throw error
  }
}

/** Asks the register again: for valid ids whose answer has aged, and for those it has not answered for in a day. */
export async function askAgain({ db, boss }: Pick<Context, 'db' | 'boss'>, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const open = await findOpenChecks(trx, new Date(now.getTime() - day))
    const aged = await insertRechecks(trx, new Date(now.getTime() - validForDays * day))
    for (const checkId of [...open, ...aged]) await enqueue(boss, trx, checkTaxIdJob, { checkId })
  })
}
