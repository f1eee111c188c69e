/**
 * Bills: what was bought and is to be paid within some days. The purchase itself runs through the wallet, which is lent
 * the amount in the same transaction; what is owed stands on an account of its own until the bill is paid. A wallet is
 * never below zero.
 */
import { DomainError } from '@wakestone/contract/errors'
import type { Bill, PayLater } from '@wakestone/contract/sales/pay-later'
import type { WalletLog } from '@wakestone/contract/money/wallet'
import type { Settings } from '@wakestone/kit/settings'
import type { Handle, Transaction } from '#src/db/client.ts'
import { accounts, openAccount, postToLedger } from '#src/features/money/ledger/service.ts'
import { chargeWallet } from '#src/features/money/wallets/service.ts'
import {
  type BillRow,
  findHistory,
  findOpenBillOf,
  insertBill,
  lockBill,
  lockBuyer,
  selectBillsOf,
  sumByCurrency,
  updateBill,
} from './repo.ts'

export {
  type BillRow,
  countBills,
  findPaidWith,
  hasOverdue,
  lockBill,
  selectAllBills,
  selectNear,
  updateBill,
} from './repo.ts'

const day = 24 * 3600_000
/** Payments that are older say little of today. */
const history = 365 * day
const leastPayments = 2
const listed = 100

export type BillRules = Pick<
  Settings,
  'PAY_LATER_DAYS' | 'PAY_LATER_PERCENT' | 'PAY_LATER_MAXIMUM' | 'PAY_LATER_ACCOUNT_DAYS'
>

export function showBill(row: BillRow): Bill {
  return {
    id: row.id,
    state: row.paid_at !== null ? 'paid' : row.overdue_at !== null ? 'overdue' : 'open',
    amount: { amount: row.amount, currency: row.currency },
    service_id: row.service_id,
    product_id: row.product_id,
    server: row.server_id === null || row.server_name === null ? null : { id: row.server_id, name: row.server_name },
    wallet_id: row.wallet_id,
    created_at: row.created_at.toISOString(),
    due_at: row.due_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  }
}

/**
 * How much somebody may owe, by what they have paid in so far: nothing until their account has some age and two payments,
 * and never again after a bill that was not paid in time.
 */
export async function findLimits(
  db: Handle,
  rules: BillRules,
  userId: string,
  now: Date,
): Promise<Pick<PayLater, 'refusal' | 'limits'>> {
  const known = await findHistory(db, userId)
  const sums = await sumByCurrency(db, userId, new Date(now.getTime() - history))
  const refusal = refuse(known, rules, now)
  const limits = sums.map(({ currency, paid, open }) => {
    const share = Math.floor((paid * rules.PAY_LATER_PERCENT) / 100)
    const limit = refusal === null ? Math.min(rules.PAY_LATER_MAXIMUM, share) : 0
    return { currency, limit, open, available: Math.max(0, limit - open) }
  })
  return { refusal, limits }
}

function refuse(known: Awaited<ReturnType<typeof findHistory>>, rules: BillRules, now: Date): PayLater['refusal'] {
  if (known?.is_verified !== true) return 'not_verified'
  if (known.was_overdue) return 'was_overdue'
  if (now.getTime() - known.created_at.getTime() < rules.PAY_LATER_ACCOUNT_DAYS * day) return 'too_new'
  return known.payments < leastPayments ? 'too_few_payments' : null
}

/** The user's limits and bills. */
export async function showPayLater(
  db: Handle,
  rules: BillRules,
  { userId, isOn, now }: { userId: string; isOn: boolean; now: Date },
): Promise<PayLater> {
  const { refusal, limits } = await findLimits(db, rules, userId, now)
  return {
    refusal: isOn ? refusal : 'off',
    days: rules.PAY_LATER_DAYS,
    limits: isOn ? limits : limits.map((one) => ({ ...one, limit: 0, available: 0 })),
    bills: (await selectBillsOf(db, userId, listed)).map(showBill),
  }
}

/**
 * Lends a wallet what a purchase is about to take from it, in the purchase's transaction, as credit that never leaves to a
 * payer: the charge that follows spends exactly that.
 * @returns id of the bill; `linkPurchase` has to follow.
 * @throws DomainError `pay_later_not_available` with what is left of the limit.
 */
