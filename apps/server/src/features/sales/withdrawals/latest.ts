/** What somebody bought last for a service and can withdraw from alone: a renewal, an upgrade, an add-on. */
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import { withdrawalDays } from '@wakestone/contract/sales/withdrawal'
import type { Handle } from '#src/db/client.ts'
import { type ChangeRow, listChangesSince } from '#src/features/sales/plans/service.ts'
import {
  giveUp,
  held,
  type Return,
  type ServiceRow,
  type Span,
  spansOf,
  within,
} from '#src/features/sales/services/service.ts'
import { asReturn } from './contract.ts'
import { findRenewalsSince, type Paid, type RenewalRow } from './repo.ts'
import type { Target } from './service.ts'

const day = 86_400_000

/**
 * @param rows the service, and what was added to it. @param payments all that was paid for it.
 * @param withChanges not only renewals.
 * @returns undefined where there is nothing.
 */
export async function findLatest(
  db: Handle,
  rows: ServiceRow[],
  { payments, now, withChanges }: { payments: readonly Paid[]; now: Date; withChanges: boolean },
): Promise<Target | undefined> {
  const [service] = rows as [ServiceRow]
  const since = new Date(now.getTime() - withdrawalDays * day)
  const renewals = await findRenewalsSince(db, service.id, since)
  const changes = withChanges ? await listChangesSince(db, service.id, since) : []
  const bought = [
    ...renewals.map((renewal) => ({ at: renewal.at, target: () => ofRenewal(rows, renewal, { payments, now }) })),
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

/**
 * The renewal with what was paid since then for its time: each payment comes back as it was asked for. Undefined where its
 * time was given up for another plan meanwhile.
 */
function ofRenewal(
  rows: ServiceRow[],
  renewal: RenewalRow,
  { payments, now }: { payments: readonly Paid[]; now: Date },
): Target | undefined {
  const [service] = rows as [ServiceRow]
  const until = renewal.expires_after.getTime()
  const span = spansOf(service).find(
    (one) => one.until <= until && one.payments.some(({ transaction }) => transaction === renewal.transaction_id),
  )
  if (span === undefined || service.expires === null || service.expires < renewal.expires_after) return undefined
  const from = Math.max(span.from, now.getTime())
  if (from >= until) return undefined
  // A change of the plan may have cut the span.
  const begun = Math.min(span.from, span.until - hoursOfPeriod(span.period) * 3_600_000)
  const isByTime = (id: string | null) =>
    payments.find(({ transaction }) => transaction === id)?.immediate ?? renewal.immediate
  const isSome = ({ amount }: Return) => amount > 0
  const whole = wholeOf(rows, { renewal, begun, until, payments })
  const returns = rows.map((row, index) => {
    const byTime = giveUp(within(spansOf(row), { from, until })).filter(({ payment }) => isByTime(payment.transaction))
    const asHeld = giveUp(within(spansOf(row), { from: begun, until })).filter(
      ({ payment: { transaction } }) => !isByTime(transaction) && whole.every((one) => one.transaction !== transaction),
    )
    return { service: row, returns: [...(index === 0 ? whole.map(asReturn) : []), ...asHeld, ...byTime].filter(isSome) }
  })
  const isAll = returns.some((one) => one.returns.some(({ payment }) => !isByTime(payment.transaction)))
  const isWhole = isAll && begun < now.getTime()
  return { service, renewal, change: null, returns, stretch: { from, until }, isWhole }
}

/**
 * Payments for the time of a renewal, and for none before it, that nobody asked to begin: all that is left of them, also
 * for what a change of the plan has cut off since; but not what is held of them for later.
 */
function wholeOf(
  rows: ServiceRow[],
  given: { renewal: RenewalRow; begun: number; until: number; payments: readonly Paid[] },
): Paid[] {
  const { renewal, begun, until, payments } = given
  const spans = rows.flatMap(spansOf)
  const heldOf = (id: string, some: readonly Span[]) =>
    giveUp(some).reduce((sum, { payment, amount }) => sum + (payment.transaction === id ? amount : 0), 0)
  return payments
    .filter(({ transaction, at, immediate }) => {
      const isSince = transaction === renewal.transaction_id || at.getTime() >= begun
      return isSince && !immediate && heldOf(transaction, within(spans, { from: begun, until })) > 0
    })
    .map((one) => ({
      ...one,
      amount: one.amount - heldOf(one.transaction, within(spans, { from: until, until: Infinity })),
    }))
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
