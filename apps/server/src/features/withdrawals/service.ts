/**
 * Withdrawal from a rental within 14 days of its purchase: declared, confirmed, acknowledged. What was paid goes back to
 * the wallet: all of it, or, where the buyer had asked for the service to begin at once, what is not used up.
 */
import { DomainError } from '@wakestone/contract/errors'
import { type Withdrawal, withdrawalDays, type withdrawalObstacles } from '@wakestone/contract/withdrawal'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { notify } from '#src/features/notifications/service.ts'
import {
  findService,
  giveUp,
  held,
  listAddOns,
  lockService,
  type Return,
  type ServiceRow,
  spansOf,
  taxWithin,
  updateService,
} from '#src/features/services/service.ts'
import { showTaxData } from '#src/features/tax-data/service.ts'
import { creditWallet } from '#src/features/wallets/service.ts'
import { confirmDeclaration, findPayments, findWithdrawal, insertDeclaration } from './repo.ts'

const day = 86_400_000

type State = {
  service: ServiceRow
  addOns: ServiceRow[]
  returns: { service: ServiceRow; returns: Return[] }[]
  shown: Withdrawal
}

/** @throws DomainError `resource_not_found`. */
export async function showWithdrawal(db: Handle, serviceId: string, now: Date): Promise<Withdrawal> {
  const service = await findService(db, serviceId)
  if (service === undefined) throw notFound()
  return (await stateOf(db, service, now)).shown
}

const notFound = () => new DomainError('resource_not_found', { resource: 'billing_service' })

async function stateOf(db: Handle, service: ServiceRow, now: Date): Promise<State> {
  const known = await findWithdrawal(db, service.id)
  const addOns = (await listAddOns(db, service.id)) as ServiceRow[]
  const returns = [service, ...addOns].map((row) => ({ service: row, returns: returnsOf(row, service, now) }))
  const amount = returns.flatMap((one) => one.returns).reduce((sum, one) => sum + one.amount, 0)
  const deadline = new Date(service.created_at.getTime() + withdrawalDays * day)
  const taxData = await showTaxData(db, service.owner_id)
  const obstacle = ((): (typeof withdrawalObstacles)[number] | null => {
    if (known?.confirmed_at != null) return 'withdrawn'
    if (taxData?.kind === 'company') return 'business'
    if (now > deadline) return 'too_late'
    return amount === 0 ? 'nothing_paid' : null
  })()
  const shown: Withdrawal = {
    service_id: service.id,
    deadline: deadline.toISOString(),
    obstacle,
    refund: { amount: known?.refund ?? amount, currency: service.currency },
    immediate: service.immediate_consent_at !== null,
    declaration_id: known?.confirmed_at === null ? known.id : null,
    confirmed_at: known?.confirmed_at?.toISOString() ?? null,
  }
  return { service, addOns, returns, shown }
}

/** Of each payment what goes back: by the time left, or all of it where nobody asked to begin before the 14 days end. */
function returnsOf(row: ServiceRow, base: ServiceRow, now: Date): Return[] {
  const spans = spansOf(row)
  const isPaidByTime = base.immediate_consent_at !== null
  if (!isPaidByTime) return giveUp(spans)
  return row.expires === null ? [] : giveUp(held(spans, { now: now.getTime(), end: row.expires.getTime() }))
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
    const { shown, service, addOns } = state
    if (shown.obstacle === 'withdrawn') return shown
    requirePossible(state)
    if (shown.declaration_id !== request.declarationId)
      throw new DomainError('withdrawal_not_possible', { obstacle: 'not_declared' })
    const transactionIds: string[] = []
    for (const part of state.returns) transactionIds.push(...(await giveBack(trx, part)))
    // Time that is over is stopped, kept for a while and cleared away as any other.
    for (const { id } of [service, ...addOns]) {
      await updateService(trx, id, { expires: request.now, auto_renew: false, value_held: '[]' })
    }
    await confirmDeclaration(trx, request.declarationId, {
      refund: shown.refund.amount,
      transactionIds,
      now: request.now,
    })
    await notify(trx, {
      userId: service.owner_id,
      kind: 'WITHDRAWAL_CONFIRMED',
      fields: { product: service.product_id, amount: shown.refund, at: request.now.toISOString() },
      dedupeKey: `WITHDRAWAL_CONFIRMED ${request.declarationId}`,
    })
    return showWithdrawal(trx, request.serviceId, request.now)
  })
}

/** To the wallet it was paid from; what was paid with credit that never leaves stays such credit. */
async function giveBack(
  trx: Transaction,
  { service, returns }: { service: ServiceRow; returns: Return[] },
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
          scope: 'withdrawal',
          key: `${service.id}:${payment.transaction ?? 'before'}:${part.refundable ? 'money' : 'credit'}`,
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
