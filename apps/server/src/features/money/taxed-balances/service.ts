/**
 * Money in wallets that was taxed when it was paid in: docs/decisions/0008-tax-point-of-top-ups.md. A top-up is then sold
 * as it comes in: revenue and VAT rise against `prepaid`, which falls again as the balance is spent, so nothing is taxed
 * twice. What leaves a wallet without a sale gives the tax back. Everything here happens under the wallet's lock.
 */
import type { TaxTreatment } from '@wakestone/contract/money/tax-treatment'
import type { ProviderId, Transaction as ShownTransaction } from '@wakestone/contract/money/transaction'
import type { Transaction } from '#src/db/client.ts'
import { accounts, lockWallet, postToLedger, type WalletRow } from '#src/features/money/ledger/service.ts'
import { taxWithin } from '#src/features/money/taxes/service.ts'
import { findTaxPoint, taxOf } from '#src/features/money/taxes/service.ts'
import { recordPurchase } from '#src/features/money/statements/service.ts'
import {
  findLeft,
  findTopUp,
  findUses,
  findWalletOf,
  insertTopUp,
  insertUse,
  moveLeft,
  noteBack,
  setRule,
  type TopUpRow,
} from './repo.ts'
import { type Piece, piecesRemoved, piecesSpent, scaleLines, sumOf } from './split.ts'

type Position = ShownTransaction['positions'][number]
type Purse = Pick<WalletRow, 'id' | 'user_id' | 'currency' | 'posted' | 'credit'>
type Sum = { money: number; credit: number }
type Rule = { country_code: string; vat_rate: number; treatment: TaxTreatment }

const name = 'WALLET_TOP_UP'

/** What of a balance is not taxed yet. */
function untaxedOf(wallet: Purse, topUps: readonly { left_money: number; left_credit: number }[]): Sum {
  const money = topUps.reduce((sum, { left_money }) => sum + left_money, 0)
  const credit = topUps.reduce((sum, { left_credit }) => sum + left_credit, 0)
  return { money: Math.max(0, wallet.posted - wallet.credit - money), credit: Math.max(0, wallet.credit - credit) }
}

/**
 * Taxes what a payment brought, where that is when tax is due.
 * @param amount of the payment what is still in the wallet: what was owed is settled first, and was taxed before.
 */
export async function taxTopUp(
  trx: Transaction,
  { depositId, provider, walletId, amount }: { depositId: string; provider: string; walletId: string; amount: number },
): Promise<void> {
  if (amount <= 0 || (await findTaxPoint(trx)) === 'purchase') return
  const wallet = await lockWallet(trx, walletId)
  if (wallet === undefined) throw new Error('a payment without a wallet')
  const untaxed = untaxedOf(wallet, await findLeft(trx, walletId))
  const taxed = Math.min(amount, untaxed.money)
  if (taxed === 0) return
  const rule = await taxOf(trx, { userId: wallet.user_id })
  await tax(trx, { wallet, depositId, provider, rule, left: { money: taxed, credit: 0 }, key: depositId })
}

type Taxing = { wallet: Purse; depositId: string; provider: string; rule: Rule; left: Sum; key: string }

async function tax(trx: Transaction, { wallet, depositId, provider, rule, left, key }: Taxing): Promise<void> {
  const { id: walletId, user_id: userId, currency } = wallet
  const amount = left.money + left.credit
  const id = await record(trx, {
    wallet,
    depositId,
    provider,
    rule,
    gross: amount,
    vat: taxWithin(amount, rule.vat_rate),
    key,
  })
  const { money: left_money, credit: left_credit } = left
  const owner = { depositId, userId, walletId, currency }
  await insertTopUp(trx, { id, taxed_by: id, ...owner, ...rule, amount, left_money, left_credit })
}

