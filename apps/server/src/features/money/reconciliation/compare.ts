/** What is different between an order of ours and what its gateway says; pure. */
import type { Difference } from '@wakestone/contract/money/reconciliation'
import type { GatewayOrder, GatewayRefund, Movement } from '#src/adapters/payments/gateway.ts'
import type { ReturnEvent } from '#src/features/money/provider-messages/service.ts'
import type { EndedRefund } from '#src/features/money/refunds/service.ts'
import type { OurOrder } from './repo.ts'

/** By the gateway's answer about one order. Undefined: both say the same. */
export function compareOrder(ours: OurOrder, theirs: GatewayOrder | undefined): Difference | undefined {
  const isPaid = theirs?.status === 'paid'
  const found = {
    gateway_id: ours.paymentId ?? (isPaid ? theirs.paymentId : null),
    their_amount: isPaid ? theirs.amount : null,
    their_state: theirs?.gatewayStatus ?? null,
  }
  // A word that is not known here means nothing to us, and must mean something to somebody.
  if (theirs?.status === 'unknown') return describe(ours, { ...found, kind: 'state' })
  if (ours.credited === null) {
    // The payer went on with another order, of which we never heard and cannot ask.
    const isLost = theirs?.status === 'abandoned' && ours.followers === 0 && ours.status !== 'COMPLETED'
    if (isLost) return describe(ours, { ...found, kind: 'state' })
    if (!isPaid) return undefined
    return describe(ours, { ...found, kind: isSameMoney(ours, theirs) ? 'missing_here' : 'amount' })
  }
  if (theirs === undefined) return describe(ours, { ...found, kind: 'missing_there' })
  if (!isPaid) return describe(ours, { ...found, kind: 'state' })
  if (!isSameMoney(ours, theirs)) return describe(ours, { ...found, kind: 'amount' })
  return compareBooks(ours, found)
}

/** By the gateway's list of the day, for an order that is credited here. */
export function compareCapture(ours: OurOrder, capture: Movement): Difference | undefined {
  const found = { gateway_id: capture.id, their_amount: capture.amount, their_state: 'paid' }
  if (ours.credited === null) {
    return describe(ours, { ...found, kind: isSameMoney(ours, capture) ? 'missing_here' : 'amount' })
  }
  // Another payment of the same order: a second one, that was not credited.
  if (ours.paymentId !== capture.id) return describe({ ...ours, credited: null }, { ...found, kind: 'missing_here' })
  return isSameMoney(ours, capture) ? compareBooks(ours, found) : describe(ours, { ...found, kind: 'amount' })
}

/** Whether our ledger and our customer's transaction say the same. */
function compareBooks(ours: OurOrder, found: Found): Difference | undefined {
  if (ours.credited !== ours.amount) return describe(ours, { ...found, kind: 'amount' })
  return ours.status === 'COMPLETED' ? undefined : describe(ours, { ...found, kind: 'state' })
}

/** A gateway that leaves an amount out cannot be compared by it. */
function isSameMoney(ours: OurOrder, theirs: { amount: number | null; currency: string | null }): boolean {
  return (
    (theirs.amount === null || theirs.amount === (ours.credited ?? ours.amount)) &&
    (theirs.currency === null || theirs.currency === ours.currency)
  )
}

type Found = Pick<Difference, 'gateway_id' | 'their_amount' | 'their_state'>

function describe(ours: OurOrder, found: Found & Pick<Difference, 'kind'>): Difference {
  return {
    movement: 'capture',
    order_id: ours.orderId,
    transaction_id: ours.transactionId,
    currency: ours.currency,
    our_amount: ours.credited,
    our_state: ours.status,
    healed: false,
    ...found,
  }
}

/** An order that is not ours, of which the gateway has told all the same. Undefined where it moved no money. */
export function compareUnknownOrder(order: GatewayOrder): Difference | undefined {
  if (order.status !== 'paid' && order.status !== 'unknown') return undefined
  return {
    kind: order.status === 'paid' ? 'missing_here' : 'state',
    movement: 'capture',
    gateway_id: order.paymentId,
    order_id: order.orderId,
    transaction_id: null,
    currency: order.currency,
    our_amount: null,
    their_amount: order.amount,
    our_state: null,
    their_state: order.gatewayStatus,
    healed: false,
  }
}

/** Money that a gateway says has gone or come back of a payment that is not known here. Undefined where none has moved. */
export function compareUnknownReturn(event: ReturnEvent): Difference | undefined {
  if (event.kind === 'refund' && event.refund.status !== 'done') return undefined
  const found =
    event.kind === 'refund'
      ? { ...event.refund, movement: 'refund', id: event.refund.refundId, state: event.refund.gatewayStatus }
      : {
          ...event.chargeback,
          movement: event.chargeback.status === 'taken' ? 'chargeback' : 'chargeback_returned',
          id: event.chargeback.chargebackId,
          state: event.chargeback.status,
        }
  return {
    kind: 'missing_here',
    movement: found.movement as Difference['movement'],
    gateway_id: found.id,
    order_id: found.orderId,
    transaction_id: null,
    currency: found.currency,
    our_amount: null,
    their_amount: found.amount,
    our_state: null,
    their_state: found.state,
    healed: false,
  }
}

/** A movement on the gateway's account that our books do not have, or have with another amount. */
export function compareMovement(
  movement: Movement,
  ours: { amount: number; depositId: string } | undefined,
): Difference | undefined {
  const our_amount = ours?.amount
  if (our_amount === movement.amount) return undefined
  return {
    kind: our_amount === undefined ? 'missing_here' : 'amount',
    movement: movement.kind,
    gateway_id: movement.id,
    order_id: movement.orderId,
    transaction_id: ours?.depositId ?? null,
    currency: movement.currency,
    our_amount: our_amount ?? null,
    their_amount: movement.amount,
    our_state: null,
    their_state: movement.kind,
    healed: false,
  }
}

/** A refund that has ended here, and what its gateway answers about it. */
export function compareRefund(ours: EndedRefund, theirs: GatewayRefund | undefined): Difference | undefined {
  const isLeft = ours.state === 'COMPLETED'
  const isLeftThere = theirs?.status === 'done'
  // What failed need not be known there.
  if (theirs === undefined && !isLeft) return undefined
  const isSame =
    (theirs?.amount ?? ours.amount) === ours.amount && (theirs?.currency ?? ours.currency) === ours.currency
  if (theirs !== undefined && isLeft === isLeftThere && isSame) return undefined
  return {
    kind: theirs === undefined ? 'missing_there' : isLeft === isLeftThere ? 'amount' : 'state',
    movement: 'refund',
    gateway_id: ours.gatewayReturnId,
    order_id: ours.order.orderId,
    transaction_id: ours.depositId,
    currency: ours.currency,
    our_amount: isLeft ? ours.amount : null,
    their_amount: isLeftThere ? theirs.amount : null,
    our_state: ours.state,
    their_state: theirs?.gatewayStatus ?? null,
    healed: false,
  }
}
