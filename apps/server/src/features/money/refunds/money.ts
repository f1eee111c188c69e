/** What a return does to wallet and ledger, and what its customer sees of it. The caller holds the payment's lock. */
import type { PaymentReturnKind } from '@wakestone/contract/money/payment-return'
import type { ProviderId } from '@wakestone/contract/money/transaction'
import type { WalletLog } from '@wakestone/contract/money/wallet'
import type { Transaction } from '#src/db/client.ts'
import { insertDebt, lendForReturn, settleDebts } from '#src/features/money/debts/service.ts'
import { accounts, lockWallet, postToLedger } from '#src/features/money/ledger/service.ts'
import { planRemoval, taxAgain, untax } from '#src/features/money/taxed-balances/service.ts'
import { recordPurchase } from '#src/features/money/statements/service.ts'
import { refundable } from '#src/features/money/wallets/service.ts'
import type { Payment } from './payments-repo.ts'
import { findReturnsOfOrder, insertReturn, lockReturn, newReturnId, type ReturnRow, updateReturn } from './repo.ts'
import { freeHeld, giveShareBack } from '#src/features/money/payments/service.ts'
import { moneyReturned, returnUndone } from './returned.ts'

/** Those whose money is away, or is meant to be. */
export const isActive = ({ state }: Pick<ReturnRow, 'state'>) => state !== 'FAILED' && state !== 'RETURNED'

const sumOf = (returns: readonly ReturnRow[]) => returns.filter(isActive).reduce((sum, { amount }) => sum + amount, 0)

/** Of what came in, what has not gone back. */
export async function leftOf(trx: Parameters<typeof findReturnsOfOrder>[0], payment: Payment): Promise<number> {
  return Math.max(0, payment.amount - sumOf(await findReturnsOfOrder(trx, payment.orderId)))
}

const causes = { refund: 'REFUND', outside: 'REFUND', chargeback: 'CHARGEBACK' } as const satisfies Record<
  PaymentReturnKind,
  WalletLog['cause']
>

const positionNames: Partial<Record<Payment['action'], string>> = { ITEMSHOP_SELL: 'ITEMSHOP_SELL' }

export type Taking = {
  kind: PaymentReturnKind
  payment: Payment
  amount: number
  reason: string
  now: Date
  gatewayReturnId?: string | null
  happenedAt?: Date | null
  askedBy?: string | null
  enteredCase?: string
  idempotency?: { key: string; requestHash: Buffer } | undefined
}

/**
 * Takes a return out of the wallet. A refund of ours is out of what may be paid out and waits at the gateway; what has
 * left past us is taken as far as the wallet holds, its credit last, and the rest is owed. Rewards for the payment go back.
 */
export async function takeReturn(trx: Transaction, taking: Taking): Promise<{ id: string; owed: number }> {
  const { kind, payment, amount, reason, now } = taking
  const { walletId, userId, currency, gateway } = payment
  const id = await newReturnId(trx)
  // Of what somebody has sold, what is still held is there for this. A refund has freed it before it was allowed.
  if (kind !== 'refund') await freeHeld(trx, { depositId: payment.depositId, amount })
  const wallet = await lockWallet(trx, walletId)
  if (wallet === undefined) throw new Error('a payment without a wallet')
  const isRefund = kind === 'refund'
  const owed = isRefund ? 0 : Math.max(0, amount - Math.max(0, wallet.posted - wallet.held))
  const credit = isRefund ? 0 : Math.max(0, amount - owed - refundable(wallet))
  if (owed > 0) await lendForReturn(trx, { returnId: id, userId, walletId, currency, amount: owed })
  const pieces = await planRemoval(
    trx,
    { ...wallet, posted: wallet.posted + owed },
    { removed: { money: amount - credit, credit }, depositId: payment.depositId },
  )
  const details = {
    reverses: payment.depositId,
    return_id: id,
    return_kind: kind,
    reason,
    ...(credit > 0 && { non_refundable: credit }),
  }
  const { id: ledgerTransactionId } = await postToLedger(trx, {
    scope: 'return',
    key: id,
    kind: causes[kind],
    entries: [
      { code: accounts.wallet(walletId), currency, amount: -amount },
      { code: isRefund ? accounts.refunds(gateway, currency) : accounts.gateway(gateway, currency), currency, amount },
      { code: accounts.credit(walletId), currency, amount: -credit },
      { code: accounts.credits(currency), currency, amount: credit },
    ],
    meta: details,
  })
  const transactionId = await record(trx, payment, { amount: -amount, details, ledgerTransactionId })
  await untax(trx, { wallet, transactionId, provider: payment.provider, pieces })
  await insertReturn(trx, {
    id,
    kind,
    state: isRefund ? 'REQUESTED' : 'COMPLETED',
    payment,
    amount,
    credit,
    gatewayReturnId: taking.gatewayReturnId ?? null,
    happenedAt: taking.happenedAt ?? null,
    reason,
    askedBy: taking.askedBy ?? null,
    enteredCase: taking.enteredCase,
    idempotency: taking.idempotency,
    transactionId,
    now,
  })
  if (owed > 0) await insertDebt(trx, { returnId: id, userId, walletId, currency, amount: owed, now })
  const refunded = sumOf(await findReturnsOfOrder(trx, payment.orderId))
  await giveShareBack(trx, { depositId: payment.depositId, returnId: id, amount })
  if (payment.action === 'ITEMSHOP_SELL') await settleDebts(trx, walletId, now)
  await moneyReturned.announce(trx, { depositId: payment.depositId, kind, refunded, now })
  return { id, owed }
}

