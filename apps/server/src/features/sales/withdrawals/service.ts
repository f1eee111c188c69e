/**
 * Withdrawal from a rental within 14 days of its purchase, and after that (or instead) from what somebody bought last for
 * it within 14 days: a renewal, an upgrade, an add-on, the latest first. Declared, confirmed, acknowledged. What was paid goes back to the wallet: all of it,
 * or, where the buyer had asked for the service to begin at once, what is not used up. A server that renews itself was
 * ordered once: that it does so can be switched off, but is not withdrawn from.
 */
import { DomainError } from '@wakestone/contract/errors'
import { filesKeptDays } from '@wakestone/contract/sales/service'
import type { Withdrawal, withdrawalObstacles, withdrawalParts } from '@wakestone/contract/sales/withdrawal'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { deadlineOf } from '#src/features/sales/early-start/service.ts'
import { payBillsOf } from '#src/features/sales/bills/service.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { goOn } from '#src/features/sales/pay-later/service.ts'
import {
  type ChangeRow,
  dropPlans,
  listChangesSince,
  releasePlans,
  storageWithout,
  undoChange,
} from '#src/features/sales/plans/service.ts'
import {
  findService,
  listAddOns,
  lockService,
  type Return,
  type ServiceRow,
  spansOf,
  takeOut,
  updateService,
} from '#src/features/sales/services/service.ts'
import { findRentedServer } from '#src/features/servers/servers/service.ts'
import { showTaxData } from '#src/features/money/tax-data/service.ts'
import { beginOf, contractOf, isOfOtherCurrency } from './contract.ts'
import { giveBack } from './give-back.ts'
import { findLatest } from './latest.ts'
import {
  confirmDeclaration,
  findAllPayments,
  findLastWithdrawn,
  findWithdrawal,
  insertDeclaration,
  isConfirmed,
  partOf,
  type RenewalRow,
} from './repo.ts'

export { findBoundCurrency } from './contract.ts'

const day = 86_400_000

/** Whether a service ended because its contract was withdrawn from; its owner has already been told. */
export async function isEndedByWithdrawal(db: Handle, serviceId: string, expires: Date): Promise<boolean> {
  const whole = await findWithdrawal(db, serviceId, { renewalId: null, changeId: null })
  // One that was renewed afterwards ends later than that.
  return whole?.confirmed_at != null && whole.confirmed_at >= expires
}

export type Target = {
  service: ServiceRow
  renewal: RenewalRow | null
  change: ChangeRow | null
  /** Of the service and of what was added to it: what goes back. */
  returns: { service: ServiceRow; returns: Return[] }[]
  /** What ends: from now, or from where the renewal begins. */
  stretch: { from: number; until: number }
  /** All comes back of something that has begun: nobody had asked for that. */
  isWhole: boolean
}
type State = Target & { shown: Withdrawal }
/** `renewal`: the last one, also while the contract itself could be withdrawn from. */
type WithdrawalPart = (typeof withdrawalParts)[number] | 'renewal'

/** @throws DomainError `resource_not_found`. */
export async function showWithdrawal(
  db: Handle,
  serviceId: string,
  now: Date,
  part?: WithdrawalPart,
): Promise<Withdrawal> {
  const service = await findService(db, serviceId)
  if (service === undefined) throw notFound()
  return (await stateOf(db, service, now, part)).shown
}

const notFound = () => new DomainError('resource_not_found', { resource: 'billing_service' })