export async function lendForPurchase(
  trx: Transaction,
  rules: BillRules,
  loan: {
    userId: string
    walletId: string
    currency: string
    /** Gross, minor units, more than zero. */
    amount: number
    serviceId: string
    /** Of the purchase. */
    key: string
    now: Date
  },
): Promise<string> {
  const { userId, walletId, currency, amount, serviceId, key, now } = loan
  await lockBuyer(trx, userId)
  const { limits } = await findLimits(trx, rules, userId, now)
  const available = limits.find((one) => one.currency === currency)?.available ?? 0
  if (amount > available) throw new DomainError('pay_later_not_available', { available })
  const dueAt = new Date(now.getTime() + rules.PAY_LATER_DAYS * day)
  const id = await insertBill(trx, { userId, key, walletId, currency, amount, serviceId, createdAt: now, dueAt })
  await openAccount(trx, accounts.credit(walletId), currency)
  await postToLedger(trx, {
    scope: 'bill',
    key: id,
    kind: 'PAY_LATER' satisfies WalletLog['cause'],
    entries: [
      { code: accounts.receivable(userId, currency), currency, amount: -amount },
      { code: accounts.wallet(walletId), currency, amount },
      { code: accounts.credit(walletId), currency, amount },
      { code: accounts.credits(currency), currency, amount: -amount },
    ],
    meta: { bill_id: id, service_id: serviceId, due_at: dueAt.toISOString() },
  })
  return id
}

export function linkPurchase(trx: Transaction, billId: string, purchaseId: string): Promise<void> {
  return updateBill(trx, billId, { purchase_id: purchaseId })
}

/**
 * Pays a bill from a wallet of its owner's. A bill that is paid stays as it is.
 * @returns the bill; undefined when there is none of this user.
 * @throws DomainError those of `chargeWallet`.
 */
export async function settleBill(
  trx: Transaction,
  { billId, userId, walletId, now }: { billId: string; userId: string; walletId?: string | undefined; now: Date },
): Promise<{ bill: BillRow; isPaidNow: boolean } | undefined> {
  const bill = await lockBill(trx, billId)
  if (bill === undefined || bill.user_id !== userId) return undefined
  if (bill.paid_at !== null) return { bill, isPaidNow: false }
  const { currency, amount } = bill
  const paymentId = await chargeWallet(trx, {
    userId,
    walletId: walletId ?? bill.wallet_id,
    currency,
    amount,
    tax: 0, // was due with the purchase
    creditor: accounts.receivable(userId, currency),
    positions: [{ name: bill.product_id, quantity: 1, tax: 0, total_price_gross: amount }],
    action: 'PAY_BILL',
    key: `bill:${billId}`,
    details: { bill_id: billId, service_id: bill.service_id },
  })
  await updateBill(trx, billId, { paid_at: now, payment_id: paymentId })
  return { bill: { ...bill, paid_at: now }, isPaidNow: true }
}

/**
 * Pays open bills of purchases with what has just been given back of them, in the same transaction: whoever withdraws
 * from what they have not paid owes that much less.
 * @param returns what came back of each purchase; `key` makes it happen once.
 * @returns bills that are paid now; what stood still for them goes on by the caller.
 */
export async function payBillsOf(
  trx: Transaction,
  {
    userId,
    returns,
    key,
    now,
  }: {
    userId: string
    returns: readonly { payment: { transaction: string | null }; amount: number }[]
    key: string
    now: Date
  },
): Promise<BillRow[]> {
  // One purchase may have paid for several things, and its bill is one.
  const backOf = new Map<string, number>()
  for (const { payment, amount } of returns)
    if (payment.transaction !== null) backOf.set(payment.transaction, (backOf.get(payment.transaction) ?? 0) + amount)
  const paid: BillRow[] = []
  for (const [transactionId, amount] of backOf) {
    const billId = await findOpenBillOf(trx, transactionId)
    const bill = billId === undefined ? undefined : await lockBill(trx, billId)
    if (bill === undefined || bill.paid_at !== null || bill.user_id !== userId) continue
    if (amount >= bill.amount) {
      const settled = await settleBill(trx, { billId: bill.id, userId, now })
      if (settled !== undefined) paid.push(settled.bill)
      continue
    }
    const { currency } = bill
    await chargeWallet(trx, {
      userId,
      walletId: bill.wallet_id,
      currency,
      amount,
      tax: 0,
      creditor: accounts.receivable(userId, currency),
      positions: [{ name: bill.product_id, quantity: 1, tax: 0, total_price_gross: amount }],
      action: 'PAY_BILL',
      key: `bill:${bill.id}:${key}`,
      details: { bill_id: bill.id, service_id: bill.service_id },
    })
    await updateBill(trx, bill.id, { amount: bill.amount - amount })
  }
  return paid
}
