/** The payer is back from PayPal, after they approved a payment or called it off. */
import { DomainError } from '@wakestone/contract/errors'
import { type TransactionStatus, transactionTransitions } from '@wakestone/contract/states'
import type { PaypalReturn } from '@wakestone/contract/money/transaction'
import { GatewayUnavailable, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findOrdersOf, lockTransaction, setTransactionStatus, updateOrder } from './orders-repo.ts'
import type { Outcome } from './payments.ts'
import { pollOrder } from './polling.ts'
import { findTransaction } from '#src/features/money/statements/service.ts'
import { showTransaction } from '#src/features/money/statements/service.ts'

type Return = { userId: string; transactionId: string; isCancelled: boolean }

/**
 * Goes on with a payment, by what PayPal says of it: takes the money of an approved one, gives up one that was called
 * off and is not paid. Nothing is believed that the browser says but that the payer wants it so; again is harmless.
 * @throws DomainError `transaction_not_found`, `unsupported_payment_method`.
 */
export async function completePaypal(
  context: Context,
  gateways: Gateways,
  { userId, transactionId, isCancelled }: Return,
): Promise<PaypalReturn> {
  const gateway = gateways.find('paypal')
  const known = await findTransaction(context.db, transactionId)
  if (known?.user_id !== userId) throw new DomainError('transaction_not_found', { resource: 'transactions' })
  if (known.provider !== 'paypal' || gateway === undefined) throw new DomainError('unsupported_payment_method')
  let outcome: Outcome | undefined
  if (known.status !== 'COMPLETED') {
    try {
      outcome = isCancelled
        ? await callOff(context, gateway, transactionId)
        : await askAbout(context, gateway, transactionId)
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error
      context.logger.warn({ error, transaction: transactionId }, 'PayPal cannot be asked about a payment now')
    }
  }
  const row = await findTransaction(context.db, transactionId)
  if (row === undefined) throw new Error('a transaction vanished')
  const reason = outcome === 'declined' ? 'declined' : outcome === 'not approved' ? 'not_approved' : null
  return {
    transaction: showTransaction(row),
    payer_action: reason === null ? null : { reason, redirect_url: row.redirect_url },
  }
}

/** Of several orders the newest is the one that the payer was sent to. */
async function askAbout(context: Context, gateway: PaymentGateway, id: string): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined
  for (const order of await findOrdersOf(context.db, id)) {
    if (order.gateway_order_id === null || order.state === 'paid') continue
    const { gateway_order_id: orderId, external_id: externalId } = order
    // Whoever comes back from approving wants to pay, also when they had called it off before.
    outcome = await pollOrder(
      context,
      gateway,
      { orderId, externalId, paymentId: null, currency: '' },
      { wanted: true },
    )
  }
  return outcome
}

async function callOff(context: Context, gateway: PaymentGateway, id: string): Promise<Outcome | undefined> {
  for (const order of await findOrdersOf(context.db, id)) {
    if (order.gateway_order_id === null) continue
    const { gateway_order_id: orderId, external_id: externalId } = order
    const found = await gateway.findOrder({ orderId, externalId, paymentId: null, currency: '' })
    // What the payer has let PayPal take already is no longer theirs to call off.
    if (found !== undefined && found.status !== 'new' && found.status !== 'authorized') {
      return askAbout(context, gateway, id)
    }
  }
  await inTransaction(context.db, async (trx) => {
    const transaction = await lockTransaction(trx, id)
    if (transaction === undefined) return
    if (!transactionTransitions[transaction.status as TransactionStatus].includes('CANCELLED')) return
    for (const order of await findOrdersOf(trx, id)) {
      if (order.state === 'open') await updateOrder(trx, order.id, { state: 'cancelled', pollInSeconds: null })
    }
    await setTransactionStatus(trx, id, { status: 'CANCELLED', failure: { reason: 'called off by the payer' } })
  })
  return 'moved'
}
