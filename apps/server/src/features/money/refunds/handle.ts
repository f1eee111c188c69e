/**
 * What a gateway says of refunds, by its notifications, its answers and its list of a day. In any order
 * and any number: what is known already changes nothing.
 */
import type { GatewayRefund } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { lockTransaction } from '#src/features/money/payments/service.ts'
import { findEntered, recognise } from './entered.ts'
import { finishRefund, putBack, requireLocked, takeReturn } from './money.ts'
import { findPaymentByNames, findPaymentByOrder, type Payment } from './payments-repo.ts'
import { findReturnByNames, findReturnsOfOrder, type ReturnRow, updateReturn } from './repo.ts'
import { noteEnd, tellFailed, tellRefunded, tellReturned, tellTaken, toldOf } from './telling.ts'

export type Handled =
  | 'applied'
  | 'unchanged'
  /** Of a payment that is not ours, or not credited yet. Nothing was done. */
  | 'unknown payment'
  /** Of another amount than was asked for. Nothing was done. */
  | 'mismatch'

type Deps = Pick<Context, 'db' | 'logger'>
/** An answer is the gateway's word of now; a notification may be an old one. */
type Source = 'notification' | 'answer'
/** When a refund that the gateway has in hand is asked about first. */
export const firstPollMilliseconds = 30_000

export async function handleRefund(
  { db, logger }: Deps,
  gateway: string,
  { refund, source, now }: { refund: GatewayRefund; source: Source; now: Date },
): Promise<Handled> {
  const names = { id: refund.externalId, gatewayReturnId: refund.refundId, kinds: ['refund', 'outside'] } as const
  const known = await findReturnByNames(db, gateway, names)
  const payment =
    known === undefined
      ? await findPaymentByNames(db, gateway, { ...refund, externalId: null })
      : await findPaymentByOrder(db, known.order_id)
  const about = { gateway, refund: refund.refundId, order: refund.orderId, amount: refund.amount }
  if (payment === undefined) return 'unknown payment'
  const outcome = await inTransaction(db, async (trx): Promise<Handled> => {
    await lockTransaction(trx, payment.depositId)
    // Somebody else may have heard the same meanwhile.
    const row = await findReturnByNames(trx, gateway, names)
    if (row !== undefined)
      return applyRefund(trx, { row: await requireLocked(trx, row.id), payment, refund, source, now })
    if (refund.status !== 'done') return 'unchanged' // nothing has moved
    const made = (await findReturnsOfOrder(trx, payment.orderId)).filter(({ kind }) => kind === 'outside')
    const entered = findEntered(made, refund.amount)
    if (entered !== undefined) {
      await recognise(trx, entered, { name: refund.refundId, at: null })
      return 'unchanged'
    }
    return takeOutside(trx, { payment, refund, now })
  })
  if (outcome === 'mismatch')
    logger.error(about, 'REFUND MISMATCH: a gateway tells of another amount or payment than ours')
  return outcome
}

type Told = { payment: Payment; refund: GatewayRefund; now: Date }

async function takeOutside(trx: Transaction, { payment, refund, now }: Told): Promise<Handled> {
  const { amount, currency, refundId } = refund
  if (amount === null || (currency !== null && currency !== payment.currency)) return 'mismatch'
  const reason = 'refunded at the provider'
  const { id, owed } = await takeReturn(trx, {
    kind: 'outside',
    payment,
    amount,
    reason,
    gatewayReturnId: refundId,
    now,
  })
  await tellTaken(trx, { id, payment, amount }, { owed, reason, isChargeback: false })
  return 'applied'
}

/** Moves a refund on by the gateway's word of it. The caller holds the locks of the payment and the return. */
export async function applyRefund(
  trx: Transaction,
  { row, payment, refund, source, now }: Told & { row: ReturnRow; source: Source },
): Promise<Handled> {
  const isOurs =
    (refund.amount === null || refund.amount === row.amount) &&
    (refund.currency === null || refund.currency === row.currency) &&
    (refund.orderId === null || refund.orderId === payment.ref.orderId) &&
    (row.gateway_return_id === null || row.gateway_return_id === refund.refundId)
  if (!isOurs) return 'mismatch'
  const { state } = row
  const told = toldOf(row, payment)
  const hasFailed = refund.status === 'failed' || refund.status === 'cancelled'
  const isNew = row.gateway_return_id === null
  if (isNew) await updateReturn(trx, row.id, { gateway_return_id: refund.refundId })
  if (state === 'REQUESTED' || state === 'SENT') {
    if (refund.status === 'pending') {
      if (state === 'SENT') return 'unchanged'
      const next_try_at = new Date(now.getTime() + firstPollMilliseconds)
      await updateReturn(trx, row.id, { state: 'SENT', sent_at: now, failure: null, next_try_at })
    } else if (hasFailed) {
      await failRefund(trx, { row, payment, reason: refund.gatewayStatus, now })
    } else {
      await finishRefund(trx, row, now)
      await noteEnd(trx, told, { reason: refund.gatewayStatus, outcome: 'COMPLETED' })
      await tellRefunded(trx, told, row.reason)
    }
    return 'applied'
  }
  // Ended by hand while the gateway was asked for it: what becomes of it there has to be asked.
  if (refund.status === 'pending' && (state === 'FAILED' || (state === 'COMPLETED' && isNew))) {
    await updateReturn(trx, row.id, { next_try_at: new Date(now.getTime() + firstPollMilliseconds) })
    return 'unchanged'
  }
  // What had failed has left after all: the wallet has it again by now.
  if (state === 'FAILED' && refund.status === 'done') {
    await updateReturn(trx, row.id, { next_try_at: null })
    const names = { id: null, gatewayReturnId: refund.refundId, kinds: ['outside'] } as const
    if ((await findReturnByNames(trx, row.gateway, names)) !== undefined) return 'unchanged'
    return takeOutside(trx, { payment, refund: { ...refund, amount: row.amount }, now })
  }
  if (state === 'COMPLETED' && hasFailed) {
    if (source === 'notification') {
      await updateReturn(trx, row.id, { next_try_at: now }) // asked about
      return 'unchanged'
    }
    await putBack(trx, { row, payment, reason: refund.gatewayStatus, now })
    await noteEnd(trx, told, { reason: refund.gatewayStatus, outcome: 'RETURNED' })
    await tellReturned(trx, told)
    return 'applied'
  }
  return 'unchanged'
}

/** It never leaves: the wallet gets it again. */
export async function failRefund(
  trx: Transaction,
  { row, payment, reason, now }: { row: ReturnRow; payment: Payment; reason: string; now: Date },
): Promise<void> {
  const told = toldOf(row, payment)
  await putBack(trx, { row, payment, reason, now })
  await noteEnd(trx, told, { reason, outcome: 'FAILED' })
  await tellFailed(trx, told, reason)
}
