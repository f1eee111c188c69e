/** What administrators ask for: a refund, a chargeback noted by hand, the end of a return that its gateway does not tell. */
import type { z } from 'zod'
import { DomainError } from '@wakestone/contract/errors'
import {
  type chargebackBody,
  type PaymentReturn,
  paymentReturnSteps,
  type refundBody,
  type RefundObstacle,
  type settleReturnBody,
  type TransactionReturns,
} from '@wakestone/contract/money/payment-return'
import type { Gateways } from '#src/adapters/payments/registry.ts'
import type { Context } from '#src/context.ts'
import { type Db, inTransaction, type Transaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import type { Actor } from '#src/features/ground/events/service.ts'
import { findWallet, lockWallet } from '#src/features/money/ledger/service.ts'
import { findTransactionOwner } from '#src/features/money/statements/service.ts'
import { freeHeld, heldOf, lockTransaction } from '#src/features/money/payments/service.ts'
import { refundable } from '#src/features/money/wallets/service.ts'
import { hashRequest, requireSameRequest } from '#src/idempotency.ts'
import { enqueue } from '#src/jobs/boss.ts'
import { findUnnamed, sumLeft, sumTaken } from './entered.ts'
import { listReturnsOfOrder, showReturnById } from './listing.ts'
import { finishRefund, leftOf, putBack, requireLocked, takeReturn } from './money.ts'
import { findPaymentByOrder, findPaymentOf, type Payment } from './payments-repo.ts'
import { findReturn, findReturnByKey, findReturnByNames, findReturnsOfOrder, updateReturn } from './repo.ts'
import { sendRefundsJob } from './sending.ts'
import { noteEnd, noteRequest, tellFailed, tellRefunded, tellReturned, tellTaken, toldOf } from './telling.ts'

type Deps = Pick<Context, 'db' | 'boss'>

const canRefund = (gateways: Gateways, { gateway }: Payment) => gateways.find(gateway)?.refund !== undefined
const notFound = () => new DomainError('resource_not_found', { resource: 'transactions' })

/** @throws DomainError `resource_not_found`. */
export async function showTransactionReturns(
  db: Db,
  gateways: Gateways,
  depositId: string,
): Promise<TransactionReturns> {
  const payment = await findPaymentOf(db, depositId)
  if (payment === undefined) {
    if ((await findTransactionOwner(db, depositId)) === undefined) throw notFound()
    const nothing = { amount: 0, currency: 'PLN' }
    return { left: nothing, refundable: nothing, obstacle: 'no_payment', data: [] }
  }
  const wallet = await findWallet(db, payment.walletId)
  const left = await leftOf(db, payment)
  const held = await heldOf(db, depositId)
  const most = Math.min(left, wallet === undefined ? 0 : refundable({ ...wallet, held: wallet.held - held }))
  const obstacle = ((): RefundObstacle | null => {
    if (!canRefund(gateways, payment)) return 'gateway_off'
    if (left === 0) return 'all_back'
    return most === 0 ? 'balance' : null
  })()
  const { currency } = payment
  return {
    left: { amount: left, currency },
    refundable: { amount: obstacle === null ? most : 0, currency },
    obstacle,
    data: await listReturnsOfOrder(db, payment.orderId),
  }
}

/** The payment of a transaction, of which nothing else then goes back. */
async function lockPayment(trx: Transaction, depositId: string): Promise<Payment> {
  if ((await lockTransaction(trx, depositId)) === undefined) throw notFound()
  const payment = await findPaymentOf(trx, depositId)
  if (payment === undefined) throw new DomainError('transaction_not_refundable', { obstacle: 'no_payment' })
  return payment
}

/**
 * Takes the money out of the wallet and has the gateway asked to give it back. The same key again is the same refund.
 * @throws DomainError as the contract lists them.
 */
export async function requestRefund(
  { db, boss }: Deps,
  gateways: Gateways,
  request: { actor: Actor; depositId: string; body: z.output<typeof refundBody>; key: string; now: Date },
): Promise<PaymentReturn> {
  const { actor, depositId, body, key, now } = request
  const requestHash = hashRequest([depositId, body.amount, body.reason])
  const id = await inTransaction(db, async (trx) => {
    // The key may be another payment's too: then nobody waits for the payment's own lock.
    await lockName(trx, `refund:${actor.user_id}:${key}`)
    const payment = await lockPayment(trx, depositId)
    const known = await findReturnByKey(trx, actor.user_id, key)
    if (known !== undefined) {
      requireSameRequest(known.request_hash, requestHash)
      return known.id
    }
    if (!canRefund(gateways, payment)) throw new DomainError('transaction_not_refundable', { obstacle: 'gateway_off' })
    const left = await leftOf(trx, payment)
    if (body.amount > left) throw new DomainError('refund_exceeds_payment', { available: left })
    await freeHeld(trx, { depositId: payment.depositId, amount: body.amount })
    const wallet = await lockWallet(trx, payment.walletId)
    const available = wallet === undefined ? 0 : refundable(wallet)
    if (body.amount > available) throw new DomainError('refund_exceeds_balance', { available })
    const { id: made } = await takeReturn(trx, {
      kind: 'refund',
      payment,
      amount: body.amount,
      reason: body.reason,
      askedBy: actor.user_id,
      idempotency: { key, requestHash },
      now,
    })
    await noteRequest(trx, { id: made, payment, amount: body.amount }, { reason: body.reason, actor })
    await enqueue(boss, trx, sendRefundsJob, {})
    return made
  })
  return showReturnById(db, id)
}

/**
 * Notes a chargeback of which a letter told. The same case again is the same chargeback; so is one of which the gateway
 * has told and no letter yet, of this amount, or where both together would be more than was paid.
 * @throws DomainError as the contract lists them.
 */
export async function enterChargeback(
  { db }: Pick<Deps, 'db'>,
  {
    actor,
    depositId,
    body,
    now,
  }: { actor: Actor; depositId: string; body: z.output<typeof chargebackBody>; now: Date },
): Promise<PaymentReturn> {
  const { kind, amount, reason, case_id: caseId } = body
  const id = await inTransaction(db, async (trx) => {
    const payment = await lockPayment(trx, depositId)
    const names = { id: null, gatewayReturnId: caseId, kinds: [kind] } as const
    const same = await findReturnByNames(trx, payment.gateway, names)
    if (same !== undefined) {
      // What the gateway told, an administrator's letter does not change.
      const isSame = same.order_id === payment.orderId && (same.amount === amount || same.told)
      if (!isSame) throw new DomainError('idempotency_key_reused')
      return same.id
    }
    if (amount > payment.amount) throw new DomainError('refund_exceeds_payment', { available: payment.amount })
    // The gateway was faster than the letter: it is the same case under another name.
    const returns = await findReturnsOfOrder(trx, payment.orderId)
    const known = returns.filter((row) => row.kind === kind)
    const available = Math.max(0, payment.amount - (kind === 'chargeback' ? sumTaken(known) : sumLeft(returns)))
    const told = findUnnamed(known, amount) ?? (amount > available ? findUnnamed(known, null) : undefined)
    if (told === undefined && amount > available) throw new DomainError('refund_exceeds_payment', { available })
    if (told !== undefined) {
      await updateReturn(trx, told.id, { entered_case: caseId })
      return told.id
    }
    const named = { gatewayReturnId: caseId, enteredCase: caseId, happenedAt: now }
    const taking = { kind, payment, amount, reason, ...named } as const
    const { id: made, owed } = await takeReturn(trx, { ...taking, askedBy: actor.user_id, now })
    await tellTaken(trx, { id: made, payment, amount }, { owed, reason, isChargeback: kind === 'chargeback', actor })
    return made
  })
  return showReturnById(db, id)
}

/**
 * Ends a return as an administrator has learned that it ended.
 * @throws DomainError `resource_not_found`, `return_is_over` where its state does not lead there.
 */
export async function settleByHand(
  { db }: Pick<Deps, 'db'>,
  { actor, id, body, now }: { actor: Actor; id: string; body: z.output<typeof settleReturnBody>; now: Date },
): Promise<PaymentReturn> {
  const { outcome, reason } = body
  await inTransaction(db, async (trx) => {
    const known = await findReturn(trx, id)
    if (known === undefined) throw new DomainError('resource_not_found')
    await lockTransaction(trx, known.deposit_id)
    const row = await requireLocked(trx, id)
    const payment = await findPaymentByOrder(trx, row.order_id)
    if (payment === undefined) throw new Error('a return without its payment')
    if (row.state === outcome) return
    if (!paymentReturnSteps[row.state].includes(outcome)) throw new DomainError('return_is_over', { state: row.state })
    const told = toldOf(row, payment)
    await noteEnd(trx, told, { reason, outcome, actor })
    if (outcome === 'COMPLETED') {
      await finishRefund(trx, row, now)
      return tellRefunded(trx, told, row.reason)
    }
    await putBack(trx, { row, payment, reason, now })
    await (outcome === 'FAILED' ? tellFailed(trx, told, reason) : tellReturned(trx, told))
  })
  return showReturnById(db, id)
}
