/**
 * Making an order at a gateway. No database transaction is open while the gateway is asked, and the process may end at
 * any line: the order's name is stored first, and a gateway makes one order of a name.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@wakestone/contract/errors'
import { publicUrl } from '@wakestone/kit/settings'
import type { CodeProblem, GatewayId, NewOrder, PaymentGateway } from '#src/adapters/payments/gateway.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { findSale } from './sales-repo.ts'
import {
  endAttempt,
  findOrdersOf,
  findPayer,
  insertFollower,
  insertOrder,
  leaseOrder,
  lockTransaction,
  openOrder,
  type OrderRow,
  setTransactionStatus,
} from './orders-repo.ts'

/** While it runs nobody else makes this order. A call that takes longer is met by one of the same name: one order. */
const leaseSeconds = 15
const maximumTries = 3
const firstPollSeconds = 5
/** Time the payer has; the gateway cancels the order then. Who typed a code has their bank's app at hand. */
const validitySeconds = { page: 2 * 3600, code: 300 }

const descriptions = { en: 'Wallet top-up', pl: 'Doładowanie portfela', de: 'Guthabenaufladung' } as const
const codeErrors = {
  invalid: 'blik_code_invalid',
  expired: 'blik_code_expired',
  used: 'blik_code_used',
} as const satisfies Record<CodeProblem, string>
export const notificationPath = (gateway: GatewayId) => `/api/v1/payments/${gateway}/notify`

type Row = NonNullable<Awaited<ReturnType<typeof lockTransaction>>>
export type OrderOptions = {
  /** What the payer typed, where they pay by a code. */
  code?: string | undefined
  /** The code is another one than before: an earlier attempt, whatever came of it, is over. */
  isAnother?: boolean
}

/**
 * Sees to it that a new transaction has an order that its payer can be sent to, or confirms in an app; does nothing
 * where it has one.
 * @throws DomainError `provider_unavailable` when the gateway refuses or cannot be reached. The transaction is then
 * FAILED, or still NEW: in that case the same request with the same key goes on from here. `blik_code_…` when the code
 * is no good; the transaction waits for another one.
 */
export async function ensureOrder(
  context: Context,
  gateway: PaymentGateway,
  transactionId: string,
  options: OrderOptions = {},
): Promise<void> {
  const about = { transaction: transactionId, gateway: gateway.id }
  for (let tries = 0; tries < maximumTries;) {
    // Only the first look may give up what was begun before; later ones see this call's own.
    const claim = await claimOrder(context, gateway, transactionId, tries === 0 ? options : { code: options.code })
    if (claim === 'settled') return
    if (claim === 'busy') {
      await delay(100)
      continue
    }
    tries++
    const { order, transaction } = claim
    const wanted = await describeOrder(context, gateway, order, transaction, options.code)
    const result = await gateway.createOrder(wanted)
    switch (result.kind) {
      case 'created':
        return openMade(context, order, result)
      case 'duplicate':
        // Made by an earlier try whose answer was lost, and with it the payer's address: another name, another order.
        await endAttempt(context.db, order.id, 'lost')
        break
      case 'bad code':
        context.logger.info({ ...about, problem: result.problem }, 'a payer has to type another code')
        await endAttempt(context.db, order.id, 'refused')
        throw new DomainError(codeErrors[result.problem], { transaction_id: transactionId })
      case 'refused':
        context.logger.error({ ...about, reason: result.reason }, 'a gateway refused an order')
        await failTransaction(context, order.id, transactionId, result.reason)
        throw new DomainError('provider_unavailable')
      case 'unknown':
        context.logger.warn({ ...about, reason: result.reason }, 'a gateway may or may not have made an order')
        await endAttempt(context.db, order.id, 'creating')
    }
  }
  throw new DomainError('provider_unavailable')
}

/** Takes the right to make the order: ours until the lease ends, which a process that ended cannot give back. */
function claimOrder(
  context: Context,
  gateway: PaymentGateway,
  transactionId: string,
  { code, isAnother = false }: OrderOptions,
) {
  return inTransaction(context.db, async (trx): Promise<'settled' | 'busy' | { order: OrderRow; transaction: Row }> => {
    const transaction = await lockTransaction(trx, transactionId)
    if (transaction?.status !== 'NEW') return 'settled'
    const orders = await findOrdersOf(trx, transactionId)
    const last = orders.findLast(({ follows }) => follows === null)
    const isBusy = last?.state === 'creating' && last.lease_until !== null && last.lease_until > new Date()
    if (isBusy) return 'busy'
    // A code that the gateway refused, or of which it never told: the next one is another order.
    const isSpent = code !== undefined && (last?.state === 'refused' || (isAnother && last?.state === 'creating'))
    if (last === undefined || last.state === 'lost' || isSpent) {
      if (last?.state === 'creating') await endAttempt(trx, last.id, 'lost')
      const externalId = orders.length === 0 ? transactionId : `${transactionId}-${orders.length + 1}`
      const wanted = { transactionId, gateway: gateway.id, externalId, leaseSeconds, byCode: code !== undefined }
      return { order: await insertOrder(trx, wanted), transaction }
    }
    if (last.state !== 'creating') return 'settled'
    await leaseOrder(trx, last.id, leaseSeconds)
    return { order: last, transaction }
  })
}

function openMade({ db }: Context, order: OrderRow, made: { orderId: string; redirectUrl: string | null }) {
  return inTransaction(db, async (trx) => {
    await lockTransaction(trx, order.transaction_id)
    const opened = { gatewayOrderId: made.orderId, redirectUrl: made.redirectUrl, pollInSeconds: firstPollSeconds }
    const now = (await findOrdersOf(trx, order.transaction_id)).find(({ id }) => id === order.id)
    const isTaken = now?.gateway_order_id != null && now.gateway_order_id !== made.orderId
    // The payer has begun anew before we knew of the first: what we know is the one that follows.
    if (isTaken) await insertFollower(trx, order, opened)
    else await openOrder(trx, order.id, opened)
    if (order.by_code) await moveOn(trx, order.transaction_id)
  })
}

/** From now on the payer's bank has it in hand. */
async function moveOn(trx: Transaction, transactionId: string): Promise<void> {
  const transaction = await lockTransaction(trx, transactionId)
  if (transaction?.status === 'NEW') await setTransactionStatus(trx, transactionId, { status: 'PROCESSING' })
}

async function describeOrder(
  { db, settings }: Context,
  { id: gateway }: PaymentGateway,
  order: OrderRow,
  transaction: Row,
  code: string | undefined,
): Promise<NewOrder> {
  const language = transaction.language as keyof typeof descriptions
  const site = publicUrl(settings)
  const sale = await findSale(db, transaction.id)
  const back = (page: string) =>
    sale === undefined
      ? `${site}/${language}/${gateway}/${page}?transaction=${transaction.id}`
      : `${site}/${language}${sale.return_path}&back=${page}`
  return {
    method: transaction.provider as NewOrder['method'],
    externalId: order.external_id,
    amount: transaction.amount,
    currency: transaction.currency,
    description: sale?.description ?? descriptions[language],
    payerIp: sale?.payer_ip ?? transaction.payer_ip ?? '127.0.0.1',
    email: sale?.email ?? (await findPayer(db, transaction.user_id)).email,
    language,
    notifyUrl: `${site}${notificationPath(gateway)}`,
    continueUrl: back('continue'),
    cancelUrl: back('cancel'),
    validitySeconds: code === undefined ? validitySeconds.page : validitySeconds.code,
    code,
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
