/**
 * Messages about money that went back: whose it is may be known only by asking, and its payment may not be credited yet.
 */
import type { GatewayEvent, GatewayRefund, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { type Handled, handleChargeback, handleRefund } from '#src/features/money/refunds/service.ts'
import { findOrderRef, pollOrder } from '#src/features/money/payments/service.ts'

export type ReturnEvent = Extract<GatewayEvent, { kind: 'refund' | 'chargeback' }>
/** The gateway has told of a refund that its own list does not have yet. */
export type Heard = Handled | 'refund not listed'

const namesOf = (event: ReturnEvent) =>
  event.kind === 'chargeback'
    ? event.chargeback
    : { ...event.refund, externalId: event.refund.orderName ?? null /* the other one is of the refund */ }

/**
 * Handles a refund or a chargeback. Where its payment is not credited, its order is asked about first: what goes back
 * has come in.
 * @param asTold a refund that the gateway's list does not have is believed all the same.
 * @throws GatewayUnavailable where the gateway has to be asked and cannot be.
 */
export async function handleReturn(
  context: Context,
  gateway: PaymentGateway,
  event: ReturnEvent,
  { asTold, now }: { asTold: boolean; now: Date },
): Promise<Heard> {
  const handle = () => handleAsIs(context, gateway, event, { asTold, now })
  const heard = await handle()
  if (heard !== 'unknown payment') return heard
  const order = await findOrderRef(context.db, gateway.id, namesOf(event))
  if (order === undefined) return heard
  await pollOrder(context, gateway, order)
  return handle()
}

async function handleAsIs(
  context: Context,
  gateway: PaymentGateway,
  event: ReturnEvent,
  { asTold, now }: { asTold: boolean; now: Date },
): Promise<Heard> {
  if (event.kind === 'chargeback') return handleChargeback(context, gateway.id, { chargeback: event.chargeback, now })
  const told = event.refund
  const asked = await askWhose(context, gateway, told)
  if (asked === 'not listed' && !asTold) return 'refund not listed'
  // An answer is the later word, unless it lags behind what was told.
  const isAnswer =
    asked !== undefined && asked !== 'not listed' && !(asked.status === 'pending' && told.status !== 'pending')
  const refund = isAnswer
    ? asked
    : { ...told, externalId: typeof asked === 'object' ? asked.externalId : told.externalId }
  return handleRefund(context, gateway.id, { refund, source: isAnswer ? 'answer' : 'notification', now })
}

/**
 * A message that does not say our name of a refund may mean one of ours whose answer was lost, or one that was made past
 * us. @returns undefined where the message says enough, or the gateway cannot say more.
 */
async function askWhose(
  { db }: Context,
  gateway: PaymentGateway,
  { refundId, orderId, paymentId, externalId, orderName }: GatewayRefund,
): Promise<GatewayRefund | 'not listed' | undefined> {
  if (externalId !== null || !gateway.findsRefundsByName || gateway.findRefund === undefined) return undefined
  const order = await findOrderRef(db, gateway.id, { orderId, paymentId, externalId: orderName ?? null })
  if (order === undefined) return undefined
  return (await gateway.findRefund({ refundId, externalId: '', order })) ?? 'not listed'
}
