/**
 * Withdrawal from a rental within 14 days of its purchase, and after that from a renewal that somebody asked for within
 * 14 days of it, the latest first: declared, confirmed, acknowledged. What was paid goes back to the wallet: all of it,
 * or, where the buyer had asked for the service to begin at once, what is not used up. A server that renews itself was
 * ordered once: that it does so can be switched off, but is not withdrawn from.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { TransactionAction } from '@wakestone/contract/states'
import { type Withdrawal, withdrawalDays, type withdrawalObstacles } from '@wakestone/contract/withdrawal'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/notifications/service.ts'
import { releasePlans } from '#src/features/plans/service.ts'
import {
  findService,
  giveUp,
  held,
  listAddOns,
  lockService,
  type Return,
  type ServiceRow,
  spansOf,
  takeOut,
  taxWithin,
  updateService,
  within,
} from '#src/features/services/service.ts'
import { showTaxData } from '#src/features/tax-data/service.ts'
import { creditWallet } from '#src/features/wallets/service.ts'
import {
  confirmDeclaration,
  findPayments,
  findRenewalsSince,
  findWithdrawal,
  findWithdrawnRenewal,
  insertDeclaration,
  type RenewalRow,
} from './repo.ts'

const day = 86_400_000

type Target = {
  service: ServiceRow
  renewal: RenewalRow | null
  /** Of the service and of what was added to it: what goes back. */
  returns: { service: ServiceRow; returns: Return[] }[]
  /** What ends: from now, or from where the renewal begins. */
  stretch: { from: number; until: number }
}
type State = Target & { shown: Withdrawal }

/** @throws DomainError `resource_not_found`. */
export async function showWithdrawal(db: Handle, serviceId: string, now: Date): Promise<Withdrawal> {
  const service = await findService(db, serviceId)
  if (service === undefined) throw notFound()
  return (await stateOf(db, service, now)).shown
}

const notFound = () => new DomainError('resource_not_found', { resource: 'billing_service' })
const after = (at: Date) => new Date(at.getTime() + withdrawalDays * day)

async function stateOf(db: Handle, service: ServiceRow, now: Date): Promise<State> {
  const rows = [service, ...((await listAddOns(db, service.id)) as ServiceRow[])]
  const whole = await findWithdrawal(db, service.id, null)
  const isContract = whole?.confirmed_at != null || now <= after(service.created_at)
  const target = isContract ? contractOf(rows, now) : ((await findRenewal(db, rows, now)) ?? contractOf(rows, now))
  const { renewal } = target
  const known = renewal === null ? whole : await findWithdrawal(db, service.id, renewal.id)
  const amount = target.returns.flatMap((one) => one.returns).reduce((sum, one) => sum + one.amount, 0)
  const deadline = after(renewal?.at ?? service.created_at)
  const taxData = await showTaxData(db, service.owner_id)
  const obstacle = ((): (typeof withdrawalObstacles)[number] | null => {
    if (known?.confirmed_at != null) return 'withdrawn'
    if (taxData?.kind === 'company') return 'business'
    if (now > deadline) return 'too_late'
    return amount === 0 ? 'nothing_paid' : null
  })()
  const shown: Withdrawal = {
    service_id: service.id,
    renewal: renewal && { at: renewal.at.toISOString(), runs_until: endWithout(service, target, now).toISOString() },
    deadline: deadline.toISOString(),
    obstacle,
    refund: { amount: known?.refund ?? amount, currency: service.currency },
    immediate: renewal?.immediate ?? service.immediate_consent_at !== null,
    declaration_id: known?.confirmed_at === null ? known.id : null,
    confirmed_at: known?.confirmed_at?.toISOString() ?? null,
  }
  if (obstacle !== 'too_late') return { ...target, shown }
  const last = await findWithdrawnRenewal(db, service.id)
  return { ...target, shown: last === undefined ? shown : withdrawnOf(shown, service, last) }
}