async function stateOf(db: Handle, service: ServiceRow, now: Date, part?: WithdrawalPart): Promise<State> {
  const rows = [service, ...((await listAddOns(db, service.id)) as ServiceRow[])]
  const payments = await findAllPayments(db, service)
  const begun = beginOf(service, payments)
  const whole = await findWithdrawal(db, service.id, { renewalId: null, changeId: null })
  // What was bought after a withdrawal from the contract is withdrawn from by itself.
  const isContract = whole?.confirmed_at == null && part === undefined && now <= deadlineOf(begun)
  const contract = contractOf(rows, payments, { changes: await listChangesSince(db, service.id, begun), now })
  const latest = isContract ? undefined : await findLatest(db, rows, { payments, now, withChanges: part === 'latest' })
  const target: Target = latest ?? contract
  const { renewal, change } = target
  const known =
    latest === undefined
      ? whole
      : await findWithdrawal(db, service.id, { renewalId: renewal?.id ?? null, changeId: change?.id ?? null })
  const isOther = isOfOtherCurrency(rows, payments, target)
  const all = target.returns.flatMap((one) => one.returns)
  const amount = isOther ? 0 : all.reduce((sum, one) => sum + one.amount, 0)
  const deadline = deadlineOf(renewal?.at ?? change?.at ?? begun)
  const taxData = await showTaxData(db, service.owner_id)
  const obstacle = ((): (typeof withdrawalObstacles)[number] | null => {
    if (known?.confirmed_at != null) return 'withdrawn'
    if (taxData?.kind === 'company') return 'business'
    if (now > deadline) return 'too_late'
    if (isOther) return 'other_currency'
    return amount === 0 ? 'nothing_paid' : null
  })()
  const shown: Withdrawal = {
    service_id: service.id,
    renewal: renewal && { at: renewal.at.toISOString(), runs_until: endWithout(service, target, now).toISOString() },
    change: change && showChange(change),
    deadline: deadline.toISOString(),
    obstacle,
    refund: { amount: known?.refund ?? amount, currency: service.currency },
    immediate: renewal?.immediate ?? change?.immediate ?? contract.immediate,
    declaration_id: known?.confirmed_at === null ? known.id : null,
    confirmed_at: known?.confirmed_at?.toISOString() ?? null,
  }
  if (latest !== undefined || (obstacle !== 'too_late' && obstacle !== 'withdrawn')) return { ...target, shown }
  const last = await findLastWithdrawn(db, service.id)
  const isLast = last?.confirmed_at != null && (known?.confirmed_at ?? new Date(0)) < last.confirmed_at
  return { ...target, shown: isLast ? withdrawnOf(shown, service, last) : shown }
}

const showChange = ({
  kind,
  at,
  product_before,
  product_after,
}: Pick<ChangeRow, 'kind' | 'at' | 'product_before' | 'product_after'>): Withdrawal['change'] => ({
  kind: kind === 'upgrade' ? 'upgrade' : 'add_on',
  at: at.toISOString(),
  product: product_after ?? '',
  product_before,
})

/** What was bought last and was withdrawn from, as long as there is nothing else. */
function withdrawnOf(
  shown: Withdrawal,
  service: ServiceRow,
  last: NonNullable<Awaited<ReturnType<typeof findLastWithdrawn>>>,
): Withdrawal {
  const at = last.at ?? service.created_at
  const { kind, product_before, product_after } = last
  return {
    ...shown,
    renewal:
      last.renewal_id === null ? null : { at: at.toISOString(), runs_until: (service.expires ?? at).toISOString() },
    change: kind === null ? null : showChange({ kind, at, product_before, product_after }),
    obstacle: 'withdrawn',
    deadline: deadlineOf(at).toISOString(),
    refund: { amount: last.refund ?? 0, currency: service.currency },
    immediate: last.immediate ?? false,
    confirmed_at: last.confirmed_at?.toISOString() ?? null,
  }
}

/** When the service is over then. */
function endWithout(service: ServiceRow, { renewal, change, stretch }: Target, now: Date): Date {
  if (change !== null && service.expires !== null) return service.expires
  if (renewal === null || service.expires === null) return now
  return new Date(service.expires.getTime() - (stretch.until - stretch.from))
}

type Request = { serviceId: string; executorId: string; now: Date; part?: WithdrawalPart | undefined }

/** @throws DomainError `access_denied` to whoever is not the owner; `withdrawal_not_possible` with the obstacle. */
async function lockPossible(trx: Transaction, { serviceId, executorId, now, part }: Request): Promise<State> {
  const service = await lockService(trx, serviceId)
  if (service === undefined) throw notFound()
  if (service.owner_id !== executorId) throw new DomainError('access_denied')
  return stateOf(trx, service, now, part)
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
        changeId: state.change?.id ?? null,
        userId: service.owner_id,
        currency: service.currency,
        now: request.now,
      })
    }
    return showWithdrawal(trx, request.serviceId, request.now, request.part)
  })
}

type Confirmation = Omit<Request, 'part'> & {
  declarationId: string
  /** Bytes the files of the service's server take; asked where the plan becomes smaller. */
  usedBy?: (serviceId: string) => Promise<number>
}

/**
 * Second step; confirmed again, nothing more happens.
 * @throws DomainError as the contract lists them; `insufficient_storage` where the files do not fit into what is left.
 */
