/**
 * What an order at a gateway means for the customer's transaction and wallet. Notifications and polls both end here,
 * in any order and any number: the state table and the ledger's key make the outcome the same.
 */
import { isFinalTransaction, type TransactionStatus, transactionTransitions } from '@wakestone/contract/states'
import type { GatewayOrder, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { settleDebts } from '#src/features/money/debts/service.ts'
import { accounts, postToLedger } from '#src/features/money/ledger/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { taxTopUp } from '#src/features/money/taxed-balances/service.ts'
import { findTaxPoint } from '#src/features/money/taxes/service.ts'
import { findWalletOwner, getWallet } from '#src/features/money/wallets/service.ts'
import {
  findOrder,
  findOrdersOf,
  insertFollower,
  lockTransaction,
  type OrderRow,
  setTransactionStatus,
  updateOrder,
} from './orders-repo.ts'
import { isSale, takeSale } from './sales.ts'
import { insertSecondPayment } from '#src/features/money/statements/service.ts'

export type Outcome =
  | 'credited'
  | 'moved'
  | 'unchanged'
  /** The gateway waits for us to take the money. */
  | 'capture'
  /** The payer has to act at the gateway: to begin, or again, since it took no money by the way they chose. */
  | 'not approved'
  | 'declined'
  /** The gateway speaks of another amount, currency, point of sale or order than we do. Nothing was credited. */
  | 'mismatch'
  /** The gateway uses a word that is not known here. Nothing was changed: somebody has to look. */
  | 'held'
  /** No order of ours. */
  | 'unknown order'

type Change = {
  gateway: Pick<PaymentGateway, 'id' | 'chainsOrders'>
  order: GatewayOrder
  source: 'notification' | 'poll'
  /** The payer is here and wants it: money that waits is taken for a top-up that was given up, too. */
  wanted?: boolean | undefined
  known: { id: string; transaction_id: string }
}

/**
 * Applies what a gateway says of an order, in one transaction.
 * @param source a poll's answer is the gateway's own word; a notification that disagrees with us is checked by a poll
 * first.
 */
export async function applyOrder(
  context: Pick<Context, 'db' | 'logger'>,
  { gateway, order, source, wanted }: Omit<Change, 'known'>,
): Promise<Outcome> {
  const known = await findOrder(context.db, gateway.id, order)
  if (known === undefined) {
    context.logger.warn(
      { gateway: gateway.id, order: order.orderId, external_id: order.externalId },
      'a gateway tells of an order that is not ours',
    )
    return 'unknown order'
  }
  const outcome = await inTransaction(context.db, (trx) => apply(trx, { gateway, order, source, wanted, known }))
  // Said once, not at each poll.
  if (outcome === 'held' && known.held_status !== order.gatewayStatus) {
    context.logger.error(
      {
        transaction: known.transaction_id,
        gateway: gateway.id,
        order: order.orderId,
        status: order.gatewayStatus,
        source,
      },
      'PAYMENT HELD: a gateway tells of a status that is not known here; the payment is left as it is',
    )
  }
  if (outcome === 'mismatch') {
    context.logger.error(
      {
        transaction: known.transaction_id,
        gateway: gateway.id,
        order: order.orderId,
        amount: order.amount,
        currency: order.currency,
        source,
      },
      'PAYMENT MISMATCH: a gateway tells of another amount, currency, shop or order than was asked for; nothing is credited',
    )
  }
  return outcome
}

async function apply(trx: Transaction, { gateway, order, source, wanted, known }: Change): Promise<Outcome> {
  const transaction = await lockTransaction(trx, known.transaction_id)
  const named = (await findOrdersOf(trx, known.transaction_id)).find(({ id }) => id === known.id)
  if (transaction === undefined || named === undefined) return 'unknown order'
  const row = await pickOrder(trx, { gateway, order, named })
  if (row !== undefined && order.status === 'unknown') {
    await updateOrder(trx, row.id, {
      heldStatus: order.gatewayStatus,
      ...(row.gateway_order_id === null ? { gatewayOrderId: order.orderId } : {}),
    })
    return 'held'
  }
  if (row?.state === 'paid') return 'unchanged'
  const status = transaction.status as TransactionStatus
  const { amount, currency } = transaction
  const may = (next: TransactionStatus) => transactionTransitions[status].includes(next)

  const isOurs =
    order.isOfOurShop &&
    (order.amount === null || order.amount === amount) &&
    (order.currency === null || order.currency === currency)
  if (row === undefined || !isOurs) {
    const about = row ?? named
    if (about.state === 'paid') return 'mismatch'
    if (source === 'notification') {
      if (about.gateway_order_id !== null) await updateOrder(trx, about.id, { pollInSeconds: 0 })
    } else {
      await updateOrder(trx, about.id, { state: 'refused', pollInSeconds: null })
      const failure = { reason: 'mismatch', order: { ...order } }
      if (may('FAILED')) await setTransactionStatus(trx, transaction.id, { status: 'FAILED', failure })
    }
    return 'mismatch'
  }
  if (row.gateway_order_id === null) await updateOrder(trx, row.id, { gatewayOrderId: order.orderId })
  if (row.held_status !== null) await updateOrder(trx, row.id, { heldStatus: null })

  switch (order.status) {
    case 'paid': {
      const { id: ledgerTransactionId } = await postToLedger(trx, {
        scope: 'payment',
        key: `${gateway.id}:${order.paymentId}`,
        kind: isSale(transaction) ? 'ITEMSHOP_SELL' : 'DEPOSIT',
        entries: [
          { code: accounts.gateway(gateway.id, currency), currency, amount: -amount },
          { code: accounts.wallet(transaction.wallet_id), currency, amount },
        ],
        meta: { transaction_id: transaction.id, provider: gateway.id },
      })
      await updateOrder(trx, row.id, {
        state: 'paid',
        ledgerTransactionId,
        paymentId: order.paymentId,
        pollInSeconds: null,
      })
      let depositId = transaction.id
      const isFirst = may('COMPLETED')
      if (isFirst) {
        await setTransactionStatus(trx, depositId, { status: 'COMPLETED', ledgerTransactionId })
      } else {
        // A second order of the same transaction was paid too: the customer's money all the same, and theirs to ask back.
        depositId = await insertSecondPayment(trx, transaction, ledgerTransactionId)
      }
      if (isSale(transaction)) {
        await takeSale(trx, { transaction, depositId, now: new Date() })
        return 'credited'
      }
      const { wallet_id: walletId, provider } = transaction
      const settled = await settleDebts(trx, walletId, new Date())
      await taxTopUp(trx, { depositId, provider, walletId, amount: amount - settled })
      await tellPayer(trx, transaction, isFirst ? 'SUCCESSFUL_PAYMENT' : 'SECOND_PAYMENT', {
        orderId: row.id,
        more: await describeBalance(trx, { walletId, depositId }),
      })
      return 'credited'
    }
    case 'cancelled':
    case 'refused':
    case 'abandoned': {
      const state = ranks.indexOf(order.status) > ranks.indexOf(row.state) ? order.status : row.state
      await updateOrder(trx, row.id, { state, pollInSeconds: null })
      const next = outcomeOf(await findOrdersOf(trx, transaction.id))
      if (next === undefined || !may(next)) return 'unchanged'
      await setTransactionStatus(trx, transaction.id, { status: next, failure: { reason: order.gatewayStatus } })
      if (next === 'FAILED') await tellPayer(trx, transaction, 'FAILED_PAYMENT', { orderId: row.id })
      return 'moved'
    }
    case 'authorized':
      if (may('READY_TO_CAPTURE')) await setTransactionStatus(trx, transaction.id, { status: 'READY_TO_CAPTURE' })
      return isFinalTransaction(status) && wanted !== true ? 'unchanged' : 'capture'
    case 'pending':
      if (!may('PROCESSING')) return 'unchanged'
      await setTransactionStatus(trx, transaction.id, { status: 'PROCESSING' })
      return 'moved'
    case 'new':
      // Approved once: it was the way the payer had chosen that gave no money, whoever asked for it first.
      return status === 'READY_TO_CAPTURE' ? 'declined' : 'not approved'
    case 'unknown':
      return 'held'
  }
}

/** The row that this order of the gateway is: the one of that name, or one that follows it. Undefined: neither. */
async function pickOrder(
  trx: Transaction,
  { gateway, order, named }: { gateway: Change['gateway']; order: GatewayOrder; named: OrderRow },
): Promise<OrderRow | undefined> {
  if (named.gateway_order_id === null || named.gateway_order_id === order.orderId) return named
  if (!gateway.chainsOrders) return undefined
  const follower = (await findOrdersOf(trx, named.transaction_id)).find(
    ({ gateway_order_id }) => gateway_order_id === order.orderId,
  )
  if (follower !== undefined) return follower.external_id === named.external_id ? follower : undefined
  return insertFollower(trx, named, { gatewayOrderId: order.orderId, redirectUrl: null, pollInSeconds: 0 })
}

/** Of several ends that an order was told to have come to the last of these counts, whichever was told first. */
const ranks: readonly string[] = ['abandoned', 'cancelled', 'refused', 'paid'] satisfies OrderRow['state'][]

/** What a transaction's orders make of it once none is open; undefined while one is, or will be. */
function outcomeOf(orders: readonly Pick<OrderRow, 'state'>[]): 'FAILED' | 'CANCELLED' | undefined {
  const states = new Set(orders.map(({ state }) => state))
  if (states.has('open') || states.has('creating')) return undefined
  if (states.has('refused')) return 'FAILED'
  return states.has('cancelled') ? 'CANCELLED' : undefined
}

/** Once per order: of a transaction's two orders both may have been paid. */
async function tellPayer(
  trx: Transaction,
  transaction: { wallet_id: string; amount: number; currency: string; action: string; provider: string },
  kind: 'SUCCESSFUL_PAYMENT' | 'SECOND_PAYMENT' | 'FAILED_PAYMENT',
  { orderId, more = {} }: { orderId: string; more?: Awaited<ReturnType<typeof describeBalance>> | object },
): Promise<void> {
  // Who pays for what somebody sells has no account; the seller is told of sales by their shop.
  if (isSale(transaction)) return
  const { wallet_id: id, amount, currency, provider } = transaction
  const userId = await findWalletOwner(trx, id)
  if (userId === undefined) return
  const fields = { amount: { amount, currency }, provider, ...more }
  await notify(trx, { userId, kind, fields, resource: { type: 'wallet', id }, dedupeKey: `${kind} ${orderId}` })
}

/** What is in the wallet after a top-up, and where its document is: only what is taxed as it comes in has one. */
async function describeBalance(trx: Transaction, { walletId, depositId }: { walletId: string; depositId: string }) {
  const { balance } = await getWallet(trx, walletId)
  const isTaxed = (await findTaxPoint(trx)) !== 'purchase'
  return { balance, ...(isTaxed && { transaction: depositId, wallet: walletId }) }
}
