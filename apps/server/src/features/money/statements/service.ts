/**
 * Transactions as customers see them: what was paid in, and what was bought from a wallet.
 */
import type { OwnerCheck } from '#src/owner-check.ts'
import { paymentReturnKinds } from '@wakestone/contract/money/payment-return'
import { isFinalTransaction, type TransactionAction } from '@wakestone/contract/states'
import type { Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import type { Handle, Transaction } from '#src/db/client.ts'
import {
  findOwner,
  findTransactionByPosting,
  findTransactions,
  findTransactionsByPosting,
  findTransactionsOfUser,
  findTransactionsOfService,
  findTransactionsOfWallet,
  insertTransaction,
  type ShownRow,
} from './repo.ts'

export {
  findTransaction,
  findTransactionByKey,
  insertSecondPayment,
  insertTransaction,
  type TransactionRow,
} from './repo.ts'

/** How long a bank's app asks its user to confirm a payment by a code. */
const confirmationSeconds = 60

export function findTransactionOwner(db: Handle, id: string): Promise<string | undefined> {
  return findOwner(db, id)
}

/** The transaction as the contract shows it. */
export function showTransaction(row: ShownRow): ShownTransaction {
  return {
    id: row.id,
    status: row.status as ShownTransaction['status'],
    action: row.action as ShownTransaction['action'],
    positions: row.positions as ShownTransaction['positions'],
    invoiceid: row.invoice_id,
    ts: row.created_at.toISOString(),
    provider: row.provider as ShownTransaction['provider'],
    amount: row.amount,
    currency: row.currency as ShownTransaction['currency'],
    country_tax_rate: { country_code: row.country_code, vat_rate: Number(row.vat_rate) },
    wallet_id: row.wallet_id,
    redirect_url: row.redirect_url,
    return_kind: paymentReturnKinds.find((kind) => kind === row.return_kind) ?? null,
    return_of: showReturned(row),
    plan_change:
      row.plan_before === null || row.plan_after === null ? null : { from: row.plan_before, to: row.plan_after },
    wants_code: row.status === 'NEW' && Boolean(row.by_code) && row.code_sent_at === null,
    confirm_until:
      row.code_sent_at === null || isFinalTransaction(row.status as ShownTransaction['status'])
        ? null
        : new Date(row.code_sent_at.getTime() + confirmationSeconds * 1000).toISOString(),
  }
}

function showReturned({
  paid_id,
  paid_at,
  paid_action,
  paid_by,
  paid_amount,
}: ShownRow): ShownTransaction['return_of'] {
  if (paid_id === null || paid_at === null) return null
  const [action, provider] = [paid_action, paid_by] as [TransactionAction, ShownTransaction['provider']]
  return { id: paid_id, ts: paid_at.toISOString(), action, provider, amount: paid_amount ?? 0 }
}

/** Newest first. */
export async function listTransactionsOfWallet(
  db: Handle,
  walletId: string,
  page: { after: string | undefined; limit: number },
): Promise<{ data: ShownTransaction[]; count: number }> {
  const { rows, count } = await findTransactionsOfWallet(db, walletId, page)
  return { data: rows.map(showTransaction), count }
}

/** Newest first. */
export async function listTransactionsOfService(
  db: Handle,
  serviceId: string,
  page: { after: string | undefined; limit: number },
): Promise<{ data: ShownTransaction[]; count: number }> {
  const { rows, count } = await findTransactionsOfService(db, serviceId, page)
  return { data: rows.map(showTransaction), count }
}

type OwnedTransaction = ShownTransaction & { user_id: string }

/** These transactions with whose they are, newest first; what does not exist is left out. */
export async function listTransactionsById(db: Handle, ids: readonly string[]): Promise<OwnedTransaction[]> {
  if (ids.length === 0) return []
  return (await findTransactions(db, ids)).map((row) => ({ ...showTransaction(row), user_id: row.user_id }))
}

/** Transactions of a user on all wallets, newest first. */
export async function listTransactionsOfUser(
  db: Handle,
  userId: string,
  page: { after?: string | undefined; limit: number },
): Promise<{ data: OwnedTransaction[]; count: number }> {
  const { rows, count } = await findTransactionsOfUser(db, userId, page)
  return { data: rows.map((row) => ({ ...showTransaction(row), user_id: row.user_id })), count }
}

/** Writes down what a wallet has paid, or was given back (a negative amount), in the transaction of its posting. */
export async function recordPurchase(
  trx: Transaction,
  purchase: {
    userId: string
    walletId: string
    currency: string
    action: TransactionAction
    /** The wallet where missing. */
    provider?: ShownTransaction['provider']
    amount: number
    countryTaxRate: { country_code: string; vat_rate: number }
    positions: ShownTransaction['positions']
    details: object
    status?: 'COMPLETED' | 'ADMIN_ACTION'
    /** Null when it cost nothing. */
    ledgerTransactionId: string | null
  },
): Promise<string> {
  const { countryTaxRate, ...row } = purchase
  const made = await insertTransaction(trx, {
    ...row,
    status: row.status ?? 'COMPLETED',
    provider: row.provider ?? 'wallet',
    countryCode: countryTaxRate.country_code,
    vatRate: countryTaxRate.vat_rate,
  })
  if (made === undefined) throw new Error('a purchase without a key met one with the same')
  return made.id
}

/** The customer's transaction that a posting belongs to. */
export async function findPurchaseByPosting(
  db: Handle,
  ledgerTransactionId: string,
): Promise<{ id: string; amount: number; details: Record<string, unknown> } | undefined> {
  const row = await findTransactionByPosting(db, ledgerTransactionId)
  return row && { id: row.id, amount: row.amount, details: row.details as Record<string, unknown> }
}

/** The customers' transactions that postings belong to, by posting. */
export async function listTransactionsByPosting(
  db: Handle,
  postings: readonly string[],
): Promise<Map<string, ShownTransaction>> {
  if (postings.length === 0) return new Map()
  const rows = await findTransactionsByPosting(db, postings)
  return new Map(rows.map((row) => [row.ledger_transaction_id ?? '', showTransaction(row)]))
}

export const transactionOwners: OwnerCheck = {
  findOwner: findTransactionOwner,
  notFound: { code: 'transaction_not_found', resource: 'transactions' },
}
