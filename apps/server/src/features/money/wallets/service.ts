/**
 * Wallets: one per user and currency. A balance is what the ledger says, less what is held.
 */
import { DomainError } from '@wakestone/contract/errors'
import { walletCurrencies } from '@wakestone/contract/primitives'
import type { TransactionAction } from '@wakestone/contract/states'
import type { ProviderId, Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import type { Wallet, WalletLog } from '@wakestone/contract/money/wallet'
import type { Handle, Transaction } from '#src/db/client.ts'
import {
  accounts,
  findHoldings,
  findMovements,
  findPosting,
  findWallet,
  findWalletOwner,
  findWalletsOf,
  insertWallets,
  lockWallet,
  openAccount,
  postToLedger,
  type WalletRow,
} from '#src/features/money/ledger/service.ts'
import {
  noteGivenBack,
  noteSpent,
  planGivingBack,
  planRemoval,
  planSpending,
  stillToTax,
  sumOf,
  untax,
} from '#src/features/money/taxed-balances/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import {
  findPurchaseByPosting,
  listTransactionsByPosting,
  recordPurchase,
} from '#src/features/money/statements/service.ts'
import type { OwnerCheck } from '#src/owner-check.ts'

export { findWalletOwner } from '#src/features/money/ledger/service.ts'

type CountryTaxRate = Wallet['country_tax_rate']
type Position = ShownTransaction['positions'][number]

/** Opens a wallet in every currency on offer; wallets that are there stay. */
export async function openWallets(trx: Transaction, { userId }: { userId: string }): Promise<void> {
  await insertWallets(trx, userId, walletCurrencies)
}

/** What VAT the wallets of a user show. */
async function findRate(db: Handle, userId: string): Promise<CountryTaxRate> {
  const { country_code, vat_rate } = await taxOf(db, { userId })
  return { country_code, vat_rate }
}

function showWallet(row: WalletRow, country_tax_rate: CountryTaxRate): Wallet {
  return {
    id: row.id,
    currency: row.currency as Wallet['currency'],
    balance: { amount: row.posted - row.held, currency: row.currency },
    non_refundable: { amount: row.credit, currency: row.currency },
    held: { amount: row.held, currency: row.currency },
    owed: { amount: row.owed, currency: row.currency },
    details: row.details as Record<string, unknown>,
    created_at: row.created_at.toISOString(),
    country_tax_rate,
  }
}

/** @throws DomainError `wallet_not_found`. */
export async function getWallet(db: Handle, id: string): Promise<Wallet> {
  const row = await findWallet(db, id)
  if (row === undefined) throw new DomainError('wallet_not_found', { resource: 'wallet' })
  return showWallet(row, await findRate(db, row.user_id))
}

/** In the order in which currencies are offered. */
export async function listWalletsOf(db: Handle, userId: string): Promise<Wallet[]> {
  const [rows, rate] = await Promise.all([findWalletsOf(db, userId), findRate(db, userId)])
  const rank = (row: WalletRow) => walletCurrencies.indexOf(row.currency as Wallet['currency'])
  return rows.toSorted((left, right) => rank(left) - rank(right)).map((row) => showWallet(row, rate))
}

/** Wallets that were read before, with what is in them now: nothing else of them changes without a word of it. */
export async function renewBalances(db: Handle, wallets: readonly Wallet[]): Promise<Wallet[]> {
  const codes = wallets.flatMap(({ id }) => [accounts.wallet(id), accounts.credit(id)])
  const holdings = await findHoldings(db, codes)
  const find = (code: string) => holdings.find((holding) => holding.code === code)
  return wallets.map((wallet) => {
    const { posted, held } = find(accounts.wallet(wallet.id)) ?? { posted: 0, held: 0 }
    return {
      ...wallet,
      balance: { amount: posted - held, currency: wallet.currency },
      held: { amount: held, currency: wallet.currency },
      non_refundable: { amount: find(accounts.credit(wallet.id))?.posted ?? 0, currency: wallet.currency },
    }
  })
}

