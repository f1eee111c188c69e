/** The whole contract: since when it costs something, what of it comes back, and in which currency. */
import type { Currency } from '@wakestone/contract/primitives'
import type { Handle } from '#src/db/client.ts'
import { giveUp, held, listAddOns, type Return, type ServiceRow, spansOf } from '#src/features/services/service.ts'
import { findAllPayments, findWithdrawal, type Paid } from './repo.ts'
import type { Target } from './service.ts'
import { after } from './deadline.ts'

/** What costs nothing is no contract to withdraw from: the 14 days run from the first payment. */
export const beginOf = (service: ServiceRow, [first]: readonly Paid[]) => first?.at ?? service.created_at

/** Of each payment what goes back: by the time left, or all of it where nobody asked to begin before the 14 days end. */
export function contractOf(rows: ServiceRow[], payments: readonly Paid[], now: Date): Target & { immediate: boolean } {
  const [service] = rows as [ServiceRow]
  const from = now.getTime()
  const isOrderImmediate = service.immediate_consent_at !== null
  const isByTime = (id: string | null) =>
    payments.find(({ transaction }) => transaction === id)?.immediate ?? isOrderImmediate
  // Also for the time before a change of the plan, of which nothing is left in what is held.
  const whole = payments.filter(({ immediate, amount }) => !immediate && amount > 0)
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

const asReturn = ({ transaction, amount, vatRate, country }: Paid): Return => ({
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
  if (payments.every(({ amount }) => amount === 0) || now > after(beginOf(service, payments))) return null
  const whole = await findWithdrawal(db, service.id, { renewalId: null, changeId: null })
  return whole?.confirmed_at == null ? currency : null
}