/** Posts a sale of a top-up, or a part of one taken back, and writes down of what its document is made. */
async function record(
  trx: Transaction,
  sale: Omit<Taxing, 'left'> & { gross: number; vat: number; details?: Record<string, unknown> },
): Promise<string> {
  const { wallet, depositId, provider, rule, gross, vat, key } = sale
  const { id: walletId, user_id: userId, currency } = wallet
  const { treatment, ...countryTaxRate } = rule
  const details = { ...sale.details, deposit_id: depositId, tax_treatment: treatment }
  const { id: ledgerTransactionId } = await postToLedger(trx, {
    scope: 'top-up-tax',
    key,
    kind: 'TOP_UP_TAX',
    entries: [
      { code: accounts.revenue(currency), currency, amount: gross - vat },
      { code: accounts.vat(rule.country_code, currency), currency, amount: vat },
      { code: accounts.prepaid(currency), currency, amount: -gross },
    ],
    meta: details,
  })
  return recordPurchase(trx, {
    userId,
    walletId,
    currency,
    action: 'TOP_UP_TAX',
    provider: provider as ProviderId,
    amount: 0,
    countryTaxRate,
    positions: [{ name, quantity: 1, tax: rule.vat_rate, total_price_gross: gross }],
    details,
    ledgerTransactionId,
  })
}

/** What a charge takes of taxed top-ups; `noteSpent` has to follow in its transaction. */
export async function planSpending(trx: Transaction, wallet: Purse, spent: Sum): Promise<Piece[]> {
  return piecesSpent(await findLeft(trx, wallet.id), spent)
}

export async function noteSpent(trx: Transaction, transactionId: string, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    await moveLeft(trx, { ...piece, amount: -piece.amount })
    await insertUse(trx, { transactionId, kind: 'spent', piece })
  }
}

/** What comes back into a wallet as it was paid, `from` as it was spent and `to` as it is now. */
export type Return = { from: Piece; to: Piece }

/**
 * What of a purchase that is given back was paid with taxed money: all of that first. `noteGivenBack` has to follow.
 * @param refundable false: it comes back as credit that is never paid out.
 */
export async function planGivingBack(
  trx: Transaction,
  { purchaseId, amount, refundable }: { purchaseId: string; amount: number; refundable: boolean },
): Promise<Return[]> {
  const uses = await findUses(trx, { transactionId: purchaseId, kind: 'spent' })
  // As what it was paid with; money may become credit, but never the other way round.
  const inOrder = [...uses.filter((use) => use.isCredit === !refundable), ...uses.filter((use) => !use.isCredit)]
  const returns: Return[] = []
  let open = amount
  for (const use of new Set(inOrder)) {
    const part = Math.min(open, use.amount)
    if (part === 0) continue
    const from = { ...use, amount: part }
    returns.push({ from, to: { ...from, isCredit: !refundable } })
    open -= part
  }
  return returns
}

export async function noteGivenBack(trx: Transaction, purchaseId: string, returns: readonly Return[]): Promise<void> {
  for (const { from, to } of returns) {
    await noteBack(trx, purchaseId, from)
    await moveLeft(trx, to)
  }
}

/**
 * What leaves a wallet of taxed top-ups without a sale: to a payer, or for a sale that was taxed already.
 * @param wallet as it stands before that leaves. `untax` has to follow.
 */
export async function planRemoval(
  trx: Transaction,
  wallet: Purse,
  { removed, depositId }: { removed: Sum; depositId?: string | undefined },
): Promise<Piece[]> {
  const topUps = await findLeft(trx, wallet.id)
  return piecesRemoved(topUps, { removed, untaxed: untaxedOf(wallet, topUps), depositId })
}