/** Movements, newest first. */
export async function listWalletLogs(
  db: Handle,
  walletId: string,
  page: { after: string | undefined; limit: number },
): Promise<{ data: WalletLog[]; count: number }> {
  const found = await findMovements(db, walletId, page)
  if (found === undefined) throw new DomainError('wallet_not_found', { resource: 'wallet' })
  const transactions = await listTransactionsByPosting(
    db,
    found.rows.map((row) => row.transaction_id),
  )
  return {
    count: found.count,
    data: found.rows.map((row) => ({
      id: row.id,
      wallet_id: walletId,
      pair_id: row.transaction_id,
      ts: row.at.toISOString(),
      amount: { amount: row.amount, currency: row.currency },
      balance_after: { amount: row.balance_after ?? 0, currency: row.currency },
      currency: row.currency as WalletLog['currency'],
      cause: row.kind as WalletLog['cause'],
      details: row.meta as Record<string, unknown>,
      completed: row.at.toISOString(),
      transaction: partOf(transactions.get(row.transaction_id)),
      sale: null,
    })),
  }
}

function partOf(transaction: ShownTransaction | undefined): WalletLog['transaction'] {
  if (transaction === undefined) return null
  const { id, action, positions, invoiceid, return_kind, return_of } = transaction
  return { id, action, positions, invoiceid, return_kind, return_of }
}

export type Charge = {
  userId: string
  walletId: string
  currency: string
  /** Gross, minor units; `tax` is the part of it that is VAT. Zero is allowed and moves nothing. */
  amount: number
  tax: number
  /** That the price was made with; must be what the buyer pays now. */
  countryTaxRate?: CountryTaxRate
  /** What is bought: a service's product id, in the transaction's one position. */
  name?: string
  /** Instead of one position of that name: several lines, whose gross sums up to the amount. */
  positions?: Position[]
  action?: TransactionAction
  /** The same key again is the same charge: the id of the service, with its period for renewals. */
  key: string
  details: Record<string, unknown>
  /** By what the wallet was filled for this charge, as the transaction shows it. */
  provider?: ProviderId
  /** Account that gets the money instead of revenue and VAT: what was sold before is paid now. */
  creditor?: string
  /** As wallet logs show it, where it is no purchase. */
  cause?: WalletLog['cause']
  /** Spends credit that is never paid out last instead of first. */
  creditLast?: boolean
}

/**
 * Pays for a purchase from a wallet, in the purchase's own transaction: wallet to revenue and VAT, and the customer's
 * transaction, COMPLETED. Credit that is never paid out is spent first; how much, `details.non_refundable` of the
 * transaction tells. Charges on one wallet wait for each other.
 * @returns id of the customer's transaction.
 * @throws DomainError `wallet_not_found` (also for other people's), `wallet_has_other_currency`, `wallet_has_not_funds`;
 *   `user_has_debts` for something new, while a payment that was taken back is owed.
 */
