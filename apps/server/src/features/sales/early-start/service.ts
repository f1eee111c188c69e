/**
 * Asking for what is bought to begin before the 14 days for a withdrawal are over (Directive 2011/83/EU, articles 7(3) and
 * 14(3)). Without that a withdrawal costs nothing, whatever was used: nobody is to live on it.
 */
import { DomainError } from '@wakestone/contract/errors'
import { withdrawalDays } from '@wakestone/contract/sales/withdrawal'
import type { Handle, Transaction } from '#src/db/client.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { wasGivenWhole } from './repo.ts'

const day = 86_400_000

/** The last moment to withdraw from a purchase of that time. */
export const deadlineOf = (at: Date) => new Date(at.getTime() + withdrawalDays * day)

/** For so long after a withdrawal that gave back what had begun as a whole. */
const remembered = 365 * day

/**
 * A consumer who was given all back of something that had begun buys in the following year only what they ask to begin at
 * once, unless it costs nothing, or begins when it cannot be withdrawn from any more.
 * @param purchase `amount`: gross; `begins`: now where missing.
 * @throws DomainError `invalid_request` with the field `immediate`.
 */
export async function requireAsked(
  trx: Transaction,
  purchase: { userId: string; amount: number; immediate: boolean | undefined; begins?: Date; now: Date },
): Promise<void> {
  const { userId, amount, immediate, now, begins = now } = purchase
  if (immediate === true || amount <= 0 || begins > deadlineOf(now)) return
  if (await isAskedOf(trx, userId, now)) throw new DomainError('invalid_request', { immediate: 'required' })
}

/** Whether somebody buys at that time only what they ask to begin at once. */
export async function isAskedOf(db: Handle, userId: string, now: Date): Promise<boolean> {
  if (!(await wasGivenWhole(db, userId, new Date(now.getTime() - remembered)))) return false
  return (await showTaxData(db, userId))?.kind !== 'company'
}
