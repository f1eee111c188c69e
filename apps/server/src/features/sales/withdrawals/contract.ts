/** The whole contract: since when it costs something, what of it comes back, and in which currency. */
import { type Currency, hoursOfPeriod } from '@wakestone/contract/primitives'
import type { Handle } from '#src/db/client.ts'
import { deadlineOf } from '#src/features/sales/early-start/service.ts'
import type { ChangeRow } from '#src/features/sales/plans/service.ts'
import {
  giveUp,
  held,
  listAddOns,
  type Return,
  type ServiceRow,
  type Span,
  spansOf,
} from '#src/features/sales/services/service.ts'
import { findAllPayments, findWithdrawal, type Paid } from './repo.ts'
import type { Target } from './service.ts'

/** What costs nothing is no contract to withdraw from: the 14 days run from the first payment. */
export const beginOf = (service: ServiceRow, [first]: readonly Paid[]) => first?.at ?? service.created_at

/**
 * Of each payment what goes back: by the time left, or all of it where nobody asked to begin before the 14 days end.
 * @param changes of its plan, as they were asked for.
 */
export function contractOf(
  rows: ServiceRow[],
  payments: readonly Paid[],
  { changes, now }: { changes: readonly ChangeRow[]; now: Date },
): Target & { immediate: boolean } {
  const [service] = rows as [ServiceRow]
  const from = now.getTime()
  const isOrderImmediate = service.immediate_consent_at !== null
  const isByTime = (id: string | null) =>
    payments.find(({ transaction }) => transaction === id)?.immediate ?? isOrderImmediate
  // Also for the time before a change of the plan, of which nothing is left in what is held.
  const whole = payments
    .filter(({ immediate }) => !immediate)
    .map((one) => ({ ...one, amount: one.amount - usedAsAsked(rows, changes, { id: one.transaction, now }) }))
    .filter(({ amount }) => amount > 0)
  const returns = rows.map((row, index) => {
    const left = row.expires === null ? [] : held(spansOf(row), { now: from, end: row.expires.getTime() })
    const byTime = giveUp(left).filter(({ payment }) => isByTime(payment.transaction))
    return { service: row, returns: [...(index === 0 ? whole.map(asReturn) : []), ...byTime] }
  })
  return {
    service,
    renewal: null,
    change: null,
    returns,
    stretch: { from, until: Infinity },
    isWhole: whole.length > 0,
    immediate: payments.length === 0 ? isOrderImmediate : payments.some(({ immediate }) => immediate),
  }
}

/**
 * What was paid before counts for a new period that another plan began with. Where that was to begin at once, what of it
 * is used since then was asked for.
 */
function usedAsAsked(
  rows: readonly ServiceRow[],
  changes: readonly ChangeRow[],
  { id, now }: { id: string; now: Date },
): number {
  const isAsked = ({ from, until, period }: Span) =>
    changes.some(
      ({ kind, immediate, at, expires }) =>
        kind === 'upgrade' &&
        immediate &&
        at.getTime() <= from &&
        expires?.getTime() === until &&
        until - at.getTime() === hoursOfPeriod(period) * 3_600_000,
    )
  const spans = rows.flatMap(spansOf).filter(isAsked)
  const of = (some: readonly Span[]) =>
    some.flatMap(({ payments }) => payments).reduce((sum, one) => sum + (one.transaction === id ? one.amount : 0), 0)
  return of(spans) - of(held(spans, { now: now.getTime(), end: Infinity }))
}

export const asReturn = ({ transaction, amount, vatRate, country }: Paid): Return => ({
  payment: { transaction, amount, vatRate, country },
  amount,
})

/** Whether something of it was paid in a currency that is not the service's any more. */
export function isOfOtherCurrency(
  rows: readonly ServiceRow[],
  payments: readonly Paid[],
  { returns }: Target,
): boolean {
  const [service] = rows as [ServiceRow]
  const isOther = ({ currency }: { currency: string }) => currency !== service.currency
  const others = new Set([
    ...payments.filter(isOther).map(({ transaction }) => transaction),
    ...rows.flatMap((row) =>
      spansOf(row)
        .filter(isOther)
        .flatMap((span) => span.payments.map(({ transaction }) => transaction)),
    ),
  ])
  return returns.some((one) => one.returns.some(({ payment }) => others.has(payment.transaction)))
}

/**
 * The currency that a service has to be renewed in, as long as what was paid in it may come back, by a withdrawal or as
 * time that is not used up: what is held is one sum. Null: any.
 */
export async function findBoundCurrency(db: Handle, service: ServiceRow, now: Date): Promise<Currency | null> {
  const currency = service.currency as Currency
  const rows = [service, ...((await listAddOns(db, service.id)) as ServiceRow[])]
  const isPaid = rows.some((row) =>
    spansOf(row).some(({ until, payments }) => until > now.getTime() && payments.length > 0),
  )
  if (isPaid) return currency
  const payments = await findAllPayments(db, service)
  if (payments.every(({ amount }) => amount === 0) || now > deadlineOf(beginOf(service, payments))) return null
  const whole = await findWithdrawal(db, service.id, { renewalId: null, changeId: null })
  return whole?.confirmed_at == null ? currency : null
}
