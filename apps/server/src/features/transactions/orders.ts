/**
 * Making an order at a gateway. No database transaction is open while the gateway is asked, and the process may end at
 * any line: the order's name is stored first, and a gateway makes one order of a name.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import { publicUrl } from '@wakestone/kit/settings'
import type { GatewayId, NewOrder, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import {
  endAttempt,
  findOrdersOf,
  findPayer,
  insertOrder,
  leaseOrder,
  lockTransaction,
  openOrder,
  type OrderRow,
  setTransactionStatus,
} from './orders-repo.ts'

/** Longer than a call to a gateway may take: while it runs, nobody else makes this order. */
const leaseSeconds = 15
const maximumTries = 3
export const firstPollSeconds = 5
/** Time the payer has; the gateway cancels the order then. */
const validitySeconds = 2 * 3600

const descriptions = { en: 'Wallet top-up', pl: 'Doładowanie portfela', de: 'Guthaben aufladen' } as const
export const notificationPath = (gateway: GatewayId) => `/api/v1/payments/${gateway}/notify`

type Row = NonNullable<Awaited<ReturnType<typeof lockTransaction>>>

/**
 * Sees to it that a new transaction has an order that its payer can be sent to; does nothing where it has one.
 * @throws DomainError `provider_unavailable` when the gateway refuses or cannot be reached. The transaction is then FAILED, or
 * still NEW: in that case the same request with the same key goes on from here.
 */
export async function ensureOrder(context: Context, gateway: PaymentGateway, transactionId: string): Promise<void> {
  const about = { transaction: transactionId, gateway: gateway.id }
  for (let tries = 0; tries < maximumTries;) {
    const claim = await claimOrder(context, gateway, transactionId)
    if (claim === 'settled') return
    if (claim === 'busy') {
      await delay(100)
      continue
    }
    tries++
    const { order, transaction } = claim
    const result = await gateway.createOrder(await describeOrder(context, gateway, order, transaction))
    switch (result.kind) {
      case 'created':
        await openOrder(context.db, order.id, {
          gatewayOrderId: result.orderId,
          redirectUrl: result.redirectUrl,
          pollInSeconds: firstPollSeconds,
        })
        return
      case 'duplicate':
        // Made by an earlier try whose answer was lost, and with it the payer's address: another name, another order.
        await endAttempt(context.db, order.id, 'lost')
        break
      case 'bad code':
      case 'refused': {
        const reason = result.kind === 'refused' ? result.reason : result.problem
        context.logger.error({ ...about, reason }, 'a gateway refused an order')
        await failTransaction(context, order.id, transactionId, reason)
        throw new DomainError('provider_unavailable')
      }
      case 'unknown':
        context.logger.warn({ ...about, reason: result.reason }, 'a gateway may or may not have made an order')
        await endAttempt(context.db, order.id, 'creating')
    }
  }
  throw new DomainError('provider_unavailable')
}

/** Takes the right to make the order: ours until the lease ends, which a process that ended cannot give back. */
function claimOrder(context: Context, gateway: PaymentGateway, transactionId: string) {
  return inTransaction(context.db, async (trx): Promise<'settled' | 'busy' | { order: OrderRow; transaction: Row }> => {
    const transaction = await lockTransaction(trx, transactionId)
    if (transaction?.status !== 'NEW') return 'settled'
    const orders = await findOrdersOf(trx, transactionId)
    const last = orders.at(-1)
    if (last === undefined || last.state === 'lost') {
      const externalId = orders.length === 0 ? transactionId : `${transactionId}-${orders.length + 1}`
      const order = await insertOrder(trx, { transactionId, gateway: gateway.id, externalId, leaseSeconds })
      return { order, transaction }
    }
    if (last.state !== 'creating') return 'settled'
    if (last.lease_until !== null && last.lease_until > new Date()) return 'busy'
    await leaseOrder(trx, last.id, leaseSeconds)
    return { order: last, transaction }
  })
}

async function describeOrder(
  { db, settings }: Context,
  { id: gateway }: PaymentGateway,
  order: OrderRow,
  transaction: Row,
): Promise<NewOrder> {
  const language = transaction.language as keyof typeof descriptions
  const site = publicUrl(settings)
  const back = (page: string) => `${site}/${language}/${gateway}/${page}?transaction=${transaction.id}`
  return {
    method: transaction.provider as NewOrder['method'],
    externalId: order.external_id,
    amount: transaction.amount,
    currency: transaction.currency,
    description: descriptions[language],
    payerIp: transaction.payer_ip ?? '127.0.0.1',
    email: (await findPayer(db, transaction.user_id)).email,
    language,
    notifyUrl: `${site}${notificationPath(gateway)}`,
    continueUrl: back('continue'),
    cancelUrl: back('cancel'),
    validitySeconds,
  }
}

function failTransaction({ db }: Context, orderId: string, transactionId: string, reason: string) {
  return inTransaction(db, async (trx) => {
    const transaction = await lockTransaction(trx, transactionId)
    await endAttempt(trx, orderId, 'refused')
    if (transaction?.status !== 'NEW') return
    await setTransactionStatus(trx, transactionId, { status: 'FAILED', failure: { reason } })
  })
}