export async function confirmWithdrawal(
  deps: Pick<Context, 'db' | 'boss' | 'settings'>,
  request: Confirmation,
): Promise<Withdrawal> {
  const { declarationId, now } = request
  const part = await partOf(deps.db, declarationId)
  const used = part === 'latest' ? await request.usedBy?.(request.serviceId) : undefined
  return inTransaction(deps.db, async (trx) => {
    const state = await lockPossible(trx, { ...request, part })
    const { shown, service, change } = state
    if (shown.obstacle === 'withdrawn' && (await isConfirmed(trx, declarationId))) return shown
    const last = await findLastWithdrawn(trx, service.id)
    if (last?.id === declarationId) return withdrawnOf(shown, service, last)
    requirePossible(state)
    if (shown.declaration_id !== declarationId)
      throw new DomainError('withdrawal_not_possible', { obstacle: 'not_declared' })
    if (change !== null) await requireRoom(trx, { service, change, used: used ?? 0 })
    const transactionIds: string[] = []
    for (const one of state.returns) transactionIds.push(...(await giveBack(trx, one, declarationId)))
    const returns = state.returns.flatMap((one) => one.returns)
    const bills = { userId: service.owner_id, returns, key: declarationId, now }
    for (const bill of await payBillsOf(trx, bills)) await goOn(deps, trx, bill)
    const expires = endWithout(service, state, now)
    if (change === null) await end(trx, state, expires)
    else {
      const { executorId } = request
      await undoChange(deps, trx, { service, change, executorId, returned: shown.refund.amount, transactionIds, now })
    }
    if (state.renewal !== null) await releasePlans(trx, service.id, { expires, now })
    else if (change === null) await dropPlans(trx, service.id, now)
    const { amount: refund } = shown.refund
    await confirmDeclaration(trx, declarationId, { refund, whole: state.isWhole && refund > 0, transactionIds, now })
    await tell(deps, trx, state, { declarationId, executorId: request.executorId, expires, now })
    const done = { obstacle: 'withdrawn' as const, declaration_id: null, confirmed_at: now.toISOString() }
    return { ...shown, ...done, renewal: shown.renewal && { ...shown.renewal, runs_until: expires.toISOString() } }
  })
}

async function requireRoom(
  trx: Transaction,
  { service, change, used }: { service: ServiceRow; change: ChangeRow; used: number },
): Promise<void> {
  const limit = await storageWithout(trx, { service, change })
  if (limit !== null && used > limit)
    throw new DomainError('insufficient_storage', { resource: 'billing_service', used, limit })
}

/** Time that is over is stopped, kept for a while and cleared away as any other. */
async function end(trx: Transaction, { returns, renewal, stretch }: State, expires: Date): Promise<void> {
  for (const { service: row } of returns) {
    const left = renewal === null ? [] : takeOut(spansOf(row), stretch)
    await updateService(trx, row.id, { expires, auto_renew: false, value_held: JSON.stringify(left) })
  }
}

async function tell(
  { settings }: Pick<Context, 'settings'>,
  trx: Transaction,
  { shown, service, renewal, change }: State,
  given: { declarationId: string; executorId: string; expires: Date; now: Date },
): Promise<void> {
  const { declarationId, executorId, expires, now } = given
  const fields = { product: change?.product_after ?? service.product_id, amount: shown.refund, at: now.toISOString() }
  const told = { userId: service.owner_id, dedupeKey: `WITHDRAWAL_CONFIRMED ${declarationId}` }
  if (change !== null) await notify(trx, { ...told, kind: 'CHANGE_WITHDRAWN', fields })
  else if (renewal === null) {
    const server = await findRentedServer({ db: trx, settings }, service.id)
    if (server !== undefined)
      await recordServerEvent(trx, server.id, { action: 'SERVICE_WITHDRAW', data: { executor: executorId } })
    // Only a server has files that can be downloaded until they are deleted.
    const deletedAt = new Date(expires.getTime() + filesKeptDays * day).toISOString()
    const more = server === undefined ? {} : { deleted_at: deletedAt, server: server.name }
    await notify(trx, {
      ...told,
      kind: 'WITHDRAWAL_CONFIRMED',
      fields: { ...fields, ...more },
      ...(server !== undefined && { resource: { type: 'server', id: server.id } }),
    })
  } else await notify(trx, { ...told, kind: 'RENEWAL_WITHDRAWN', fields: { ...fields, until: expires.toISOString() } })
}