/** Gives the tax of these pieces back, with a credit note for each top-up. @param transactionId that takes them out. */
export async function untax(
  trx: Transaction,
  {
    wallet,
    transactionId,
    provider,
    pieces,
  }: { wallet: Purse; transactionId: string; provider: string; pieces: readonly Piece[] },
): Promise<void> {
  for (const topUpId of new Set(pieces.map((piece) => piece.topUpId))) {
    const own = pieces.filter((piece) => piece.topUpId === topUpId)
    const gross = sumOf(own)
    const topUp = await findTopUp(trx, topUpId)
    const { depositId, country_code, vat_rate, treatment } = topUp
    // So that parts add up to the whole.
    const taxed = topUp.amount - topUp.returned
    const vat = taxWithin(taxed, vat_rate) - taxWithin(taxed - gross, vat_rate)
    await record(trx, {
      wallet,
      depositId,
      provider,
      rule: { country_code, vat_rate, treatment },
      gross: -gross,
      vat: -vat,
      key: `${transactionId}:${topUpId}`,
      details: { reverses: topUp.taxed_by, top_up_id: topUpId, because_of: transactionId },
    })
    for (const piece of own) {
      await moveLeft(trx, { ...piece, amount: -piece.amount }, { returned: piece.amount })
      await insertUse(trx, { transactionId, kind: 'untaxed', piece })
    }
  }
}

/** Taxes a top-up by another rule after all, as far as its tax was not given back: a credit note, and a new document. */
export async function taxByOtherRule(
  trx: Transaction,
  { topUpId, rule }: { topUpId: string; rule: Rule },
): Promise<void> {
  const wallet = await lockWallet(trx, await findWalletOf(trx, topUpId))
  const topUp: TopUpRow = await findTopUp(trx, topUpId)
  const gross = topUp.amount - topUp.returned
  if (wallet === undefined || gross === 0 || topUp.treatment === rule.treatment) return
  const { depositId, country_code, vat_rate, treatment, taxed_by } = topUp
  const sale = { wallet, depositId, provider: 'wallet' }
  await record(trx, {
    ...sale,
    rule: { country_code, vat_rate, treatment },
    gross: -gross,
    vat: -taxWithin(gross, vat_rate),
    key: `${taxed_by}:other-rule:back`,
    details: { reverses: taxed_by, top_up_id: topUpId, other_rule: true },
  })
  const made = await record(trx, {
    ...sale,
    rule,
    gross,
    vat: taxWithin(gross, rule.vat_rate),
    key: `${taxed_by}:other-rule`,
    details: { top_up_id: topUpId },
  })
  await setRule(trx, topUpId, { ...rule, taxed_by: made })
}

/** What had left has come back: as far as it is still in the wallet, it is taxed anew by the rule of then. */
export async function taxAgain(
  trx: Transaction,
  { walletId, transactionId, provider }: { walletId: string; transactionId: string; provider: string },
): Promise<void> {
  for (const use of await findUses(trx, { transactionId, kind: 'untaxed' })) {
    const wallet = await lockWallet(trx, walletId)
    if (wallet === undefined) throw new Error('a payment without a wallet')
    const untaxed = untaxedOf(wallet, await findLeft(trx, walletId))
    const amount = Math.min(use.amount, use.isCredit ? untaxed.credit : untaxed.money)
    if (amount === 0) continue
    const { depositId, country_code, vat_rate, treatment } = await findTopUp(trx, use.topUpId)
    await tax(trx, {
      wallet,
      depositId,
      provider,
      rule: { country_code, vat_rate, treatment },
      left: use.isCredit ? { money: 0, credit: amount } : { money: amount, credit: 0 },
      key: `${transactionId}:${use.topUpId}:${use.isCredit ? 'credit' : 'money'}:again`,
    })
    await noteBack(trx, transactionId, { ...use, amount })
  }
}

/**
 * What of a sale is taxed now, where a part of it was paid with taxed money.
 * @param amount of the whole sale, `taxed` the part of it that was taxed before; both more than zero.
 */
export function stillToTax(
  positions: readonly Position[],
  { amount, taxed, sign }: { amount: number; taxed: number; sign: 1 | -1 },
): { rest: number; tax: number; details: Record<string, unknown> } {
  const rest = amount - taxed
  const lines = scaleLines(positions, sign * rest)
  return {
    rest,
    tax: lines.reduce((sum, line) => sum + taxWithin(Math.abs(line.total_price_gross), line.tax), 0),
    details: { taxed_before: taxed, ...(rest > 0 && { document_positions: lines }) },
  }
}

export { type Piece, scaleLines, sumOf } from './split.ts'