/** A renewal that was withdrawn from, as long as there is nothing else. */
function withdrawnOf(
  shown: Withdrawal,
  service: ServiceRow,
  last: NonNullable<Awaited<ReturnType<typeof findWithdrawnRenewal>>>,
): Withdrawal {
  return {
    ...shown,
    renewal: { at: last.at.toISOString(), runs_until: (service.expires ?? last.at).toISOString() },
    obstacle: 'withdrawn',
    deadline: after(last.at).toISOString(),
    refund: { amount: last.refund ?? 0, currency: service.currency },
    immediate: last.immediate,
    confirmed_at: last.confirmed_at?.toISOString() ?? null,
  }
}

/** Of each payment what goes back: by the time left, or all of it where nobody asked to begin before the 14 days end. */
function contractOf(rows: ServiceRow[], now: Date): Target {
  const [service] = rows as [ServiceRow]
  const from = now.getTime()
  const returns = rows.map((row) => {
    const spans = spansOf(row)
    if (service.immediate_consent_at === null) return { service: row, returns: giveUp(spans) }
    const left = row.expires === null ? [] : held(spans, { now: from, end: row.expires.getTime() })
    return { service: row, returns: giveUp(left) }
  })
  return { service, renewal: null, returns, stretch: { from, until: Infinity } }
}

/** The latest renewal that can be withdrawn from; undefined where its time was given up for another plan meanwhile. */
async function findRenewal(db: Handle, rows: ServiceRow[], now: Date): Promise<Target | undefined> {
  const [service] = rows as [ServiceRow]
  const since = new Date(now.getTime() - withdrawalDays * day)
  for (const renewal of await findRenewalsSince(db, service.id, since)) {
    const until = renewal.expires_after.getTime()
    const span = spansOf(service).find(
      (one) => one.until <= until && one.payments.some(({ transaction }) => transaction === renewal.transaction_id),
    )
    if (span === undefined || service.expires === null || service.expires < renewal.expires_after) continue
    const from = Math.max(span.from, now.getTime())
    if (from >= until) continue
    const paid = { from: renewal.immediate ? from : span.from, until }
    const returns = rows.map((row) => ({ service: row, returns: giveUp(within(spansOf(row), paid)) }))
    return { service, renewal, returns, stretch: { from, until } }
  }
  return undefined
}

/** When the service is over then. */
function endWithout(service: ServiceRow, { renewal, stretch }: Target, now: Date): Date {
  if (renewal === null || service.expires === null) return now
  return new Date(service.expires.getTime() - (stretch.until - stretch.from))
}

type Request = { serviceId: string; executorId: string; now: Date }

/** @throws DomainError `access_denied` to whoever is not the owner; `withdrawal_not_possible` with the obstacle. */
async function lockPossible(trx: Transaction, { serviceId, executorId, now }: Request): Promise<State> {
  const service = await lockService(trx, serviceId)
  if (service === undefined) throw notFound()
  if (service.owner_id !== executorId) throw new DomainError('access_denied')
  return stateOf(trx, service, now)
}

function requirePossible({ shown }: State): void {
  if (shown.obstacle !== null) throw new DomainError('withdrawal_not_possible', { obstacle: shown.obstacle })
}

/** First step. Declared again, it is the same declaration. */
export async function declareWithdrawal({ db }: Pick<Context, 'db'>, request: Request): Promise<Withdrawal> {
  return inTransaction(db, async (trx) => {
    const state = await lockPossible(trx, request)
    requirePossible(state)
    if (state.shown.declaration_id === null) {
      const { service } = state
      await insertDeclaration(trx, {
        serviceId: service.id,
        renewalId: state.renewal?.id ?? null,
        userId: service.owner_id,
        currency: service.currency,
        now: request.now,
      })
    }
    return showWithdrawal(trx, request.serviceId, request.now)
  })
}