export async function chargeWallet(trx: Transaction, charge: Charge): Promise<string> {
  const { walletId, currency, amount, tax } = charge
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(tax) || tax < 0 || tax > amount) {
    throw new Error(`cannot charge ${amount} with ${tax} of tax`)
  }
  const wallet = await lockOwnWallet(trx, charge)
  const known = await findKnown(trx, 'purchase', charge.key, amount)
  if (known !== undefined) return known
  const { treatment, ...countryTaxRate } = await taxOf(trx, { userId: charge.userId })
  requireSameTax(charge, countryTaxRate)
  const action = charge.action ?? 'ADD_SERVICE'
  if (wallet.has_debts && amount > 0 && refusedToDebtors.includes(action)) {
    throw new DomainError('user_has_debts', { amount: wallet.owed, currency })
  }
  const credit = Math.min(wallet.credit, charge.creditLast === true ? Math.max(0, amount - refundable(wallet)) : amount)
  const spent = { money: amount - credit, credit }
  const { creditor } = charge
  const positions = charge.positions ?? [onePosition(charge, amount, countryTaxRate)]
  const pieces =
    creditor === undefined
      ? await planSpending(trx, wallet, spent)
      : // What is paid now was sold before, and taxed then.
        await planRemoval(trx, wallet, { removed: spent })
  const taxed = creditor === undefined ? sumOf(pieces) : 0
  const sale = taxed === 0 ? { rest: amount, tax, details: {} } : stillToTax(positions, { amount, taxed, sign: 1 })
  const details = {
    ...charge.details,
    ...(amount > 0 && { tax_treatment: treatment }),
    ...(credit > 0 && { non_refundable: credit }),
    ...sale.details,
  }
  const posting =
    amount === 0
      ? null
      : await postToLedger(trx, {
          scope: 'purchase',
          key: charge.key,
          kind: charge.cause ?? 'PAYMENT',
          entries: [
            { code: accounts.wallet(walletId), currency, amount: -amount },
            ...(creditor === undefined
              ? [
                  { code: accounts.revenue(currency), currency, amount: sale.rest - sale.tax },
                  { code: accounts.vat(countryTaxRate.country_code, currency), currency, amount: sale.tax },
                  { code: accounts.prepaid(currency), currency, amount: taxed },
                ]
              : [{ code: creditor, currency, amount }]),
            ...creditEntries(walletId, currency, -credit),
          ],
          meta: details,
        })
  const id = await recordPurchase(trx, {
    ...(charge.provider !== undefined && { provider: charge.provider }),
    userId: charge.userId,
    walletId,
    currency,
    action,
    amount,
    countryTaxRate,
    positions,
    details,
    ledgerTransactionId: posting?.id ?? null,
  })
  if (creditor === undefined) await noteSpent(trx, id, pieces)
  else await untax(trx, { wallet, transactionId: id, provider: 'wallet', pieces })
  return id
}

/** What runs goes on; what is new waits until nothing is owed. */
const refusedToDebtors: readonly TransactionAction[] = ['ADD_SERVICE', 'UPGRADE_SERVICE']

/** What of a wallet may be paid out: neither held nor credit. */
export const refundable = ({ posted, held, credit }: Pick<WalletRow, 'posted' | 'held' | 'credit'>) =>
  Math.max(0, posted - held - credit)

/** A price was made for somebody else, or by another rule: nobody is charged by it. */
function requireSameTax({ amount, countryTaxRate: quoted, userId }: Charge, due: CountryTaxRate): void {
  if (amount === 0 || quoted === undefined) return
  if (quoted.country_code !== due.country_code || quoted.vat_rate !== due.vat_rate)
    throw new Error(
      `${userId} pays ${due.vat_rate} of ${due.country_code}, and was quoted ${quoted.vat_rate} of ${quoted.country_code}`,
    )
}

export type Credit = {
  userId: string
  walletId: string
  currency: string
  /** Gross, minor units, more than zero; `tax` is the part of it that was VAT, zero unless a purchase is given back. */
  amount: number
  tax: number
  countryTaxRate?: CountryTaxRate
  /** Where it comes from: a purchase given back (revenue and VAT), a gift, a commission, an administrator. */
  source: 'purchase' | 'promotion' | 'affiliate' | 'adjustment'
  /** False: credit that is spent first and never paid out. */
  refundable: boolean
  /** As wallet logs show it. */
  cause: WalletLog['cause']
  /** With `key`, what makes it happen once. */
  scope: string
  key: string
  /** As the transaction shows it; the wallet where missing. */
  provider?: ProviderId
  action?: TransactionAction
  /** Without it COMPLETED. */
  status?: 'COMPLETED' | 'ADMIN_ACTION'
  name?: string
  positions?: Position[]
  /** `reverses`: id of the customer's transaction that is given back, where there is one. */
  details: Record<string, unknown>
}

/**
 * Puts money into a wallet that did not come from a payment, and writes the customer's transaction down. Given back, a
 * purchase shows with a negative amount; everything else with a positive one.
 * @returns id of the customer's transaction.
 * @throws DomainError `wallet_not_found` (also for other people's), `wallet_has_other_currency`.
 */