/** The gateway has given it back: it waits there no longer. */
export async function finishRefund(trx: Transaction, row: ReturnRow, now: Date): Promise<void> {
  const { id, currency, gateway, amount } = row
  await postToLedger(trx, {
    scope: 'return-left',
    key: id,
    kind: 'REFUND',
    entries: [
      { code: accounts.refunds(gateway, currency), currency, amount: -amount },
      { code: accounts.gateway(gateway, currency), currency, amount },
    ],
    meta: { return_id: id },
  })
  await updateReturn(trx, id, { state: 'COMPLETED', finished_at: now, next_try_at: null, failure: null })
}

/**
 * The money stayed with us, or is ours again: it goes into the wallet, and settles first what is owed.
 * @param row as it stands: a refund that waits has failed, what had left is returned.
 */
export async function putBack(
  trx: Transaction,
  { row, payment, reason, now }: { row: ReturnRow; payment: Payment; reason: string; now: Date },
): Promise<void> {
  const { id, currency, gateway, amount, credit, wallet_id: walletId, kind } = row
  const waits = row.state === 'REQUESTED' || row.state === 'SENT'
  const details = {
    reverses: row.transaction_id,
    return_id: id,
    return_kind: kind,
    reason,
    ...(credit > 0 && { non_refundable: credit }),
  }
  const { id: ledgerTransactionId } = await postToLedger(trx, {
    scope: 'return-back',
    key: id,
    kind: causes[kind],
    entries: [
      {
        code: waits ? accounts.refunds(gateway, currency) : accounts.gateway(gateway, currency),
        currency,
        amount: -amount,
      },
      { code: accounts.wallet(walletId), currency, amount },
      { code: accounts.credit(walletId), currency, amount: credit },
      { code: accounts.credits(currency), currency, amount: -credit },
    ],
    meta: details,
  })
  const returnedId = await record(trx, payment, { amount, details, ledgerTransactionId })
  await updateReturn(trx, id, {
    state: waits ? 'FAILED' : 'RETURNED',
    returned_transaction_id: returnedId,
    failure: reason,
    finished_at: now,
    next_try_at: null,
  })
  await settleDebts(trx, walletId, now)
  const refunded = sumOf(await findReturnsOfOrder(trx, payment.orderId))
  await returnUndone.announce(trx, { depositId: payment.depositId, refunded })
  if (row.transaction_id !== null)
    await taxAgain(trx, { walletId, transactionId: row.transaction_id, provider: payment.provider })
}

function record(
  trx: Transaction,
  payment: Payment,
  { amount, details, ledgerTransactionId }: { amount: number; details: object; ledgerTransactionId: string },
): Promise<string> {
  return recordPurchase(trx, {
    userId: payment.userId,
    walletId: payment.walletId,
    currency: payment.currency,
    action: payment.action,
    provider: payment.provider as ProviderId,
    amount,
    countryTaxRate: { country_code: payment.countryCode, vat_rate: payment.vatRate },
    // No sale: where tax was due when it came in, `untax` gives that back.
    positions: [
      { name: positionNames[payment.action] ?? 'WALLET_TOP_UP', quantity: 1, tax: 0, total_price_gross: amount },
    ],
    details,
    ledgerTransactionId,
  })
}

/** The return as it is once nobody else moves it. */
export async function requireLocked(trx: Transaction, id: string): Promise<ReturnRow> {
  const row = await lockReturn(trx, id)
  if (row === undefined) throw new Error('a return vanished')
  return row
}