/** Second step; confirmed again, nothing more happens. */
export async function confirmWithdrawal(
  { db }: Pick<Context, 'db'>,
  request: Request & { declarationId: string },
): Promise<Withdrawal> {
  return inTransaction(db, async (trx) => {
    const state = await lockPossible(trx, request)
    const { shown, service, renewal, stretch } = state
    if (shown.obstacle === 'withdrawn') return shown
    const last = await findWithdrawnRenewal(trx, service.id)
    if (last?.id === request.declarationId) return withdrawnOf(shown, service, last)
    requirePossible(state)
    const { declarationId, now } = request
    if (shown.declaration_id !== declarationId)
      throw new DomainError('withdrawal_not_possible', { obstacle: 'not_declared' })
    const transactionIds: string[] = []
    for (const part of state.returns) transactionIds.push(...(await giveBack(trx, part, declarationId)))
    const expires = endWithout(service, state, now)
    // Time that is over is stopped, kept for a while and cleared away as any other.
    for (const { service: row } of state.returns) {
      const left = renewal === null ? [] : takeOut(spansOf(row), stretch)
      await updateService(trx, row.id, { expires, auto_renew: false, value_held: JSON.stringify(left) })
    }
    if (renewal !== null) await releasePlans(trx, service.id, { expires, now })
    await confirmDeclaration(trx, declarationId, { refund: shown.refund.amount, transactionIds, now })
    const fields = { product: service.product_id, amount: shown.refund, at: now.toISOString() }
    const told = { userId: service.owner_id, dedupeKey: `WITHDRAWAL_CONFIRMED ${declarationId}` }
    if (renewal === null) await notify(trx, { ...told, kind: 'WITHDRAWAL_CONFIRMED', fields })
    else await notify(trx, { ...told, kind: 'RENEWAL_WITHDRAWN', fields: { ...fields, until: expires.toISOString() } })
    const done = { obstacle: 'withdrawn' as const, declaration_id: null, confirmed_at: now.toISOString() }
    return { ...shown, ...done, renewal: shown.renewal && { ...shown.renewal, runs_until: expires.toISOString() } }
  })
}

/** To the wallet it was paid from; what was paid with credit that never leaves stays such credit. */
async function giveBack(
  trx: Transaction,
  { service, returns }: { service: ServiceRow; returns: Return[] },
  declarationId: string,
): Promise<string[]> {
  const ids: string[] = []
  const known = await findPayments(
    trx,
    returns.flatMap(({ payment }) => (payment.transaction === null ? [] : [payment.transaction])),
  )
  for (const { payment, amount } of returns) {
    const paid = known.find(({ id }) => id === payment.transaction)
    const credit =
      paid === undefined || paid.amount === 0
        ? 0
        : Math.ceil((amount * Math.min(paid.credit, paid.amount)) / paid.amount)
    const parts = [
      { amount: amount - credit, refundable: true },
      { amount: credit, refundable: false },
    ]
    for (const part of parts.filter((one) => one.amount > 0)) {
      ids.push(
        await creditWallet(trx, {
          userId: service.owner_id,
          walletId: service.wallet_id,
          currency: service.currency,
          amount: part.amount,
          tax: taxWithin(part.amount, payment.vatRate),
          countryTaxRate: { country_code: payment.country, vat_rate: payment.vatRate },
          source: 'purchase',
          refundable: part.refundable,
          cause: 'REFUND',
          // Of the same kind as what is given back: reports count it as less of that.
          action: (paid?.action ?? 'ADD_SERVICE') as TransactionAction,
          scope: 'withdrawal',
          key: `${declarationId}:${service.id}:${payment.transaction ?? 'before'}:${part.refundable ? 'money' : 'credit'}`,
          details: {
            service_id: service.id,
            product_id: service.product_id,
            withdrawal: true,
            ...(payment.transaction !== null && { reverses: payment.transaction }),
          },
        }),
      )
    }
  }
  return ids
}