export async function creditWallet(trx: Transaction, credit: Credit): Promise<string> {
  const { walletId, currency, amount, tax, source } = credit
  const isTaxed = source === 'purchase'
  if (!Number.isSafeInteger(amount) || amount <= 0 || tax < 0 || tax > (isTaxed ? amount : 0)) {
    throw new Error(`cannot credit ${amount} with ${tax} of tax`)
  }
  const wallet = await lockOwnWallet(trx, credit)
  const shown = isTaxed ? -amount : amount
  const known = await findKnown(trx, credit.scope, credit.key, shown)
  if (known !== undefined) return known
  const countryTaxRate = credit.countryTaxRate ?? (await findRate(trx, wallet.user_id))
  if (!credit.refundable) await openAccount(trx, accounts.credit(walletId), currency)
  const shownRate = isTaxed ? countryTaxRate : { ...countryTaxRate, vat_rate: 0 }
  const positions = credit.positions ?? [onePosition(credit, shown, shownRate)]
  const { reverses } = credit.details
  const purchaseId = isTaxed && typeof reverses === 'string' ? reverses : undefined
  const returns =
    purchaseId === undefined ? [] : await planGivingBack(trx, { purchaseId, amount, refundable: credit.refundable })
  const taxed = sumOf(returns.map(({ to }) => to))
  const sale = taxed === 0 ? { rest: amount, tax, details: {} } : stillToTax(positions, { amount, taxed, sign: -1 })
  const details = {
    ...credit.details,
    ...(!credit.refundable && { non_refundable: amount }),
    ...sale.details,
  }
  const posting = await postToLedger(trx, {
    scope: credit.scope,
    key: credit.key,
    kind: credit.cause,
    entries: [
      { code: accounts.wallet(walletId), currency, amount },
      ...(isTaxed
        ? [
            { code: accounts.revenue(currency), currency, amount: sale.tax - sale.rest },
            { code: accounts.vat(countryTaxRate.country_code, currency), currency, amount: -sale.tax },
            { code: accounts.prepaid(currency), currency, amount: -taxed },
          ]
        : [{ code: accounts[source](currency), currency, amount: -amount }]),
      ...creditEntries(walletId, currency, credit.refundable ? 0 : amount),
    ],
    meta: details,
  })
  const id = await recordPurchase(trx, {
    ...(credit.provider !== undefined && { provider: credit.provider }),
    userId: credit.userId,
    walletId,
    currency,
    action: credit.action ?? 'DEPOSIT',
    status: credit.status ?? 'COMPLETED',
    amount: shown,
    countryTaxRate: shownRate,
    positions,
    details,
    ledgerTransactionId: posting.id,
  })
  if (purchaseId !== undefined) await noteGivenBack(trx, purchaseId, returns)
  return id
}

/** The wallet, which then stays as it is until the transaction ends. */
async function lockOwnWallet(
  trx: Transaction,
  { userId, walletId, currency }: { userId: string; walletId: string; currency: string },
): Promise<WalletRow> {
  const wallet = await lockWallet(trx, walletId)
  if (wallet === undefined || wallet.user_id !== userId)
    throw new DomainError('wallet_not_found', { resource: 'wallet' })
  if (wallet.currency !== currency) throw new DomainError('wallet_has_other_currency', { resource: 'wallet' })
  return wallet
}

/** The customer's transaction that was made under this key; what a wallet holds may have changed since. */
async function findKnown(trx: Transaction, scope: string, key: string, amount: number): Promise<string | undefined> {
  const posting = await findPosting(trx, scope, key)
  const known = posting === undefined ? undefined : await findPurchaseByPosting(trx, posting)
  if (known !== undefined && known.amount !== amount) throw new Error(`${scope} ${key} was about another amount`)
  return known?.id
}

/** What of the balance is credit rises or falls; no other account feels it. */
const creditEntries = (walletId: string, currency: string, amount: number) => [
  { code: accounts.credit(walletId), currency, amount },
  { code: accounts.credits(currency), currency, amount: -amount },
]

function onePosition(
  { name, details }: Pick<Charge, 'name' | 'details'>,
  amount: number,
  rate: CountryTaxRate,
): Position {
  const product = typeof details['product_id'] === 'string' ? details['product_id'] : 'service'
  return { name: name ?? product, quantity: 1, tax: rate.vat_rate, total_price_gross: amount }
}

export const walletOwners: OwnerCheck = {
  findOwner: findWalletOwner,
  notFound: { code: 'wallet_not_found', resource: 'wallet' },
}
