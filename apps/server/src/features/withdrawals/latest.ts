/** What somebody bought last for a service and can withdraw from alone: a renewal, an upgrade, an add-on. */
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import { withdrawalDays } from '@wakestone/contract/withdrawal'
import type { Handle } from '#src/db/client.ts'
import { type ChangeRow, listChangesSince } from '#src/features/plans/service.ts'
import { giveUp, held, type Return, type ServiceRow, spansOf, within } from '#src/features/services/service.ts'
import { findRenewalsSince, type RenewalRow } from './repo.ts'
import type { Target } from './service.ts'

const day = 86_400_000

/**
 * @param rows the service, and what was added to it. @param withChanges not only renewals.
 * @returns undefined where there is nothing.
 */
export async function findLatest(
  db: Handle,
  rows: ServiceRow[],
  { now, withChanges }: { now: Date; withChanges: boolean },
): Promise<Target | undefined> {
  const [service] = rows as [ServiceRow]
  const since = new Date(now.getTime() - withdrawalDays * day)
  const renewals = await findRenewalsSince(db, service.id, since)
  const changes = withChanges ? await listChangesSince(db, service.id, since) : []
  const bought = [
    ...renewals.map((renewal) => ({ at: renewal.at, target: () => ofRenewal(rows, renewal, now) })),
    ...changes.map((change, index) => ({
      at: change.at,
      target: () => ofChange(rows, change, { isLast: index === 0 && renewals.every(({ at }) => at < change.at), now }),
    })),
  ].toSorted((one, other) => other.at.getTime() - one.at.getTime())
  for (const { target } of bought) {
    const found = target()
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined where its time was given up for another plan meanwhile. */
function ofRenewal(rows: ServiceRow[], renewal: RenewalRow, now: Date): Target | undefined {
  const [service] = rows as [ServiceRow]
  const until = renewal.expires_after.getTime()
  const span = spansOf(service).find(
    (one) => one.until <= until && one.payments.some(({ transaction }) => transaction === renewal.transaction_id),
  )
  if (span === undefined || service.expires === null || service.expires < renewal.expires_after) return undefined
  const from = Math.max(span.from, now.getTime())
  if (from >= until) return undefined
  const paid = { from: renewal.immediate ? from : span.from, until }
  const returns = rows.map((row) => ({ service: row, returns: giveUp(within(spansOf(row), paid)) }))
  const isWhole = !renewal.immediate && span.from < now.getTime()
  return { service, renewal, change: null, returns, stretch: { from, until }, isWhole }
}

/**
 * An upgrade that nothing was changed or bought after, or an add-on that is still there and was not renewed. A new period
 * took the place of what was paid before: that is not put together again, and is no target.
 */
function ofChange(
  rows: ServiceRow[],
  change: ChangeRow,
  { isLast, now }: { isLast: boolean; now: Date },
): Target | undefined {
  const [service] = rows as [ServiceRow]
  const { expires, executor_id, amount, transaction_ids, kind } = change
  if (executor_id === null || amount <= 0 || service.expires === null || service.expires <= now) return undefined
  const row = kind === 'add' ? rows.find(({ id }) => id === change.add_on_id) : service
  if (row === undefined || service.expires.getTime() !== expires?.getTime()) return undefined
  if (kind === 'upgrade') {
    const period = hoursOfPeriod(service.billing_period as BillingPeriod) * 3_600_000
    const isNewPeriod = expires.getTime() === change.at.getTime() + period
    const isAsThen = service.product_id === change.product_after && change.product_before !== 'FREE'
    if (!isLast || isNewPeriod || !isAsThen) return undefined
  } else if (kind !== 'add') return undefined
  const spans = spansOf(row)
  const counted = change.immediate ? held(spans, { now: now.getTime(), end: service.expires.getTime() }) : spans
  const returns = giveUp(counted).filter(
    ({ payment }: Return) => payment.transaction !== null && transaction_ids.includes(payment.transaction),
  )
  if (returns.length === 0) return undefined
  return {
    service,
    renewal: null,
    change,
    returns: [{ service: row, returns }],
    stretch: { from: now.getTime(), until: service.expires.getTime() },
    isWhole: !change.immediate,
  }
}
